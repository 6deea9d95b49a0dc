// The objects of a repository: loose files written and read here, packs read through isomorphic-git.
// Invariant: an object counts as present only if its file inflates to its own name; a write is durable after `sync`.
import nodeFs from 'node:fs';
import { join } from 'node:path';
import { StetError } from '../memory/failure.ts';
import { discard, temporaryName } from './atomic-file.ts';
import { errnoOf, isMissing, orMissing, type FileSystem } from './file-system.ts';
import { packLoose, unpackLoose, type GitObject, type ObjectId, type ObjectType } from './git-object.ts';

/** Trees and commits that the next commit will need again; a month folder of 1,000 files is a tree of 60 KB. */
const CACHED_OBJECTS = 256;
const CACHED_OBJECT_BYTES = 1_000_000;

export class ObjectStore {
  readonly #fs: FileSystem;
  readonly #gitFolder: string;
  readonly #cache = new Map<ObjectId, GitObject>();
  readonly #unsynced = new Set<string>();
  #packCache: object = {};

  constructor(fs: FileSystem, gitFolder: string) {
    this.#fs = fs;
    this.#gitFolder = gitFolder;
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
    // A gc may move an object from its loose file to a pack, or from pack to pack, between two looks.
    const object =
      (await this.#findLoose(id)) ??
      (await this.#findPacked(id)) ??
      (await this.#findPackedAfresh(id)) ??
      (await this.#findLoose(id));
    if (object !== null) this.#remember(object);
    return object;
  }

  /**
   * Writes all of these as loose files, their content durable. Those already there are made young, or a prune may take
   * them. Their names are durable after `sync`; nothing may point to them before.
   */
  async write(objects: readonly GitObject[]): Promise<void> {
    await Promise.all(objects.map((object) => this.#writeOne(object)));
    for (const object of objects) this.#remember(object);
  }

  async sync(): Promise<void> {
    const folders = [...this.#unsynced];
    await Promise.all(folders.map((folder) => this.#fs.syncFolder(folder)));
    for (const folder of folders) this.#unsynced.delete(folder);
  }

  async #writeOne(object: GitObject): Promise<void> {
    const path = this.#pathOf(object.id);
    const objectsFolder = join(this.#gitFolder, 'objects');
    const folder = join(objectsFolder, object.id.slice(0, 2));
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
      if (await this.#makeFolder(folder)) this.#unsynced.add(objectsFolder);
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

  async #findPackedAfresh(id: ObjectId): Promise<GitObject | null> {
    this.#packCache = {};
    return this.#findPacked(id);
  }

  /** isomorphic-git is loaded on the first look into a pack: most processes never need one. */
  async #findPacked(id: ObjectId): Promise<GitObject | null> {
    const packs = await orMissing(this.#fs.readFolder(join(this.#gitFolder, 'objects', 'pack')));
    if (packs === null || !packs.some((file) => file.name.endsWith('.idx'))) return null;
    const { readObject } = await import('isomorphic-git');
    try {
      const { object, type } = await readObject({
        fs: nodeFs,
        gitdir: this.#gitFolder,
        oid: id,
        format: 'content',
        cache: this.#packCache,
      });
      if (!(object instanceof Uint8Array) || (type !== 'blob' && type !== 'tree' && type !== 'commit')) return null;
      return { id, type, bytes: object };
    } catch {
      // Not there, or a pack that vanished under the reader; the caller looks again with a fresh cache.
      return null;
    }
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
