// What one process found out for the next: the index with this checksum holds the files of this tree, all of them and no
// others. Invariant: it is a fact about two contents, so it never grows old; a note that is torn or mixed says nothing.
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { errnoOf, type FileSystem } from './file-system.ts';
import type { GitIndex } from './git-index.ts';
import type { ObjectId } from './git-object.ts';

const CHECKSUM = 20;

export class MirrorNote {
  readonly #fs: FileSystem;
  readonly #path: string;

  constructor(fs: FileSystem, gitFolder: string) {
    this.#fs = fs;
    this.#path = join(gitFolder, 'stet', 'mirror');
  }

  async says(index: GitIndex, tree: ObjectId): Promise<boolean> {
    const note = printNote(index, tree);
    if (note === null) return false;
    try {
      return (await this.#fs.readFile(this.#path)).equals(note);
    } catch (error) {
      return orNothing(error, false);
    }
  }

  /** Where it cannot be written, the next process finds it out again. */
  async write(index: GitIndex, tree: ObjectId): Promise<void> {
    const note = printNote(index, tree);
    if (note === null) return;
    try {
      await this.#fs.overwriteFile(this.#path, note);
    } catch (error) {
      orNothing(error, undefined);
    }
  }
}

/** Null for an index without a file, or whose checksum says nothing about it. */
function printNote(index: GitIndex, tree: ObjectId): Buffer | null {
  const checksum = index.bytes.subarray(-CHECKSUM).toString('hex');
  if (index.offsets.length <= 1 || /^0*$/.test(checksum)) return null;
  const fact = `${checksum} ${tree}`;
  return Buffer.from(`${fact} ${createHash('sha1').update(fact).digest('hex')}\n`);
}

function orNothing<T>(error: unknown, nothing: T): T {
  if (errnoOf(error) === null) throw error;
  return nothing;
}
