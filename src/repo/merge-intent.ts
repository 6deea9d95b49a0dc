// The merge that is being put in place, `.git/stet/merge.json`: written before the first file changes, gone when the branch
// has moved, so that whoever comes after a crash can end it. Invariant: read and written only under `write.lock`, whole.
import { join } from 'node:path';
import { discard, replaceFile } from './atomic-file.ts';
import type { MergeResult } from './commit-writer.ts';
import { orMissing, type FileSystem } from './file-system.ts';
import { isObjectId } from './git-object.ts';
import type { CommitMessage } from './repository.ts';
import type { TreeFile } from './tree-store.ts';
import type { WorkingMergePlan } from './working-merge.ts';

export interface MergeIntent extends WorkingMergePlan {
  readonly result: MergeResult['result'];
  readonly unstamped: ReadonlySet<string>;
  readonly message: CommitMessage;
}

export class MergeIntents {
  readonly #fs: FileSystem;
  readonly #path: string;

  constructor(fs: FileSystem, gitFolder: string) {
    this.#fs = fs;
    this.#path = join(gitFolder, 'stet', 'merge.json');
  }

  async begin(intent: MergeIntent): Promise<void> {
    const files = [...intent.files].map(([path, file]) => [path, file?.mode ?? null, file?.id ?? null]);
    const stored = { ...intent, files, historyOnly: [...intent.historyOnly], unstamped: [...intent.unstamped] };
    await replaceFile(this.#fs, this.#path, Buffer.from(JSON.stringify(stored)));
  }

  async end(): Promise<void> {
    await discard(this.#fs, this.#path);
  }

  /** What a process that died had begun. */
  async find(): Promise<MergeIntent | null> {
    const bytes = await orMissing(this.#fs.readFile(this.#path));
    return bytes === null ? null : parseIntent(bytes.toString('utf8'));
  }
}

interface StoredIntent extends Omit<MergeIntent, 'files' | 'historyOnly' | 'unstamped'> {
  readonly files: ReadonlyArray<readonly [path: string, mode: string | null, id: string | null]>;
  readonly historyOnly: readonly string[];
  readonly unstamped: readonly string[];
}

/** Null for what is none: a disk that lost power may give back anything. */
function parseIntent(text: string): MergeIntent | null {
  try {
    const { files, historyOnly, unstamped, ...intent } = JSON.parse(text) as StoredIntent;
    const entries = files.map(([path, mode, id]): [string, TreeFile | null] => [
      path,
      mode === null || id === null ? null : { mode, id },
    ]);
    const isWhole =
      entries.every(([path, file]) => typeof path === 'string' && (file === null || isObjectId(file.id))) &&
      (intent.head === null || isObjectId(intent.head)) &&
      typeof intent.message.subject === 'string' &&
      ('commit' in intent.result ? isObjectId(intent.result.commit) : intent.result.parents.every(isObjectId));
    const sets = { historyOnly: new Set(historyOnly), unstamped: new Set(unstamped) };
    return isWhole ? { ...intent, ...sets, files: new Map(entries) } : null;
  } catch {
    return null;
  }
}
