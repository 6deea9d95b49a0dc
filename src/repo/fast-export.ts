// Rewrites the stream of `git fast-export --no-data`: leaves out files, and changes messages. Everything else passes byte
// for byte. Format: git-fast-import(1), "Input Format".

/** What to leave out, and what to say instead. */
export interface StreamEdit {
  /** Whether this version of this path goes; `blob` is its object id. */
  readonly drops: (path: string, blob: string) => boolean;
  /** The message that a commit or tag shall have. */
  readonly message: (message: string) => string;
}

export interface EditedStream {
  readonly output: Buffer;
  /** How many commits had a file left out or a message changed. */
  readonly changedCommits: number;
  /** How many commits there are. */
  readonly commits: number;
}

/** After so many commits of the output git is told to say how many it has read. */
const TOLD_EVERY = 100;

const NEWLINE = 0x0a;

/** The output has `progress N` between commits, which `git fast-import` prints when it has taken N of them in. */
export function editStream(input: Buffer, edit: StreamEdit): EditedStream {
  const output: Buffer[] = [];
  let changedCommits = 0;
  let commits = 0;
  let inCommit = false;
  let changed = false;
  const endCommit = (): void => {
    if (inCommit && changed) changedCommits += 1;
    changed = false;
  };
  for (let at = 0; at < input.length;) {
    const end = input.indexOf(NEWLINE, at);
    const next = end < 0 ? input.length : end + 1;
    const raw = input.subarray(at, next);
    const line = raw.toString('utf8').replace(/\n$/, '');
    at = next;
    if (/^(commit|reset|tag|done)\b/.test(line)) {
      endCommit();
      inCommit = line.startsWith('commit ');
      if (inCommit) {
        if (commits > 0 && commits % TOLD_EVERY === 0) output.push(Buffer.from(`progress ${commits}\n`));
        commits += 1;
      }
    }
    const size = /^data (\d+)$/.exec(line)?.[1];
    if (size !== undefined) {
      const message = input.subarray(at, at + Number(size)).toString('utf8');
      at += Number(size);
      const said = edit.message(message);
      if (said !== message) changed = true;
      const bytes = Buffer.from(said, 'utf8');
      output.push(Buffer.from(`data ${bytes.length}\n`), bytes);
      continue;
    }
    const modified = /^M (\d+) ([0-9a-f]{40}) (.*)$/s.exec(line);
    if (modified && edit.drops(unquote(modified[3] ?? ''), modified[2] ?? '')) {
      changed = true;
      // What stood there before goes as well, or the old version would live on.
      output.push(Buffer.from(`D ${modified[3] ?? ''}\n`));
      continue;
    }
    output.push(raw);
  }
  endCommit();
  return { output: Buffer.concat(output), changedCommits, commits };
}

/** A path as git prints it: quoted like a C string where it holds anything odd. */
function unquote(path: string): string {
  if (!path.startsWith('"')) return path;
  const bytes: number[] = [];
  const inner = path.slice(1, -1);
  for (let at = 0; at < inner.length; at++) {
    const octal = /^\\([0-3][0-7]{2})/.exec(inner.slice(at, at + 4))?.[1];
    if (octal !== undefined) {
      bytes.push(Number.parseInt(octal, 8));
      at += 3;
    } else if (inner[at] === '\\') {
      at += 1;
      bytes.push(...Buffer.from(ESCAPES[inner[at] ?? ''] ?? inner[at] ?? ''));
    } else {
      bytes.push(...Buffer.from(String.fromCodePoint(inner.codePointAt(at) ?? 0)));
      if ((inner.codePointAt(at) ?? 0) > 0xffff) at += 1;
    }
  }
  return Buffer.from(bytes).toString('utf8');
}

const ESCAPES: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r', b: '\b', f: '\f', v: '\v', a: '\u0007' };
