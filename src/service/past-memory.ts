// A memory as it stood at a commit: the table and the configuration from git's objects, the words indexed anew, the
// vectors from the same cache as the present. What was made for one moment is kept, bounded, so that the next question
// is as fast as one of the present.

import { readdirSync, rmSync, statSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import type { MemoryIndex } from '../index/memory-index.ts';
import { parseItemFile } from '../memory/item-file.ts';
import { placeOf } from '../memory/item-path.ts';
import type { Space } from '../memory/item.ts';
import type { TableChange } from '../memory/item-table.ts';
import { parseTombstone, tombstonedId } from '../memory/tombstone.ts';
import type { GitRepository } from '../repo/repository.ts';
import { loadConfigAt, type Config } from './config.ts';
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
  const changes: TableChange[] = [];
  for (const [path, bytes] of await repository.readAllAt(commit, isWanted)) {
    const id = tombstonedId(path);
    if (id !== null) {
      const parsed = parseTombstone({ path, bytes });
      changes.push(
        parsed.ok
          ? { kind: 'tombstone', path, tombstone: { ...parsed.value, space: present(parsed.value.space) } }
          : { kind: 'bad-tombstone', path, id, problems: parsed.problems, lastGood: null },
      );
      continue;
    }
    const parsed = parseItemFile({ path, bytes, modified });
    if (!parsed.ok) {
      const space = present(placeOf(path)?.space ?? null);
      changes.push({ kind: 'bad', path, space, problems: parsed.problems, lastGood: null });
      continue;
    }
    const { item } = parsed.value;
    const file = { ...parsed.value, item: { ...item, space: present(item.space) } };
    changes.push({ kind: 'item', path, file, committed: true });
  }
  return changes;
}

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
