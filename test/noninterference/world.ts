// One memory on which a script runs: real files, real git, the real MCP server and several clients. Everything that
// could differ between two runs for no reason (ids, the clock, the nonce) is the script's.

import { existsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import type { IndexOptions } from '../../src/index/open-index.ts';
import { InProcessMemory, withoutNonce, type InProcessAgent } from '../in-process-memory.ts';
import type { App } from '../../src/app.ts';
import { readTree, readViews, type FilePlaces, type Tree, type Views } from './places.ts';
import type { PlantedLeak } from './planted-leaks.ts';
import { CLIENTS } from './script.ts';

export interface WorldOptions {
  /** A prepared memory; see {@link prepareMemory}. */
  readonly copyOf: string;
  /** How many processes serve the clients. */
  readonly apps: number;
  /** The model, made anew for each process; words only without. */
  readonly embedder: (() => Exclude<IndexOptions['embedder'], 'none'>) | null;
  /** Planted for as long as the world stands. */
  readonly leak?: PlantedLeak;
}

/** One file that an operation wrote (or, null, removed). */
export interface Effect {
  readonly path: string;
  readonly bytes: Buffer | null;
}

/** An effect that was seen, with all the places where the file counts or did before. */
export interface SeenEffect extends Effect {
  readonly places: FilePlaces;
}

/** A memory with the spaces and folders of the script; its projects lie beside it and are shared by all its copies. */
export async function prepareMemory(): Promise<InProcessMemory> {
  const memory = await InProcessMemory.make({ under: FAST });
  for (const space of ['acme', 'globex']) await memory.space(space);
  const machine = memory.read('machine.yaml');
  // Nobody made this one a space: the folder is listed by hand.
  await memory.edit('machine.yaml', `${machine.trimEnd()}\n  ${JSON.stringify(memory.project('initech'))}: initech\n`);
  await memory.close();
  return memory;
}

/** What is written durably by a thousand commits is thrown away at once: a file system in memory spares the disk. */
const FAST = existsSync('/dev/shm') ? '/dev/shm' : tmpdir();

export class World {
  readonly memory: InProcessMemory;
  readonly #options: WorldOptions;
  readonly #projects: InProcessMemory;
  readonly #apps: App[];
  readonly #leak: ReturnType<PlantedLeak['plant']> | null;
  readonly #agents = new Map<number, Promise<InProcessAgent>>();
  #tree: Tree = new Map();
  #committedPolicies: string | null = null;
  /** Ids that the next stored item tries, in this order. */
  nextIds: string[] = [];

  private constructor(
    options: WorldOptions,
    projects: InProcessMemory,
    memory: InProcessMemory,
    apps: App[],
    leak: ReturnType<PlantedLeak['plant']> | null,
  ) {
    this.#options = options;
    this.#projects = projects;
    this.memory = memory;
    this.#apps = apps;
    this.#leak = leak;
  }

  static async make(options: WorldOptions, projects: InProcessMemory): Promise<World> {
    let world: World | null = null;
    const newId = (): string => {
      const id = world?.nextIds.shift();
      if (id === undefined) throw new Error('an id that the script does not know of was asked for');
      return id;
    };
    const model = () => (options.embedder === null ? ('none' as const) : options.embedder());
    const leak = options.leak?.plant() ?? null;
    const memory = await InProcessMemory.make({ copyOf: options.copyOf, newId, embedder: model(), under: FAST });
    const apps = [memory.app];
    for (let more = 1; more < options.apps; more++) apps.push(await memory.open({ embedder: model() }));
    world = new World(options, projects, memory, apps, leak);
    await world.look();
    return world;
  }

  get tree(): Tree {
    return this.#tree;
  }

  /** policies.yaml as HEAD has it. */
  get committedPolicies(): string | null {
    return this.#committedPolicies;
  }

  /** The app that this operation of the user goes to. */
  app(operation: number): App {
    const app = this.#apps[operation % this.#apps.length];
    if (!app) throw new Error('a world has an app');
    return app;
  }

  views(): Views {
    return readViews(this.#tree, this.#committedPolicies);
  }

  folderOf(client: number): string {
    return this.#projects.project(CLIENTS[client]?.folder ?? 'elsewhere');
  }

  /** Everything that the client receives, as text. */
  async call(client: number, tool: string, given: Record<string, unknown>): Promise<string> {
    const agent = await this.#agent(client);
    const app = this.app(client);
    // Vectors follow in the background: when they arrive is a matter of timing.
    if (this.#options.embedder !== null) await app.rebuildIndex(() => undefined);
    try {
      return withoutNonce(JSON.stringify(await agent.raw(tool, given)).replaceAll('\\n', '\n'));
    } catch (error) {
      return `thrown: ${String(error)}`;
    }
  }

  /** Writes files as another process does that noticed a change; with a commit of exactly these. */
  async write(effects: readonly Effect[], commits: boolean): Promise<void> {
    const repository = await this.memory.repository();
    await repository.exclusive(async (transaction) => {
      for (const { path, bytes } of effects) {
        if (bytes === null) await transaction.removeFile(path);
        else await transaction.writeFile(path, bytes);
      }
      if (commits) {
        const paths = effects.map(({ path }) => path);
        await transaction.commit(paths, { subject: 'edit: by hand', trailers: [], author: null });
      }
    });
  }

  /** Looks at the files anew; what changed since the last look, and what was written without changing anything. */
  async look(written: readonly Effect[] = []): Promise<readonly SeenEffect[]> {
    const before = this.#tree;
    const after = readTree(this.memory.root, before);
    this.#tree = after;
    const head = await (await this.memory.repository()).readHead('policies.yaml');
    this.#committedPolicies = head === null ? null : new TextDecoder().decode(head);
    const effects: SeenEffect[] = [];
    for (const [path, { bytes, places }] of after) {
      const known = before.get(path);
      if (known?.bytes.equals(bytes) === true && !written.some((each) => each.path === path)) continue;
      effects.push({ path, bytes, places: [...new Set([...places, ...(known?.places ?? [])])] });
    }
    for (const [path, { places }] of before) if (!after.has(path)) effects.push({ path, bytes: null, places });
    return effects;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#leak?.remove();
    await this.memory[Symbol.asyncDispose]();
  }

  #agent(client: number): Promise<InProcessAgent> {
    const known = this.#agents.get(client);
    if (known) return known;
    const app = this.app(client);
    const made = this.memory.connect({
      name: CLIENTS[client]?.name ?? null,
      project: this.folderOf(client),
      app: this.#leak?.wrap(app) ?? app,
    });
    this.#agents.set(client, made);
    return made;
  }
}
