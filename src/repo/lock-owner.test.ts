import { spawnSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { describeThisProcess, judgeOwner, parseOwner, printOwner } from './lock-owner.ts';

const me = describeThisProcess();

test('a signature is read back as it was written', () => {
  expect(parseOwner(printOwner(me))).toEqual(me);
});

test.each([
  '',
  'stet-lock 1\n',
  'stet-lock 1\n{}\n',
  'stet-lock 1\n{"host":"a"',
  'stet-lock 2\n{}',
  'DIRC\0\0\0\u0002',
  '42\n',
])('%j is nobody’s signature', (text) => {
  expect(parseOwner(text)).toBeNull();
});

test('a process that has ended is dead', () => {
  const { pid } = spawnSync(process.execPath, ['--version']);
  expect(judgeOwner({ ...me, pid, started: '1', nonce: 'x' }, me)).toBe('dead');
});

test.runIf(process.platform === 'linux')('a process that runs is alive, unless its number was given anew', () => {
  const parent = { ...me, pid: process.ppid, nonce: 'x', started: startOf(process.ppid) };
  expect(judgeOwner(parent, me)).toBe('alive');
  expect(judgeOwner({ ...parent, started: '1' }, me)).toBe('dead');
});

test('where nothing is proved, nothing is said', () => {
  const other = { ...me, pid: 2 ** 22 + 1, nonce: 'x' };
  expect(judgeOwner({ ...other, host: 'elsewhere' }, me)).toBe('unknown');
  expect(judgeOwner({ ...other, boot: 'another' }, me)).toBe('unknown');
  expect(judgeOwner({ ...other, namespace: 'pid:[1]' }, me)).toBe('unknown');
  // A thread of this process that may have been terminated.
  expect(judgeOwner({ ...me, nonce: 'x' }, me)).toBe('unknown');
});

test('a computed boot time may be some seconds off', () => {
  const owner = { ...me, pid: 2 ** 22 + 1, boot: '1790000000' };
  expect(judgeOwner(owner, { ...me, boot: '1790000003' })).toBe('dead');
  expect(judgeOwner(owner, { ...me, boot: '1790000903' })).toBe('unknown');
});

/** As `ps` tells it, by another way than the code under test. */
function startOf(pid: number): string {
  const { stdout } = spawnSync('sh', ['-c', `sed 's/.*) //' /proc/${pid}/stat | cut -d' ' -f20`], { encoding: 'utf8' });
  return stdout.trim();
}
