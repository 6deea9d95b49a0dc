// The objects of a repository: loose files written and read here, packs only read.
// Invariant: an object counts as present only if its file inflates to its own name; a write is durable after `sync`.
import { dirname, join } from 'node:path';
import { StetError } from '../memory/failure.ts';
import { discard, temporaryName } from './atomic-file.ts';
import { errnoOf, isMissing, orMissing, type FileSystem } from './file-system.ts';
import { packLoose, unpackLoose, type GitObject, type ObjectId, type ObjectType } from './git-object.ts';
import { PackFolder } from './pack-folder.ts';

/** Trees and commits that the next commit will need again; a month folder of 1,000 files is a tree of 60 KB. */
const CACHED_OBJECTS = 256;
/** More than the threads that wait for the disk. */
const MAX_OPEN_FILES = 64;
const MAX_TRIES = 5;
const CACHED_OBJECT_BYTES = 1_000_000;

export class ObjectStore {
  readonly #fs: FileSystem;
  readonly #gitFolder: string;
  readonly #packs: PackFolder;
  readonly #cache = new Map<ObjectId, GitObject>();
  readonly #unsynced = new Set<string>();

  constructor(fs: FileSystem, gitFolder: string) {
    this.#fs = fs;
    this.#gitFolder = gitFolder;
    this.#packs = new PackFolder(join(gitFolder, 'objects', 'pack'));
  }

  /** The bytes of an object of this type. Throws `damaged-repository` when it is absent, broken or of another type. */
  async read(id: ObjectId, type: ObjectType): Promise<Uint8Array> {
    const object = await this.find(id);
    if (object === null) throw damaged(`the ${type} ${id} is missing or broken`);
    if (object.type !== type) throw damaged(`${id} is a ${object.type} where a ${type} is expected`);
    return object.bytes;
  }

  /** The object, or null when there is no whole one of this name. */
  async find(id: ObjectId): Promise<GitObject | null> {
    const cached = this.#cache.get(id);
    if (cached !== undefined) return cached;
    // A gc may have moved it from its loose file to a pack between the two looks, and a prune back.
    const object =
      this.#packs.findKnown(id) ?? (await this.#findLoose(id)) ?? this.#packs.find(id) ?? (await this.#findLoose(id));
    if (object !== null) this.#remember(object);
    return object;
  }

  /**
   * Writes all of these as loose files, their content durable. Those already there are made young, or a prune may take
   * them. Their names are durable after `sync`; nothing may point to them before.
   */
  async write(objects: readonly GitObject[]): Promise<void> {
    // Each keeps a file open until it is durable; an import of thousands must not use up the process's files.
    for (let at = 0; at < objects.length; at += MAX_OPEN_FILES) {
      await Promise.all(objects.slice(at, at + MAX_OPEN_FILES).map((object) => this.#writeOne(object)));
    }
    for (const object of objects) this.#remember(object);
  }

  async sync(): Promise<void> {
    const folders = [...this.#unsynced];
    // A folder that a gc removed held nothing that is not in a pack by now.
    await Promise.all(folders.map((folder) => orMissing(this.#fs.syncFolder(folder))));
    for (const folder of folders) this.#unsynced.delete(folder);
  }

  /** A gc beside us removes folders that it has emptied, and loose objects that it has packed, between any two steps. */
  async #writeOne(object: GitObject): Promise<void> {
    for (let tries = 1; ; tries++) {
      try {
        await this.#writeOnce(object);
        return;
      } catch (error) {
        if (!isMissing(error) || tries === MAX_TRIES) throw error;
      }
    }
  }

  async #writeOnce(object: GitObject): Promise<void> {
    const path = this.#pathOf(object.id);
    const folder = dirname(path);
    // Also for an object that is there: whoever wrote it may not have come so far.
    this.#unsynced.add(folder);
    if (await this.#isWholeAndYoung(object.id, path)) return;
    // git's own prefix for unfinished objects: its gc sweeps those that a crash leaves.
    const temporary = join(folder, `tmp_obj_${temporaryName().slice(6, 18)}`);
    const bytes = packLoose(object);
    try {
      await this.#fs.createFile(temporary, bytes, { mode: 0o444, sync: true });
    } catch (error) {
      if (!isMissing(error)) throw error;
      if (await this.#makeFolder(folder)) this.#unsynced.add(dirname(folder));
      await this.#fs.createFile(temporary, bytes, { mode: 0o444, sync: true });
    }
    try {
      await this.#fs.rename(temporary, path);
    } catch (error) {
      await discard(this.#fs, temporary);
      throw error;
    }
  }

  async #isWholeAndYoung(id: ObjectId, path: string): Promise<boolean> {
    const file = await orMissing(this.#fs.readFile(path));
    if (file === null) return false;
    if (unpackLoose(id, file) === null) {
      // Windows does not replace a read-only file.
      await this.#fs.setMode(path, 0o644);
      return false;
    }
    await this.#fs.setModified(path, Date.now() / 1000);
    return true;
  }

  async #makeFolder(folder: string): Promise<boolean> {
    try {
      await this.#fs.makeFolder(folder);
      return true;
    } catch (error) {
      if (errnoOf(error) === 'EEXIST') return false;
      throw error;
    }
  }

  async #findLoose(id: ObjectId): Promise<GitObject | null> {
    const file = await orMissing(this.#fs.readFile(this.#pathOf(id)));
    return file === null ? null : unpackLoose(id, file);
  }

  #pathOf(id: ObjectId): string {
    return join(this.#gitFolder, 'objects', id.slice(0, 2), id.slice(2));
  }

  #remember(object: GitObject): void {
    if (object.type === 'blob' || object.bytes.length > CACHED_OBJECT_BYTES) return;
    this.#cache.delete(object.id);
    this.#cache.set(object.id, object);
    for (const oldest of this.#cache.keys()) {
      if (this.#cache.size <= CACHED_OBJECTS) break;
      this.#cache.delete(oldest);
    }
  }
}

function damaged(what: string): StetError {
  return new StetError({
    code: 'damaged-repository',
    what,
    remedy: 'Run `git fsck` in the memory to see what is lost, and fetch it from a remote or a backup.',
  });
}
