import { describe, expect, it } from 'vitest';
import { unifiedDiff } from './text-diff.ts';

const LINES = ['a', 'b', 'c', 'd', 'e', 'f', 'g'].map((line) => `${line}\n`);

describe('a diff', () => {
  it('shows what changes with two lines around it', () => {
    const after = LINES.join('').replace('d\n', 'x\ny\n');
    expect(unifiedDiff('f', LINES.join(''), after)).toEqual([
      '--- f',
      '+++ f',
      '@@ -2,5 +2,6 @@',
      ' b',
      ' c',
      '-d',
      '+x',
      '+y',
      ' e',
      ' f',
    ]);
  });

  it('of a new file, and of one that becomes empty, counts from line 0', () => {
    expect(unifiedDiff('f', '', 'a\n').slice(2)).toEqual(['@@ -0,0 +1,1 @@', '+a']);
    expect(unifiedDiff('f', 'a\n', '').slice(2)).toEqual(['@@ -1,1 +0,0 @@', '-a']);
  });

  it('of repeated lines shows as many as are added', () => {
    expect(unifiedDiff('f', 'a\na\n', 'a\na\na\n').filter((line) => line.startsWith('+a'))).toHaveLength(1);
  });

  it('shows a line end that is missing, and nothing where nothing changes', () => {
    expect(unifiedDiff('f', 'a', 'a\n').slice(3)).toEqual(['-a (no line end)', '+a']);
    expect(unifiedDiff('f', 'a\n', 'a\n')).toEqual([]);
  });
});
