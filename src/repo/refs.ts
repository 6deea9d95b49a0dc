// HEAD, branches and their logs (gitrepository-layout). Invariant: an empty or garbled branch file is never taken for a
// branch without commits; its log tells where it stood, or there is an error.
import { dirname, join } from 'node:path';
import { StetError } from '../memory/failure.ts';
import { discard, temporaryName } from './atomic-file.ts';
import { printPerson, printTime, zonedTime, type Person } from './commit-object.ts';
import { errnoOf, isMissing, orMissing, type FileSystem } from './file-system.ts';
import { isObjectId, type ObjectId } from './git-object.ts';
import type { ObjectStore } from './object-store.ts';

export type Head =
  /** `ref` is full: `refs/heads/main`; `commit` is null before the first. */
  { kind: 'branch'; ref: string; commit: ObjectId | null; recovered: boolean } | { kind: 'detached'; commit: ObjectId };

export const NO_OBJECT: ObjectId = '0'.repeat(40);

export class Refs {
  readonly #fs: FileSystem;
  readonly #gitFolder: string;
  readonly #store: ObjectStore;

  constructor(fs: FileSystem, gitFolder: string, store: ObjectStore) {
    this.#fs = fs;
    this.#gitFolder = gitFolder;
    this.#store = store;
  }

