// The packs of a repository. Invariant: what is returned has the name that was asked for; a pack that a gc moved away
// between two looks only costs another look.
import fs from 'node:fs';
import { join } from 'node:path';
import { errnoOf } from './file-system.ts';
import { makeObject, type GitObject, type ObjectId } from './git-object.ts';
import { PackFile } from './pack-file.ts';

export class PackFolder {
  readonly #folder: string;
  /** By name; null for one that cannot be read, until it is gone. */
  readonly #packs = new Map<string, PackFile | null>();

  constructor(folder: string) {
    this.#folder = folder;
  }

  /** The object, or null when no pack has a whole one of this name. */
  find(id: ObjectId): GitObject | null {
    return this.findKnown(id) ?? (this.#refresh() ? this.findKnown(id) : null);
  }

  /** The same of the packs that are known so far: costs nothing where the answer is no. */
  findKnown(id: ObjectId): GitObject | null {
    for (const [name, pack] of this.#packs) {
      try {
        const found = pack?.read(id) ?? null;
        if (found === null) continue;
        const object = makeObject(found.type, found.bytes);
        if (object.id === id) return object;
      } catch {
        // Gone or broken; whether there is another copy of the object shows elsewhere.
        this.#packs.delete(name);
      }
    }
    return null;
  }

  /** Says whether there are packs that were not known before. */
  #refresh(): boolean {
    const names = this.#list();
    for (const known of this.#packs.keys()) if (!names.has(known)) this.#packs.delete(known);
    const news = [...names].filter((name) => !this.#packs.has(name));
    for (const name of news) this.#packs.set(name, this.#open(name));
    return news.length > 0;
  }

  #list(): Set<string> {
    try {
      const files = fs.readdirSync(this.#folder);
      return new Set(files.filter((file) => file.endsWith('.idx')).map((file) => file.slice(0, -'.idx'.length)));
    } catch (error) {
      if (errnoOf(error) === null) throw error;
      return new Set();
    }
  }

  #open(name: string): PackFile | null {
    try {
      return new PackFile(join(this.#folder, name));
    } catch {
      return null;
    }
  }
}
