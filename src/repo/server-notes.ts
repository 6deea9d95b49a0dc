// What every running server tells of how it follows the files: one small file a server in `.stet/servers`, for `stet
// status`. Invariants: a note is read whole or not at all; nothing is made where the memory was moved away; a server whose
// process is known to be dead has none.

import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { errnoOf } from './file-system.ts';
import { describeThisProcess, judgeOwner, parseOwner, printOwner, type LockOwner } from './lock-owner.ts';

/** How a server follows the files just now. */
export interface Following {
  /** `watching` by events, or `polling`, for a reason. */
  readonly state: string;
  readonly reason: string | null;
  readonly watchedFolders: number;
  /** ISO 8601; everything that had changed on disk by then has been taken in. */
  readonly lookedAt: string;
  /** Why the last change could not be taken in. */
  readonly problem: string | null;
}

export interface ServerNote extends Following {
  readonly pid: number;
  readonly host: string;
}

/** The note of this process. A disk that does not take it costs the server nothing. */
export class OwnServerNote {
  readonly #folders: readonly string[];
  readonly #path: string;
  readonly #me: LockOwner = describeThisProcess();

  /** `derived`: absolute path of the memory's `.stet`. */
  constructor(derived: string) {
    const folder = join(derived, 'servers');
    this.#folders = [derived, folder];
    this.#path = join(folder, `${this.#me.pid}-${this.#me.nonce}`);
  }

  write(following: Following): void {
    try {
      for (const folder of this.#folders) makeFolder(folder);
      const temporary = `${this.#path}.tmp`;
      writeFileSync(temporary, `${printOwner(this.#me)}${JSON.stringify(following)}\n`);
      renameSync(temporary, this.#path);
    } catch (error) {
      if (errnoOf(error) === null) throw error;
    }
  }

  remove(): void {
    for (const path of [this.#path, `${this.#path}.tmp`]) removeIfPossible(path);
  }
}

/** Of every server that may be alive, in the order of their process ids. Clears up after those that are not. */
export function readServerNotes(derived: string): readonly ServerNote[] {
  const folder = join(derived, 'servers');
  const me = describeThisProcess();
  return namesIn(folder)
    .flatMap((name) => {
      const path = join(folder, name);
      const text = readIfPossible(path);
      const owner = text === null ? null : parseOwner(text);
      if (text === null || owner === null) return [];
      if (judgeOwner(owner, me) === 'dead') {
        removeIfPossible(path);
        return [];
      }
      const following = parseFollowing(text.split('\n')[2] ?? '');
      return following === null ? [] : [{ pid: owner.pid, host: owner.host, ...following }];
    })
    .sort((a, b) => a.pid - b.pid);
}

/** Not with its parents. */
function makeFolder(folder: string): void {
  try {
    mkdirSync(folder);
  } catch (error) {
    if (errnoOf(error) !== 'EEXIST') throw error;
  }
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder).filter((name) => !name.endsWith('.tmp'));
  } catch {
    return [];
  }
}

function readIfPossible(path: string): string | null {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return null;
  }
}

function removeIfPossible(path: string): void {
  try {
    rmSync(path, { force: true });
  } catch (error) {
    if (errnoOf(error) === null) throw error;
  }
}

function parseFollowing(json: string): Following | null {
  try {
    const value: unknown = JSON.parse(json);
    return isFollowing(value) ? value : null;
  } catch {
    return null;
  }
}

function isFollowing(value: unknown): value is Following {
  if (typeof value !== 'object' || value === null) return false;
  const { state, reason, watchedFolders, lookedAt, problem } = value as Partial<Record<keyof Following, unknown>>;
  const isText = (each: unknown) => typeof each === 'string';
  return (
    isText(state) &&
    isText(lookedAt) &&
    typeof watchedFolders === 'number' &&
    [reason, problem].every((each) => each === null || isText(each))
  );
}