  /** Where HEAD stands. Throws `damaged-repository` when HEAD or its branch cannot be read nor recovered. */
  async readHead(): Promise<Head> {
    const text = await orMissing(this.#fs.readFile(join(this.#gitFolder, 'HEAD')));
    const content = text?.toString('utf8').trim() ?? '';
    if (isObjectId(content)) return { kind: 'detached', commit: content };
    const ref = /^ref:\s*(refs\/heads\/.+)$/.exec(content)?.[1];
    if (ref === undefined || !isSafeRef(ref)) {
      throw new StetError({
        code: 'damaged-repository',
        what: `${join(this.#gitFolder, 'HEAD')} names no branch`,
        remedy: 'Put the line `ref: refs/heads/main` (or your branch) into that file.',
      });
    }
    const branch = await this.#readBranch(ref);
    if (branch !== 'garbled') return { kind: 'branch', ref, commit: branch.commit, recovered: false };
    const logged = await this.#lastLogged(ref);
    if (logged !== null) return { kind: 'branch', ref, commit: logged, recovered: true };
    throw new StetError({
      code: 'damaged-repository',
      what: `the branch file ${join(this.#gitFolder, ref)} is empty or garbled, and its log names no commit that is whole`,
      remedy: 'Find the last commit with `git fsck --lost-found`, and put its id into that file.',
    });
  }

  /** Where a ref that stet does not write (a remote-tracking branch) stands; null when there is none, or a broken one. */
  async readRef(ref: string): Promise<ObjectId | null> {
    if (!isSafeRef(ref)) return null;
    const text = (await this.#readLooseRef(ref)) ?? (await this.#readPackedRef(ref)) ?? '';
    return isObjectId(text) ? text : null;
  }

  /** The lock files that guard HEAD and a branch, in the order in which they are taken. */
  lockPaths(ref: string): string[] {
    return [join(this.#gitFolder, 'HEAD.lock'), `${join(this.#gitFolder, ref)}.lock`];
  }

  /** Makes the folder of a branch file, as git does: packing refs removes emptied ones. */
  async makeBranchFolder(ref: string): Promise<void> {
    const parts = dirname(ref).split('/');
    for (let depth = 1; depth <= parts.length; depth++) {
      try {
        await this.#fs.makeFolder(join(this.#gitFolder, ...parts.slice(0, depth)));
      } catch (error) {
        if (errnoOf(error) !== 'EEXIST') throw error;
      }
    }
  }

  /** Moves a branch, durably. Only under its lock. */
  async writeBranch(ref: string, commit: ObjectId): Promise<void> {
    const prepared = await this.prepareBranch(commit);
    try {
      await this.moveBranch(ref, prepared);
    } catch (error) {
      await discard(this.#fs, prepared);
      throw error;
    }
    await this.#fs.syncFolder(dirname(join(this.#gitFolder, ref)));
  }

  /** A durable file with the branch's new content, for {@link moveBranch}. */
  async prepareBranch(commit: ObjectId): Promise<string> {
    const temporary = join(this.#gitFolder, 'stet', temporaryName());
    await this.#fs.createFile(temporary, Buffer.from(`${commit}\n`), { mode: 0o666, sync: true });
    return temporary;
  }

  /** Puts a prepared file in the place of the branch; durable after {@link sync}. What fails leaves it. */
  async moveBranch(ref: string, prepared: string): Promise<void> {
    await this.#fs.rename(prepared, join(this.#gitFolder, ref));
  }

  /** Adds one line to the logs of HEAD and the branch; durable after {@link sync}. Only under their locks. */
  async appendLog(ref: string, entry: LogEntry): Promise<void> {
    const who = `${printPerson(entry.who)} ${printTime(zonedTime(entry.at))}`;
    const message = entry.message.replaceAll(/\s+/g, ' ').trim();
    const line = Buffer.from(`${entry.before ?? NO_OBJECT} ${entry.after} ${who}\t${message}\n`, 'utf8');
    for (const name of ['HEAD', ref]) {
      const path = join(this.#gitFolder, 'logs', name);
      try {
        await this.#fs.appendFile(path, line);
      } catch (error) {
        if (!isMissing(error)) throw error;
        await this.makeBranchFolder(`logs/${name}`);
        await this.#fs.appendFile(path, line);
        await this.#fs.syncFolder(dirname(path));
      }
    }
  }

  /** Makes the branch's place and log durable. HEAD's log is for people; a branch is recovered from its own. */
  async sync(ref: string): Promise<void> {
    await Promise.all([
      this.#fs.syncFolder(dirname(join(this.#gitFolder, ref))),
      this.#fs.syncFile(join(this.#gitFolder, 'logs', ref)),
    ]);
  }

  async #readBranch(ref: string): Promise<{ commit: ObjectId | null } | 'garbled'> {
    for (const isLastLook of [false, true]) {
      const loose = await this.#readLooseRef(ref);
      if (loose !== null) return isObjectId(loose) ? { commit: loose } : 'garbled';
      const packed = await this.#readPackedRef(ref);
      if (packed !== null) return { commit: packed };
      // `git pack-refs` may have moved it between the two looks, and a commit unpacked it again.
      if (isLastLook) break;
    }
    return (await this.#lastLogged(ref)) === null ? { commit: null } : 'garbled';
  }

  async #readLooseRef(ref: string): Promise<string | null> {
    try {
      const text = await this.#fs.readFile(join(this.#gitFolder, ref));
      return text.toString('utf8').trim();
    } catch (error) {
      // A folder: the branch `a` is packed while there is a folder for `a/b`.
      if (isMissing(error) || errnoOf(error) === 'EISDIR') return null;
      throw error;
    }
  }

  async #readPackedRef(ref: string): Promise<ObjectId | null> {
    const text = await orMissing(this.#fs.readFile(join(this.#gitFolder, 'packed-refs')));
    for (const line of text?.toString('utf8').split('\n') ?? []) {
      if (line.slice(41) === ref && line[40] === ' ' && isObjectId(line.slice(0, 40))) return line.slice(0, 40);
    }
    return null;
  }

  /** The newest commit in the branch's log that is whole. The last line may be torn, its commit never written. */
  async #lastLogged(ref: string): Promise<ObjectId | null> {
    const text = await orMissing(this.#fs.readFile(join(this.#gitFolder, 'logs', ref)));
    for (const line of text?.toString('utf8').split('\n').reverse() ?? []) {
      const id = /^[0-9a-f]{40} ([0-9a-f]{40}) /.exec(line)?.[1];
      if (id === undefined || id === NO_OBJECT) continue;
      if ((await this.#store.find(id))?.type === 'commit') return id;
    }
    return null;
  }
}

export interface LogEntry {
  readonly before: ObjectId | null;
  readonly after: ObjectId;
  readonly who: Person;
  readonly at: Date;
  readonly message: string;
}

/** Nothing that would lead out of `.git/refs/heads` (git-check-ref-format). */
function isSafeRef(ref: string): boolean {
  return ref.split('/').every((part) => part !== '' && !part.startsWith('.') && !part.endsWith('.lock'));
}
