import { describe, expect, it } from 'vitest';
import { MEMORY_AREA, isEntered, isReported, parentOf, pathIn } from './watched-area.ts';

describe('the files of a memory that are reported', () => {
  it.each([
    'personal/a.md',
    'personal/deep/er/A.MD',
    'personal/.hidden.md',
    'spaces/acme/2026-09/x.k3v9q2m7.md',
    'forgotten/k3v9q2m7.yaml',
    'stet.yaml',
    'personal/a\nb.md',
  ])('%j is', (path) => {
    expect(isReported(MEMORY_AREA, path)).toBe(true);
  });

  it.each([
    'README.md',
    '.hidden.yaml',
    'machine.yaml~',
    'transcripts/t.md',
    '.git/personal/a.md',
    'personal',
    'personal/a.md~',
    'personal/.a.md.swp',
    'personal/a.md.tmp',
    'personal/.#a.md',
    'personal/._a.md',
    'personal/4913',
    'personal/.trash/a.md',
    'spaces/acme/.obsidian/deep/a.md',
    'personalia/a.md',
  ])('%j is not', (path) => {
    expect(isReported(MEMORY_AREA, path)).toBe(false);
  });
});

it('hidden folders and other folders of the root are not entered', () => {
  const paths = ['', 'personal', 'spaces/acme/x', '.git', 'transcripts', 'personal/.git', 'spaces/.x/y', 'personalia'];
  expect(paths.filter((path) => isEntered(MEMORY_AREA, path))).toEqual(['', 'personal', 'spaces/acme/x']);
});

it('paths are taken apart as they were put together', () => {
  expect(pathIn('', 'a')).toBe('a');
  expect(pathIn('a/b', 'c')).toBe('a/b/c');
  expect(parentOf('a')).toBe('');
  expect(parentOf('a/b/c')).toBe('a/b');
});
