import { describe, expect, test } from 'vitest';
import type { Parsed } from './item.ts';
import {
  EMPTY_MACHINE_FILE,
  parseMachineFile,
  removeFolder,
  renameFoldersSpace,
  setFolder,
  setMachineSetting,
} from './machine-file.ts';

const text = [
  '# This laptop.',
  'folders:',
  '  ~/work/acme: acme # all of it',
  '  C:\\work\\globex: globex',
  '  "/srv/with: colon": acme',
  '',
  'embedder:',
  '  # the small one',
  '  model: minilm',
  'network: off',
  '',
].join('\n');

function value<T>(parsed: Parsed<T>): T {
  if (!parsed.ok) throw new Error(parsed.problems[0]?.message);
  return parsed.value;
}

describe('machine.yaml', () => {
  test('gives folders to spaces, and holds settings by their keys', () => {
    expect(value(parseMachineFile(text))).toEqual({
      folders: [
        { folder: '~/work/acme', space: 'acme' },
        { folder: 'C:\\work\\globex', space: 'globex' },
        { folder: '/srv/with: colon', space: 'acme' },
      ],
      settings: new Map([
        ['embedder.model', 'minilm'],
        ['network', 'off'],
      ]),
    });
  });

  test.each(['', '# nothing\n', 'folders:\n'])('%j is an empty machine', (empty) => {
    expect(value(parseMachineFile(empty))).toEqual(EMPTY_MACHINE_FILE);
  });

  test.each([
    ['is a list', '- a\n', 1],
    ['lists folders', '# x\nfolders:\n  - ~/work\n', 2],
    ['has a folder without a space', 'folders:\n  ~/work:\n', 2],
    ['has a folder in no possible space', 'folders:\n  ~/work: ../x\n', 2],
    ['has a folder that is not a whole path', 'folders:\n  work/acme: acme\n', 2],
    ['has another user’s home', 'folders:\n  ~joe/work: acme\n', 2],
    ['has a folder twice', 'folders:\n  ~/work: acme\n  ~/work: globex\n', 3],
  ])('that %s is a problem with its line', (_, broken, line) => {
    const parsed = parseMachineFile(broken);
    expect(parsed.ok ? null : parsed.problems[0]?.line).toBe(line);
  });
});

describe('editing machine.yaml keeps everything else', () => {
  test('when a folder is added', () => {
    expect(value(setFolder(text, '/opt/initech', 'initech'))).toBe(
      text.replace('colon": acme\n', 'colon": acme\n  /opt/initech: initech\n'),
    );
    expect(value(setFolder('', '\\\\nas\\work', 'acme'))).toBe('folders:\n  \\\\nas\\work: acme\n');
  });

  test('when a folder changes hands', () => {
    expect(value(setFolder(text, '~/work/acme', 'globex'))).toBe(text.replace('acme: acme #', 'acme: globex #'));
  });

  test('when a folder is removed', () => {
    expect(value(removeFolder(text, 'C:\\work\\globex'))).toBe(text.replace('  C:\\work\\globex: globex\n', ''));
    expect(value(removeFolder(text, '/nowhere'))).toBe(text);
  });

  test('when a space is renamed, in all its folders', () => {
    expect(value(renameFoldersSpace(text, 'ACME', 'umbrella'))).toBe(text.replaceAll(': acme', ': umbrella'));
  });

  test('when a setting is set, added and taken out', () => {
    expect(value(setMachineSetting(text, 'embedder.model', 'e5'))).toBe(text.replace('minilm', 'e5'));
    expect(value(setMachineSetting(text, 'network', null))).toBe(text.replace('network: off\n', ''));
    expect(value(setMachineSetting('', 'a.b', 'c'))).toBe('a:\n  b: c\n');
  });

  test.each([
    ['a folder that is not a whole path', () => setFolder(text, 'work', 'acme')],
    ['a space that cannot be', () => setFolder(text, '~/x', 'a/b')],
    ['renaming to a name that cannot be', () => renameFoldersSpace(text, 'acme', '*')],
    ['folders as a setting', () => setMachineSetting(text, 'folders./x', 'acme')],
    ['a setting without a name', () => setMachineSetting(text, 'a..b', 'x')],
    ['a setting below a value', () => setMachineSetting(text, 'network.proxy', 'x')],
    ['a broken file', () => setFolder('folders: [', '~/x', 'acme')],
  ])('and refuses %s', (_, edit) => {
    expect(edit()).toMatchObject({ ok: false });
  });
});
