import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { nodeFileSystem } from './file-system.ts';
import { GitConfig } from './git-config.ts';
import { Maintenance } from './maintenance.ts';

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(os.tmpdir(), 'stet-maintenance-'));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

/** Whether a gc would be started with so many loose objects; there is no git to start. */
async function isDue(inFolder17: number, gcAuto: string | null): Promise<boolean> {
  mkdirSync(join(root, '.git/objects/17'), { recursive: true });
  for (let n = 0; n < inFolder17; n++) writeFileSync(join(root, '.git/objects/17', String(n)), '');
  const config = new GitConfig(gcAuto === null ? [] : [{ key: 'gc.auto', value: gcAuto }]);
  return new Maintenance(nodeFileSystem, root, { PATH: '' }).startIfDue(config);
}

test.each([
  [28, null, true],
  [27, null, false],
  [2, '1', true],
  [1, '1', false],
  [50, '0', false],
  [50, '-1', false],
  [50, 'nonsense', false],
])('%i objects that begin with 17 and gc.auto %s start a gc: %s', async (objects, gcAuto, expected) => {
  expect(await isDue(objects, gcAuto)).toBe(expected);
});

test('it is not started again at once', async () => {
  const maintenance = new Maintenance(nodeFileSystem, root, { PATH: '' });
  mkdirSync(join(root, '.git/objects/17'), { recursive: true });
  for (let n = 0; n < 30; n++) writeFileSync(join(root, '.git/objects/17', String(n)), '');
  expect(await maintenance.startIfDue(new GitConfig([]))).toBe(true);
  expect(await maintenance.startIfDue(new GitConfig([]))).toBe(false);
});

test('where there is nothing to count it is not due', async () => {
  expect(await new Maintenance(nodeFileSystem, root, {}).startIfDue(new GitConfig([]))).toBe(false);
});
