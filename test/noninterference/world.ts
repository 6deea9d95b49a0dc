// One memory on which a script runs: real files, real git, the real MCP server and several clients. Everything that
// could differ between two runs for no reason (ids, the clock, the nonce) is the script's.

import { existsSync, utimesSync } from 'node:fs';
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

/** One file that an operation wrote (or, null, removed), or committed as it was. */
export interface Effect {
  readonly path: string;
  readonly bytes: Buffer | null;
  readonly isCommitted: boolean;
  /** When the file shall say that it was changed; now unless given. */
  readonly modified?: Date;
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
  await memory.app.changeSetting('commit.quiet', '0s');
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
  #head: string | null = null;
  /** Where files counted that are gone. */
  readonly #formerPlaces = new Map<string, FilePlaces>();
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
      const answer = JSON.stringify(await request(agent, tool, given));
      // Each line of a text on a line of its own, the first one too.
      return withoutNonce(answer.replaceAll('\\n', '\n').replaceAll('"text":"', '"text":"\n'));
    } catch (error) {
      return `thrown: ${String(error)}`;
    }
  }

  /** One more process for a moment, as every command is one. */
  async openAndClose(): Promise<void> {
    const app = await this.memory.open({ embedder: 'none' });
    await app.close();
  }

  /**
   * Writes files as another process does that noticed a change. All others take it in at once, as by their watchers: what
   * they know of a file that was good for a moment must not depend on whether somebody asked them just then.
   */
  async write(effects: readonly Effect[]): Promise<void> {
    const repository = await this.memory.repository();
    await repository.exclusive(async (transaction) => {
      for (const { path, bytes, modified = this.memory.now } of effects) {
        if (bytes === null) await transaction.removeFile(path);
        else {
          await transaction.writeFile(path, bytes);
          utimesSync(this.memory.path(path), modified, modified);
        }
      }
      const committed = effects.filter(({ isCommitted }) => isCommitted).map(({ path }) => path);
      if (committed.length > 0) {
        await transaction.commit(committed, { subject: 'edit: by hand', trailers: [], author: null });
      }
    });
    for (const app of this.#apps) await app.listForgotten();
  }

  /** Looks at files and commits anew; what changed since the last look, and what was written without changing anything. */
  async look(written: readonly Effect[] = []): Promise<readonly SeenEffect[]> {
    const before = this.#tree;
    const after = readTree(this.memory.root, before);
    this.#tree = after;
    const committed = await this.#lookAtCommits();
    const paths = new Set([...committed, ...written.map(({ path }) => path)]);
    for (const [path, { bytes }] of after) if (before.get(path)?.bytes.equals(bytes) !== true) paths.add(path);
    for (const path of before.keys()) if (!after.has(path)) paths.add(path);
    const effects: SeenEffect[] = [];
    for (const path of paths) {
      const [now, known] = [after.get(path), before.get(path)];
      const former = known?.places ?? this.#formerPlaces.get(path) ?? [];
      const places = [...new Set([...(now?.places ?? []), ...former])];
      const isCommitted = committed.has(path);
      if (now) effects.push({ path, bytes: now.bytes, modified: now.modified, places, isCommitted });
      else {
        this.#formerPlaces.set(path, places);
        effects.push({ path, bytes: null, places, isCommitted });
      }
    }
    return effects;
  }

  /** The paths of all commits since the last look. */
  async #lookAtCommits(): Promise<ReadonlySet<string>> {
    const repository = await this.memory.repository();
    const paths = new Set<string>();
    const head = await repository.head();
    if (head === this.#head) return paths;
    for await (const { commit } of repository.commits()) {
      // At first it is looked at as it stands.
      if (commit === this.#head || this.#head === null) break;
      for (const { path } of await repository.changesIn(commit)) paths.add(path);
    }
    this.#head = head;
    const policies = await repository.readHead('policies.yaml');
    this.#committedPolicies = policies === null ? null : new TextDecoder().decode(policies);
    return paths;
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

function request(agent: InProcessAgent, tool: string, given: Record<string, unknown>): Promise<unknown> {
  switch (tool) {
    case 'list resources':
      return agent.client.listResources();
    case 'read resource':
      return agent.client.readResource({ uri: String(given['uri']) });
    case 'complete':
      return agent.client.complete({
        ref: { type: 'ref/resource', uri: 'memory://item/{id}' },
        argument: { name: 'id', value: String(given['value']) },
      });
    default:
      return agent.raw(tool, given);
  }
}
