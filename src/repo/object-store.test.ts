import { mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, utimesSync } from 'node:fs';
import os from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { nodeFileSystem, type FileSystem } from './file-system.ts';
import { makeObject } from './git-object.ts';
import { ObjectStore } from './object-store.ts';

let gitFolder: string;
beforeEach(() => {
  gitFolder = mkdtempSync(join(os.tmpdir(), 'stet-objects-'));
  mkdirSync(join(gitFolder, 'objects/pack'), { recursive: true });
});
afterEach(() => rmSync(gitFolder, { recursive: true, force: true }));

const object = makeObject('blob', Buffer.from('hello\n'));
const path = () => join(gitFolder, 'objects', object.id.slice(0, 2), object.id.slice(2));

/** A file system beside which a gc removes the object's folder just before one call. */
function besideGc(call: keyof FileSystem, times: number): FileSystem {
  let left = times;
  const real = nodeFileSystem[call] as (...args: unknown[]) => Promise<unknown>;
  const disturbed = (...args: unknown[]): Promise<unknown> => {
    if (left-- > 0) rmSync(dirname(path()), { recursive: true, force: true });
    return real(...args);
  };
  return { ...nodeFileSystem, [call]: disturbed };
}

test.each(['createFile', 'rename', 'setModified', 'makeFolder'] as const)(
  'an object is written though a gc removes its folder before %s',
  async (call) => {
    await new ObjectStore(nodeFileSystem, gitFolder).write([object]);
    for (const times of [1, 3]) {
      const store = new ObjectStore(besideGc(call, times), gitFolder);
      await store.write([object]);
      await store.sync();
      expect(await new ObjectStore(nodeFileSystem, gitFolder).find(object.id)).toEqual(object);
    }
  },
);

test('a folder that a gc removed before it was made durable is no error', async () => {
  const store = new ObjectStore(nodeFileSystem, gitFolder);
  await store.write([object]);
  rmSync(dirname(path()), { recursive: true });
  await store.sync();
  expect(readdirSync(join(gitFolder, 'objects'))).toEqual(['pack']);
});

test('an object that is there already is made young, or a prune beside us may take it', async () => {
  const store = new ObjectStore(nodeFileSystem, gitFolder);
  await store.write([object]);
  const longAgo = new Date('2020-01-01T00:00:00Z');
  utimesSync(path(), longAgo, longAgo);
  await new ObjectStore(nodeFileSystem, gitFolder).write([object]);
  expect(statSync(path()).mtime.getFullYear()).toBeGreaterThan(2020);
});

test('what is missing or of another type is a failure that names it', async () => {
  const store = new ObjectStore(nodeFileSystem, gitFolder);
  await expect(store.read(object.id, 'blob')).rejects.toThrow(`the blob ${object.id} is missing`);
  await store.write([object]);
  expect(Buffer.from(await store.read(object.id, 'blob')).toString()).toBe('hello\n');
  await expect(store.read(object.id, 'tree')).rejects.toThrow('is a blob where a tree is expected');
});

test('thousands of objects are written without as many open files', async () => {
  let open = 0;
  let most = 0;
  const counting: FileSystem = {
    ...nodeFileSystem,
    async createFile(...args) {
      most = Math.max(most, ++open);
      try {
        await nodeFileSystem.createFile(...args);
      } finally {
        open--;
      }
    },
  };
  const objects = Array.from({ length: 500 }, (_, n) => makeObject('blob', Buffer.from(`${n}\n`)));
  await new ObjectStore(counting, gitFolder).write(objects);
  expect(most).toBeLessThanOrEqual(64);
});
