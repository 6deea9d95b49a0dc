// Finds what must never be written down: keys, tokens, passwords. The detectors of secretlint's recommended preset,
// the token formats that it lacks, and named values. Invariant: nothing is read but the text, no configuration file,
// and no comment in the text switches a detector off.
//
// The preset's rules are run here, not through @secretlint/core: its profiler keeps 50 performance marks of every call
// for good (11 KB a call in a server that stays up), and it honours `secretlint-disable` in the text.
import type { SecretLintSourceCode } from '@secretlint/types';
import { findNamedSecrets, isPlaceholder } from './secret-assignments.ts';
import { TOKEN_FORMATS } from './token-formats.ts';

export interface FoundSecret {
  /** What it looks like, in words: `GitHub token`. */
  readonly rule: string;
  /** UTF-16 offsets into the text. */
  readonly start: number;
  readonly end: number;
  /** From 1. */
  readonly line: number;
}

type Finding = Omit<FoundSecret, 'line'>;

/** Every secret in a text, from its start to its end; findings that overlap are one, under the first one's rule. */
export async function findSecrets(text: string): Promise<ReadonlyArray<FoundSecret>> {
  const readable = blankOrdinary(text);
  const findings = [...findTokens(readable), ...(await findByPreset(readable)), ...findNamedSecrets(readable)];
  return merge(findings).map((finding) => ({ ...finding, line: text.slice(0, finding.start).split('\n').length }));
}

/** The text with every secret replaced by `[removed: GitHub token]`. */
export async function redactSecrets(text: string): Promise<string> {
  let redacted = '';
  let from = 0;
  for (const secret of await findSecrets(text)) {
    redacted += `${text.slice(from, secret.start)}[removed: ${secret.rule}]`;
    from = secret.end;
  }
  return redacted + text.slice(from);
}

/** Embedded images and integrity hashes are long random text by nature: they are blanked, offsets stay. */
function blankOrdinary(text: string): string {
  return text.replace(
    /\bdata:[\w.+-]+\/[\w.+-]+(?:;[\w=.-]+)*;base64,[A-Za-z0-9+/=\s]*|\bsha(?:1|256|384|512)[-:][A-Za-z0-9+/=]{20,}|\bh1:[A-Za-z0-9+/=]{40,}/gu,
    (match) => ' '.repeat(match.length),
  );
}

function findTokens(text: string): Finding[] {
  return TOKEN_FORMATS.flatMap(({ rule, pattern }) =>
    Array.from(text.matchAll(pattern), (match) => ({
      rule,
      start: match.index,
      end: match.index + match[0].length,
    })).filter((finding) => !isPlaceholder(text.slice(finding.start, finding.end))),
  );
}

// What the preset's rules find, by the last part of their ids. Left out is what findNamedSecrets does for every scheme and
// with the value's own offsets (passwords in addresses).
const PRESET_WORDS: ReadonlyMap<string, string> = new Map([
  ['aws', 'AWS key'],
  ['gcp', 'Google service account key'],
  ['privatekey', 'private key'],
  ['npm', 'npm token'],
  ['slack', 'Slack token'],
  ['sendgrid', 'SendGrid key'],
  ['shopify', 'Shopify token'],
  ['github', 'GitHub token'],
  ['openai', 'OpenAI key'],
  ['anthropic', 'Anthropic key'],
  ['linear', 'Linear key'],
  ['1password', '1Password token'],
]);
const PRESET_LEFT_OUT = new Set(['basicauth', 'database-connection-string']);

async function findByPreset(text: string): Promise<Finding[]> {
  const { rules } = await import('@secretlint/secretlint-rule-preset-recommend');
  const findings: Finding[] = [];
  for (const rule of rules) {
    const name = rule.meta.id.replace(/^.*secretlint-rule-/u, '');
    if (PRESET_LEFT_OUT.has(name)) continue;
    const words = PRESET_WORDS.get(name) ?? name;
    const handler = rule.create(
      {
        sharedOptions: {},
        createTranslator: () => (messageId) => ({ messageId: String(messageId), message: '', data: {} }),
        // What comments in the text want ignored is not.
        ignore: () => undefined,
        report: ({ range: [start, end], message }) => {
          const reported = text.slice(start, end);
          if (isReal(message.messageId, reported)) findings.push({ rule: words, start, end: endOfRun(text, end) });
        },
      },
      {},
    );
    await handler.file?.(sourceOf(text));
  }
  return findings;
}

/** Whether a finding of the preset is one, by the id of its message: its widest patterns take names for keys. */
function isReal(messageId: string, reported: string): boolean {
  switch (messageId) {
    case 'SLACK_TOKEN':
      return reported.length >= 20 && /\d/u.test(reported) && !isPlaceholder(reported);
    case 'SENDGRID_KEY':
      return reported.length >= 40;
    case 'PrivateKey':
    case 'PrivateKeyJSON':
      return true;
    default:
      return !isPlaceholder(reported);
  }
}

/** The end of the run of key characters at an offset: the preset gives an AWS key's length from its name's start. */
function endOfRun(text: string, offset: number): number {
  const rest = /^[A-Za-z0-9/+_=-]{0,200}/u.exec(text.slice(offset - 1, offset + 200))?.[0] ?? '';
  return Math.max(offset, offset - 1 + rest.length);
}

function sourceOf(content: string): SecretLintSourceCode {
  const nowhere = { line: 1, column: 0 };
  return {
    content,
    contentType: 'text',
    ext: '',
    hasBOM: false,
    filePath: undefined,
    physicalFilePath: undefined,
    getFilePath: () => undefined,
    getPhysicalFilePath: () => undefined,
    locationToRange: () => [0, 0],
    rangeToLocation: () => ({ start: nowhere, end: nowhere }),
    positionToIndex: () => 0,
    indexToPosition: () => nowhere,
  };
}

function merge(findings: readonly Finding[]): Finding[] {
  const merged: Finding[] = [];
  for (const finding of [...findings].sort((a, b) => a.start - b.start)) {
    const last = merged.at(-1);
    if (last && finding.start < last.end) {
      merged[merged.length - 1] = { ...last, end: Math.max(last.end, finding.end) };
    } else merged.push(finding);
  }
  return merged;
}
