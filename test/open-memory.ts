// A memory in a throw-away folder, open in this process, words only. `await using` cleans up.

import { appendFileSync, mkdirSync, mkdtempSync, readdirSync, realpathSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { initMemory, openApp, type App, type AppOptions, type Session } from '../src/app.ts';

export class OpenMemory {
  /** Everything of this test; the memory is `root` inside. */
  readonly folder = realpathSync(mkdtempSync(join(tmpdir(), 'stet-test-')));
  readonly root = join(this.folder, 'memory');
  readonly #apps: App[] = [];

  static async make(): Promise<OpenMemory> {
    const memory = new OpenMemory();
    await initMemory(memory.root);
    appendFileSync(memory.path('machine.yaml'), 'embedder: none\n');
    await memory.open();
    return memory;
  }

  /** The app that was opened last. */
  get app(): App {
    const app = this.#apps.at(-1);
    if (!app) throw new Error('no app is open');
    return app;
  }

  /** One more app on the same memory, as another process would have it. */
  async open(options: Partial<AppOptions> = {}): Promise<App> {
    const app = await openApp({ memory: this.root, ...options });
    this.#apps.push(app);
    return app;
  }

  path(relative: string): string {
    return join(this.root, relative);
  }

  write(relative: string, text: string): void {
    mkdirSync(dirname(this.path(relative)), { recursive: true });
    writeFileSync(this.path(relative), text);
  }

  /** Paths of all items, sorted. */
  items(): readonly string[] {
    return readdirSync(this.root, { recursive: true, encoding: 'utf8' })
      .map((path) => path.replaceAll('\\', '/'))
      .filter((path) => /^(personal|spaces)\/.*\.md$/.test(path))
      .sort();
  }

  session(client: string, space: string | null): Promise<Session> {
    return this.app.session({ client, named: space === null ? null : { by: '--space', space }, folders: [] });
  }

  /** Stores a statement as the user, and gives back its id. */
  async keep(text: string, space: string | null = null): Promise<string> {
    const result = await this.app.remember(await this.app.userSession({ space: space ?? 'personal' }), { text });
    if (result.status !== 'stored') throw new Error(`not stored: ${JSON.stringify(result)}`);
    return result.item.id;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const app of this.#apps) await app.close();
    await rm(this.folder, { recursive: true, force: true, maxRetries: 5 });
  }
}
