import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { Parsed } from '../item.ts';
import { claudeProjectName, readClaudeMemory, readMemoryIndex } from './claude-memory.ts';
import type { ReadMemory } from './imported-statement.ts';

function fixture(path: string): string {
  return readFileSync(new URL(`../../../test/fixtures/import/${path}`, import.meta.url), 'utf8');
}

function value(read: Parsed<ReadMemory>): ReadMemory {
  if (!read.ok) throw new Error(read.problems[0]?.message);
  return read.value;
}

const texts = ({ statements }: ReadMemory) => statements.map(({ text }) => text);

describe('the memory of Claude Code', () => {
  it('becomes one statement a file, its description first, of a kind that fits its type', () => {
    expect(value(readClaudeMemory(fixture('claude-memory/short-answers.md'))).statements).toMatchObject([
      {
        text: expect.stringMatching(
          /^The user wants short answers without a summary at the end\n\nKeep answers short .*\[\[release-board\]\]\.$/s,
        ) as string,
        kind: 'preference',
        tags: ['feedback'],
      },
    ]);
    expect(value(readClaudeMemory(fixture('claude-memory/release-board.md'))).statements).toMatchObject([
      {
        text: 'Releases are tracked on a board\n\nReleases are tracked on https://board.acme.example/releases.',
        kind: 'pointer',
        target: 'https://board.acme.example/releases',
      },
    ]);
    expect(value(readClaudeMemory(fixture('claude-memory/auth-move.md'))).statements).toMatchObject([
      { text: 'Sign-in moves from Okta to Auth0 in October 2026', kind: 'fact', tags: ['project'] },
    ]);
  });

  it('says the description once where the text says it too', () => {
    const text = '---\ndescription: Tests run on CI\n---\nTests run  on CI.\n';
    expect(texts(value(readClaudeMemory(text)))).toEqual(['Tests run  on CI.']);
  });

  it('takes of the index the notes, not the pointers', () => {
    expect(readMemoryIndex(fixture('claude-memory/MEMORY.md'))).toMatchObject({
      statements: [],
      leftOut: [{ line: 3 }, { line: 4 }],
    });
    expect(texts(readMemoryIndex('# Memory\n\n## Build\n- `make all` is slow\n- [x](x.md) - y\n'))).toEqual([
      'Build: `make all` is slow',
    ]);
  });

  it('reports an empty file, and one whose keys cannot be read', () => {
    expect(value(readClaudeMemory('---\nname: x\n---\n')).leftOut).toHaveLength(1);
    expect(readClaudeMemory('---\nname: [\n---\nText.\n').ok).toBe(false);
  });

  it('is found under the name that Claude Code makes of a folder', () => {
    expect(claudeProjectName('/home/ana/work/acme.shop_2')).toBe('-home-ana-work-acme-shop-2');
    expect(claudeProjectName('C:\\work\\acme')).toBe('C--work-acme');
  });
});
