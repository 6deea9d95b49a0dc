import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { describeThisProcess, printOwner } from './lock-owner.ts';
import { OwnServerNote, readServerNotes, type Following } from './server-notes.ts';

let root: string;
let derived: string;
beforeEach(() => {
  root = mkdtempSync(join(os.tmpdir(), 'stet-notes-'));
  derived = join(root, '.stet');
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

const FOLLOWING: Following = {
  state: 'polling',
  reason: 'no watches left',
  watchedFolders: 0,
  lookedAt: '2026-11-30T08:00:00.000Z',
  problem: null,
};

test('a server is told of as it last said, until it closes', () => {
  const note = new OwnServerNote(derived);
  note.write({ ...FOLLOWING, problem: 'not yet' });
  note.write(FOLLOWING);
  expect(readServerNotes(derived)).toEqual([{ pid: process.pid, host: os.hostname(), ...FOLLOWING }]);
  note.remove();
  expect(readServerNotes(derived)).toEqual([]);
  expect(readdirSync(join(derived, 'servers'))).toEqual([]);
});

test('one whose process died is not, and its note is cleared away; one elsewhere may live', () => {
  const folder = join(derived, 'servers');
  mkdirSync(folder, { recursive: true });
  const me = describeThisProcess();
  const body = JSON.stringify(FOLLOWING);
  writeFileSync(join(folder, 'dead'), `${printOwner({ ...me, pid: 2 ** 22 + 1 })}${body}\n`);
  writeFileSync(join(folder, 'elsewhere'), `${printOwner({ ...me, pid: 7, host: 'nas' })}${body}\n`);
  expect(readServerNotes(derived).map(({ pid, host }) => [pid, host])).toEqual([[7, 'nas']]);
  expect(readdirSync(folder)).toEqual(['elsewhere']);
});

test.each(['', 'x', 'stet-lock 1\n{}\n{}\n', `${printOwner(describeThisProcess())}{"state":1}\n`])(
  'a note that says nothing is passed over (%j)',
  (text) => {
    mkdirSync(join(derived, 'servers'), { recursive: true });
    writeFileSync(join(derived, 'servers/1-a'), text);
    expect(readServerNotes(derived)).toEqual([]);
  },
);

test('where the memory was moved away nothing takes its place', () => {
  rmSync(root, { recursive: true });
  const note = new OwnServerNote(derived);
  note.write(FOLLOWING);
  note.remove();
  expect(existsSync(root)).toBe(false);
});
