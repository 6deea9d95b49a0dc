// A memory in a throw-away folder, opened in this process without a model, with a clock that the test moves: what was
// written is quiet as soon as the test says so.
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import { dirname, join } from 'node:path';
import { openMemoryIndex } from '../src/index/open-index.ts';
import { printItemFile } from '../src/memory/item-file.ts';
import type { Item } from '../src/memory/item.ts';
import { newId } from '../src/memory/id.ts';
import { openRepository } from '../src/repo/open-repository.ts';
import type { GitRepository } from '../src/repo/repository.ts';
import { HandCommits } from '../src/service/hand-commits.ts';
import { initMemory } from '../src/service/init-memory.ts';
import { Memory } from '../src/service/memory.ts';
import type { WorkingTree } from '../src/service/working-tree-port.ts';
import { makeItem } from './make-item.ts';

const HOUR_MS = 3_600_000;

export class MemoryScene {
  readonly root: string;
  repository: GitRepository;
  memory: Memory;
  hand: HandCommits;
  #ahead = 0;

  private constructor(root: string, parts: { repository: GitRepository; memory: Memory; hand: HandCommits }) {
    this.root = root;
    this.repository = parts.repository;
    this.memory = parts.memory;
    this.hand = parts.hand;
  }

  static async open(tree?: (root: string) => WorkingTree): Promise<MemoryScene> {
    const root = join(realpathSync(mkdtempSync(join(os.tmpdir(), 'stet-scene-'))), 'memory');
    await initMemory(root);
    let scene: MemoryScene | null = null;
    const parts = await openParts(root, () => scene?.now() ?? new Date(), tree);
    scene = new MemoryScene(root, parts);
    return scene;
  }

  now(): Date {
    return new Date(Date.now() + this.#ahead);
  }

  /** Closes the memory and opens it anew, as another process would. */
  async reopen(options: { readonly withoutSnapshot?: boolean } = {}): Promise<void> {
    await this.#close();
    if (options.withoutSnapshot === true) rmSync(this.at('.stet'), { recursive: true, force: true });
    const parts = await openParts(this.root, () => this.now());
    this.repository = parts.repository;
    this.memory = parts.memory;
    this.hand = parts.hand;
  }

  at(path: string): string {
    return join(this.root, path);
  }

  write(path: string, text: string | Uint8Array): void {
    mkdirSync(dirname(this.at(path)), { recursive: true });
    writeFileSync(this.at(path), text);
  }

  /** Writes an item as stet prints it. */
  writeItem(path: string, item: Partial<Item> & { id: string }): void {
    this.write(path, printItemFile(makeItem(item)));
  }

  read(path: string): string {
    return readFileSync(this.at(path), 'utf8');
  }

  remove(path: string): void {
    rmSync(this.at(path), { recursive: true });
  }

  /** What the watcher would report, taken in. */
  async notice(...paths: string[]): Promise<void> {
    await this.memory.noticed({ paths: paths.length === 0 ? 'everything' : new Set(paths) });
  }

  /** Everything is quiet now, and is looked at. */
  async settle(): Promise<void> {
    await this.notice();
    await this.lookLater();
  }

  /** A look at a time when everything is quiet. */
  async lookLater(): Promise<void> {
    this.#ahead += HOUR_MS;
    await this.hand.look();
    this.#ahead -= HOUR_MS;
  }

  git(...args: string[]): string {
    const identity = ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.org', '-c', 'gc.auto=0'];
    return execFileSync('git', [...identity, '-C', this.root, ...args], { encoding: 'utf8' }).replace(/\n$/, '');
  }

  /** Subjects of the commits since the first, newest first. */
  subjects(): string[] {
    const log = this.git('log', '--format=%s').split('\n');
    return log.slice(0, -1);
  }

  /** Paths of the last commit with what it did to them: `A path`. */
  lastCommit(): string[] {
    return this.git('show', '--format=', '--name-status', '--no-renames', 'HEAD')
      .split('\n')
      .map((line) => line.replace('\t', ' '));
  }

  /** The ids that every space together delivers, sorted. */
  delivered(): string[] {
    return Array.from(this.memory.table.all(), ({ file }) => file.item.id).sort();
  }

  /** Why a path is not committed, now or at a time when everything is quiet. */
  async why(path: string, when: 'now' | 'later' = 'later'): Promise<string | undefined> {
    this.#ahead += when === 'later' ? HOUR_MS : 0;
    const changes = await this.hand.explain();
    this.#ahead -= when === 'later' ? HOUR_MS : 0;
    return changes.find((change) => change.path === path)?.why;
  }

  async #close(): Promise<void> {
    await this.hand.close();
    await this.memory.close();
    await this.repository.close();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#close();
    rmSync(dirname(this.root), { recursive: true, force: true, maxRetries: 5 });
  }
}

async function openParts(root: string, now: () => Date, tree?: (root: string) => WorkingTree) {
  // The git commands of a test follow a commit at once, and would find the lock.
  const repository = await openRepository(root, { lingerMs: 0 });
  const derived = join(root, '.stet');
  const memory = await Memory.open({
    repository,
    openIndex: () => openMemoryIndex({ folder: derived, embedder: 'none' }),
    derived,
    now,
    newId,
    ...(tree && { tree: tree(root) }),
  });
  return { repository, memory, hand: new HandCommits(memory) };
}
