import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { DeliveryLog } from './delivery-log.ts';

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(os.tmpdir(), 'stet-deliveries-'));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

const NOW = new Date('2026-09-15T10:31:04Z');

test('what a crash left of a line takes neither the next line with it nor its number from one before', () => {
  mkdirSync(join(root, 'deliveries'));
  writeFileSync(join(root, 'deliveries', '2026-09.jsonl'), '{"n":1}\n{"n":');
  const log = new DeliveryLog(root);
  log.append('{"n":3}\n', NOW);
  log.append('{"n":4}\n', NOW);
  expect(log.read()).toEqual([
    { number: 1, line: '{"n":1}' },
    { number: 2, line: '{"n":' },
    { number: 3, line: '{"n":3}' },
    { number: 4, line: '{"n":4}' },
  ]);
});

test('the first line makes the folder and the file', () => {
  new DeliveryLog(root).append('{"n":1}\n', NOW);
  expect(readFileSync(join(root, 'deliveries', '2026-09.jsonl'), 'utf8')).toBe('{"n":1}\n');
});

test.each([
  ['a month that is a folder', 'deliveries/2026-09.jsonl/x', /Cannot read .*2026-09\.jsonl: it is a folder \(EISDIR\)/],
  ['a file where the folder should be', 'deliveries', /Cannot read .*deliveries: .*is not a folder \(ENOTDIR\)/],
])('%s is named', (_, path, words) => {
  mkdirSync(join(root, path, '..'), { recursive: true });
  writeFileSync(join(root, path), '');
  expect(() => new DeliveryLog(root).read()).toThrow(words);
  expect(() => {
    new DeliveryLog(root).append('{}\n', NOW);
  }).toThrow(/Cannot write to .*2026-09\.jsonl/);
});
