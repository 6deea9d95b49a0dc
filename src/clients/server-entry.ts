// What a client is told to start: the name of the entry, and the server's command line. Invariant: absolute paths only,
// because clients filter PATH and the working directory, and never through npx, whose cache npm empties.

import { createHash } from 'node:crypto';

/** How a client starts stet. */
export interface ServerCommand {
  /** The key in the client's file: letters, digits, `-` and `_`. */
  readonly name: string;
  /** Absolute path of node. */
  readonly command: string;
  /** The entry file and the arguments of `stet mcp`. */
  readonly args: readonly string[];
}

export interface ServerRequest {
  readonly node: string;
  /** Absolute path of stet's entry file. */
  readonly entry: string;
  /** The memory, where it is not the one that `stet mcp` finds by itself. */
  readonly memory: string | null;
  /** The one space of this entry; null where the folder decides. */
  readonly space: string | null;
  /** The project folder, for a client that does not say it. */
  readonly project: string | null;
}

export const SERVER_NAME = 'stet';

export function serverCommand(request: ServerRequest): ServerCommand {
  const { node, entry, memory, space, project } = request;
  return {
    name: entryName(space),
    command: node,
    args: [
      entry,
      'mcp',
      ...(memory === null ? [] : ['--memory', memory]),
      ...(space === null ? [] : ['--space', space]),
      ...(project === null ? [] : ['--project', project]),
    ],
  };
}

/** `stet`, or `stet-acme` for the entry of a space. A name that clients would not take gets a hash of it instead. */
export function entryName(space: string | null): string {
  if (space === null) return SERVER_NAME;
  const plain = space.toLowerCase();
  if (/^[a-z0-9_-]{1,40}$/.test(plain)) return `${SERVER_NAME}-${plain}`;
  const readable = plain.replace(/[^a-z0-9_-]+/g, '-').replace(/^-+|-+$/g, '');
  const hash = createHash('sha256').update(plain).digest('hex').slice(0, 6);
  return [SERVER_NAME, ...(readable === '' ? [] : [readable.slice(0, 33)]), hash].join('-');
}

/** Whether a command line in a client's file starts stet: another server of that name is not ours to change. */
export function startsStet(words: readonly string[]): boolean {
  const server = words.indexOf('mcp');
  return (
    server > 0 &&
    /(?:^|[\\/])(?:stet(?:\.cmd|\.exe)?|stet-memory(?:@.*)?|cli[\\/]main\.js)$/.test(words[server - 1] ?? '')
  );
}

/**
 * The path of node that outlives an upgrade. Homebrew runs node from `Cellar/node/22.1.0`, which the next upgrade
 * removes; `opt/node` beside it always leads to the present one.
 */
export function stableNodePath(node: string, exists: (path: string) => boolean): string {
  const [, prefix, formula] = /^(.+)\/Cellar\/(node(?:@\d+)?)\/[^/]+\/bin\/node$/.exec(node) ?? [];
  const stable = prefix === undefined || formula === undefined ? null : `${prefix}/opt/${formula}/bin/node`;
  return stable !== null && exists(stable) ? stable : node;
}

/** Whether stet runs from a place that npm clears by itself. */
export function isTemporaryInstall(entry: string): boolean {
  return /[\\/]_npx[\\/]|[\\/]dlx-[^\\/]+[\\/]/.test(entry);
}
