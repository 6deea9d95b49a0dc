// A memory as it stood at a commit: the table and the configuration from git's objects, the words indexed anew, the
// vectors from the same cache as the present. What was made for one moment is kept, bounded, so that the next question
// is as fast as one of the present.

import { readdirSync, rmSync, statSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import type { MemoryIndex } from '../index/memory-index.ts';
import { parseItemFile } from '../memory/item-file.ts';
import { placeOf } from '../memory/item-path.ts';
import type { Problem, Space } from '../memory/item.ts';
import { lastGoodOf, type LastGood, type TableChange } from '../memory/item-table.ts';
import { parseTombstone, tombstonedId } from '../memory/tombstone.ts';
import type { GitRepository } from '../repo/repository.ts';
import { loadConfigAt, type Config } from './config.ts';
import { findLastGood } from './last-good.ts';
import { aliasesOf } from './memory.ts';
import type { Moment } from './moment.ts';
import { Reading } from './reading.ts';
import { loadTableSnapshot, saveTableSnapshot } from './table-snapshot.ts';

export interface PastParts {
  readonly repository: GitRepository;
  /** Makes the index that keeps its snapshots in this folder. */
  readonly openIndex: (snapshotFolder: string) => MemoryIndex;
  /** Absolute path of the memory's derived folder. */
  readonly derived: string;
  readonly moment: Moment;
  /** The configuration to judge by instead of the one of that time. */
  readonly config: Config | null;
}

/** So many past states are kept. */
const STATES_KEPT = 4;

/** Their folder in the derived one. */
const STATES = 'past';

export class PastMemory extends Reading {
  readonly #config: Config;
  readonly #folder: string;

  private constructor(parts: PastParts, config: Config, folder: string, index: MemoryIndex) {
    super({ repository: parts.repository, index, now: () => parts.moment.time });
    this.#config = config;
    this.#folder = folder;
  }

  static async open(parts: PastParts): Promise<PastMemory> {
    const { repository, moment } = parts;
    const states = join(parts.derived, STATES);
    const folder = join(states, moment.commit);
    const then = await loadConfigAt(repository, moment.commit);
    const past = new PastMemory(parts, parts.config ?? then, folder, parts.openIndex(folder));
    const snapshot = loadTableSnapshot(folder, aliasesOf(then));
    if (snapshot) {
      past.table.apply(snapshot.changes);
      touch(folder);
      return past;
    }
    past.table.apply(await readChanges(repository, moment.commit, (space) => then.findSpace(space) ?? space));
    dropOldest(states, STATES_KEPT - 1);
    const stamps = new Map(Array.from(past.table.entries(), ({ path }) => [path, moment.commit] as const));
    saveTableSnapshot(folder, aliasesOf(then), { takenAtMs: 0, byPath: stamps }, past.table);
    return past;
  }

  override get config(): Config {
    return this.#config;
  }

  /** The past does not change. */
  override refresh(): Promise<void> {
    return Promise.resolve();
  }

  async close(): Promise<void> {
    await this.index.save();
    await this.index.close();
    touch(this.#folder);
  }
}

async function readChanges(
  repository: GitRepository,
  commit: string,
  presentName: (space: string) => string,
): Promise<readonly TableChange[]> {
  const present = (space: Space): Space => (space === null ? null : presentName(space));
  const isWanted = (path: string) => placeOf(path) !== null || tombstonedId(path) !== null;
  const modified = await repository.committedAt(commit);
  const read = (path: string, bytes: Uint8Array): PastFile => {
    if (tombstonedId(path) !== null) {
      const parsed = parseTombstone({ path, bytes });
      if (!parsed.ok) return { problems: parsed.problems };
      const tombstone = { ...parsed.value, space: present(parsed.value.space) };
      const { id, space, supersedes } = tombstone;
      return { change: { kind: 'tombstone', path, tombstone }, lastGood: { id, space, supersedes } };
    }
    const parsed = parseItemFile({ path, bytes, modified });
    if (!parsed.ok) return { problems: parsed.problems };
    const item = { ...parsed.value.item, space: present(parsed.value.item.space) };
    const file = { ...parsed.value, item };
    return { change: { kind: 'item', path, file, committed: true }, lastGood: lastGoodOf(item) };
  };
  const changes: TableChange[] = [];
  for (const [path, bytes] of await repository.readAllAt(commit, isWanted)) {
    const file = read(path, bytes);
    if ('change' in file) {
      changes.push(file.change);
      continue;
    }
    const linksIn = (former: Uint8Array): LastGood | null => {
      const good = read(path, former);
      return 'change' in good ? good.lastGood : null;
    };
    const { problems } = file;
    const lastGood = await findLastGood(repository, path, linksIn, commit);
    const id = tombstonedId(path);
    const space = present(placeOf(path)?.space ?? null);
    changes.push(
      id === null
        ? { kind: 'bad', path, space, problems, lastGood }
        : { kind: 'bad-tombstone', path, id, problems, lastGood },
    );
  }
  return changes;
}

/** What a file of a commit comes to. */
type PastFile =
  { readonly change: TableChange; readonly lastGood: LastGood } | { readonly problems: readonly Problem[] };

/** Throws away every state that is kept: they hold the texts of their time. */
export function dropPastStates(root: string): void {
  rmSync(join(root, '.stet', STATES), { recursive: true, force: true });
}

/** Keeps the states that were asked for last. */
function dropOldest(states: string, keep: number): void {
  try {
    const byUse = readdirSync(states)
      .map((name) => ({ path: join(states, name), used: statSync(join(states, name)).mtimeMs }))
      .sort((a, b) => b.used - a.used);
    for (const { path } of byUse.slice(keep)) rmSync(path, { recursive: true, force: true });
  } catch {
    // Nothing is kept yet, or another process clears up: what is left is derived and costs only space.
  }
}

function touch(folder: string): void {
  try {
    utimesSync(folder, new Date(), new Date());
  } catch {
    // It was dropped meanwhile.
  }
}
