// What is opened is closed, whatever fails between; and what could not be opened is tried again.

import { Client } from '@modelcontextprotocol/client';
import { InMemoryTransport } from '@modelcontextprotocol/server';
import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { initMemory, openApp } from '../src/app.ts';
import type { IndexChange } from '../src/index/memory-index.ts';
import { createServer } from '../src/mcp/server.ts';
import { DiskRepository } from '../src/repo/disk-repository.ts';
import { HandCommits } from '../src/service/hand-commits.ts';
import { Memory } from '../src/service/memory.ts';
import { FakeEmbedder } from './fake-embedder.ts';
import { MemoryScene } from './memory-scene.ts';

afterEach(() => vi.restoreAllMocks());

async function withMemory(work: (memory: string) => Promise<void>): Promise<void> {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'stet-opening-')));
  try {
    await initMemory(join(folder, 'memory'));
    await work(join(folder, 'memory'));
  } finally {
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

describe('the repository is given back', () => {
  it('when the memory cannot be opened', async () => {
    await withMemory(async (memory) => {
      const close = vi.spyOn(DiskRepository.prototype, 'close');
      const embedder = new Proxy(new FakeEmbedder(), {
        get: () => {
          throw new Error('no model');
        },
      });
      await expect(openApp({ memory, embedder })).rejects.toThrow('no model');
      expect(close).toHaveBeenCalledTimes(1);
    });
  });

  it('when the first look at the files fails, and the memory with it', async () => {
    await withMemory(async (memory) => {
      const closes = [vi.spyOn(Memory.prototype, 'close'), vi.spyOn(DiskRepository.prototype, 'close')];
      vi.spyOn(HandCommits.prototype, 'look').mockRejectedValueOnce(new Error('no look'));
      await expect(openApp({ memory, embedder: 'none' })).rejects.toThrow('no look');
      for (const close of closes) expect(close).toHaveBeenCalledTimes(1);
    });
  });

  it('when the memory cannot be closed', async () => {
    await withMemory(async (memory) => {
      const app = await openApp({ memory, embedder: 'none' });
      const close = vi.spyOn(DiskRepository.prototype, 'close');
      vi.spyOn(Memory.prototype, 'save').mockRejectedValueOnce(new Error('no save'));
      await expect(app.close()).rejects.toThrow('no save');
      expect(close).toHaveBeenCalledTimes(1);
    });
  });
});

describe('a partition', () => {
  it('that could not be opened is tried again by the next question', async () => {
    await using scene = await MemoryScene.open();
    scene.writeItem('personal/a.md', { id: 'a1bcdefg' });
    await scene.notice();
    const { memory } = scene;
    vi.spyOn(memory.index, 'open').mockRejectedValueOnce(new Error('no file'));
    await expect(memory.openPartitions(['personal'])).rejects.toThrow('no file');
    await memory.openPartitions(['personal']);
    expect(memory.index.health().documents).toBe(1);
  });

  it('is told once of its documents, and of what changed while it was opened', async () => {
    await using scene = await MemoryScene.open();
    scene.writeItem('personal/a.md', { id: 'a1bcdefg' });
    scene.writeItem('spaces/acme/b.md', { id: 'b1bcdefg', space: 'acme' });
    await scene.notice();
    const { memory } = scene;
    const applied: IndexChange[] = [];
    vi.spyOn(memory.index, 'apply').mockImplementation((changes) => void applied.push(...changes));
    await memory.openPartitions(['personal']);
    expect(applied).toEqual([]);
    const open = memory.index.open.bind(memory.index);
    vi.spyOn(memory.index, 'open').mockImplementationOnce(async (name, documents) => {
      await open(name, documents);
      scene.remove('spaces/acme/b.md');
      scene.writeItem('spaces/acme/c.md', { id: 'c1bcdefg', space: 'acme' });
      await scene.notice();
      applied.length = 0;
    });
    await memory.openPartitions(['space:acme']);
    expect(applied).toMatchObject([{ partition: 'space:acme', put: [{ id: 'c1bcdefg' }], remove: ['b1bcdefg'] }]);
  });
});

describe('what the first call is about', () => {
  const question = 'When are standups?';

  it('is read by the model while the memory is opened, and only once', async () => {
    await withMemory(async (memory) => {
      const embedder = new FakeEmbedder();
      const app = await openApp({ memory, embedder, expected: question });
      expect(embedder.embedded).toEqual([{ text: question, role: 'question' }]);
      await app.recall(await app.userSession({}), { question });
      expect(embedder.embedded).toHaveLength(1);
      await app.close();
    });
  });

  it('is told by the server, unless it is too long to be taken', async () => {
    await withMemory(async (memory) => {
      const app = await openApp({ memory, embedder: 'none' });
      const told: Array<string | undefined> = [];
      const open = (expected: string | undefined) => {
        told.push(expected);
        return Promise.resolve(app);
      };
      const named = null;
      const server = createServer({ version: '0', open, named, project: memory, inFlight: new Set() });
      const client = new Client({ name: 'codex', version: '1' });
      const [near, far] = InMemoryTransport.createLinkedPair();
      await server.connect(far);
      await client.connect(near);
      const call = (name: string, given: Record<string, unknown>) => client.callTool({ name, arguments: given });
      await call('recall', { question });
      await call('remember', { text: 'Standups are at nine.' });
      await call('remember', { text: 'x'.repeat(2_001) });
      await call('read', { id: 'k3v9q2m7' });
      expect(told).toEqual([question, 'Standups are at nine.', undefined, undefined]);
      await client.close();
      await app.close();
    });
  });
});

describe('an index that is made anew', () => {
  it('embeds only what is new', async () => {
    await withMemory(async (memory) => {
      const embedder = new FakeEmbedder();
      const first = await openApp({ memory, embedder });
      const session = await first.userSession({});
      await first.remember(session, { text: 'Standups are at nine.' });
      await first.rebuildIndex(() => undefined);
      await first.close();
      const embedded = embedder.embedded.length;

      const again = new FakeEmbedder();
      const second = await openApp({ memory, embedder: again, discardIndex: true });
      expect(await second.rebuildIndex(() => undefined)).toEqual({ items: 1, vectors: 1, problem: null });
      await second.close();
      expect([embedded, again.embedded.length]).toEqual([1, 0]);
    });
  });
});
