// Every object of packs that the real git makes, read by stet and by git.
import { readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, afterEach, expect, test } from 'vitest';
import { nodeFileSystem } from '../../src/repo/file-system.ts';
import { makeObject } from '../../src/repo/git-object.ts';
import { ObjectStore } from '../../src/repo/object-store.ts';
import { PackFolder } from '../../src/repo/pack-folder.ts';
import { temporaryRepository, type TemporaryRepository } from './temporary-repository.ts';

let memory: TemporaryRepository;
beforeEach(async () => {
  memory = await temporaryRepository();
  const lines = Array.from({ length: 400 }, (_, line) => `line ${line} ${'x'.repeat(line % 60)}`);
  for (let round = 0; round < 10; round++) {
    lines[round * 7] = `changed in ${round}`;
    memory.write('personal/long.md', lines.join('\n'));
    memory.write(`personal/${round}.md`, `item ${round}\n`);
    memory.write('personal/empty.md', '');
    // Long runs make copies of more than 64 KiB.
    memory.write('personal/large.md', `${round}\n${'0123456789abcdef'.repeat(20_000)}\n${round}\n`);
    memory.git('add', '-A');
    memory.git('commit', '--quiet', '-m', `round ${round}`);
  }
});
afterEach(() => memory[Symbol.asyncDispose]());

function packFolder(): string {
  return join(memory.root, '.git/objects/pack');
}

/** Every object that git has is found, whole: its name is the hash of its type, size and bytes. */
async function compareAll(): Promise<number> {
  const store = new ObjectStore(nodeFileSystem, join(memory.root, '.git'));
  const list = memory.git('cat-file', '--batch-all-objects', '--batch-check').split('\n');
  const differing: string[] = [];
  for (const line of list) {
    const [id = '', type, size] = line.split(' ');
    const object = await store.find(id);
    const isSame = object?.type === type && object?.bytes.length === Number(size);
    if (!isSame || makeObject(object.type, object.bytes).id !== id) differing.push(line);
  }
  expect(differing).toEqual([]);
  return list.length;
}

test.each([
  ['offset deltas', ['-c', 'repack.usedeltabaseoffset=true', 'repack', '-adfq', '--depth=50', '--window=50']],
  ['deltas by name', ['-c', 'repack.usedeltabaseoffset=false', 'repack', '-adfq', '--depth=50', '--window=50']],
  ['offsets of 64 bits', ['-c', 'pack.indexVersion=2', 'repack', '-adfq']],
] as const)('a pack with %s is read as git reads it', async (name, args) => {
  memory.git(...args);
  if (name === 'offsets of 64 bits') {
    const [pack = ''] = readdirSync(packFolder()).filter((file) => file.endsWith('.pack'));
    rmSync(join(packFolder(), pack.replace('.pack', '.idx')), { force: true });
    memory.git('index-pack', '--index-version=2,0x40', join(packFolder(), pack));
  }
  memory.git('prune-packed');
  expect(await compareAll()).toBeGreaterThan(40);
});

test('several packs and loose objects are one store', async () => {
  memory.git('repack', '-q');
  memory.write('personal/new.md', 'new\n');
  memory.git('add', '-A');
  memory.git('commit', '--quiet', '-m', 'more');
  memory.git('repack', '-q');
  await memory.remember('personal/loose.md', 'loose\n');
  expect(readdirSync(packFolder()).filter((file) => file.endsWith('.pack')).length).toBe(2);
  await compareAll();
});

test('a pack that a gc replaced under a reader costs it nothing', () => {
  memory.git('repack', '-adq');
  const packs = new PackFolder(packFolder());
  const [first = '', second = ''] = memory.git('rev-list', 'HEAD').split('\n');
  expect(packs.find(first)?.type).toBe('commit');
  memory.write('personal/new.md', 'new\n');
  memory.git('add', '-A');
  memory.git('commit', '--quiet', '-m', 'more');
  memory.git('repack', '-adfq', '--window=3');
  expect(packs.find(second)?.type).toBe('commit');
  expect(packs.find(memory.git('rev-parse', 'HEAD'))?.type).toBe('commit');
});

test('a broken pack hides no object that another has, and breaks nothing', () => {
  memory.git('repack', '-adq');
  const packs = new PackFolder(packFolder());
  const id = memory.git('rev-parse', 'HEAD');
  writeFileSync(join(packFolder(), 'pack-broken.idx'), 'no index');
  expect(packs.find(id)?.id).toBe(id);
  expect(packs.find('1'.repeat(40))).toBeNull();
  for (const file of readdirSync(packFolder()).filter((name) => name.endsWith('.pack'))) {
    rmSync(join(packFolder(), file), { force: true });
    writeFileSync(join(packFolder(), file), 'PACK and no more');
  }
  expect(new PackFolder(packFolder()).find(id)).toBeNull();
});
