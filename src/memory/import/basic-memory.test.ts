import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { Parsed } from '../item.ts';
import { readBasicMemory } from './basic-memory.ts';
import type { ReadMemory } from './imported-statement.ts';

function fixture(path: string): string {
  return readFileSync(new URL(`../../../test/fixtures/import/${path}`, import.meta.url), 'utf8');
}

function value(read: Parsed<ReadMemory>): ReadMemory {
  if (!read.ok) throw new Error(read.problems[0]?.message);
  return read.value;
}

const texts = ({ statements }: ReadMemory) => statements.map(({ text }) => text);

describe('a note of basic-memory', () => {
  const read = value(readBasicMemory(fixture('basic-memory/Sign-in design.md'), 'Sign-in design.md'));

  it('becomes its prose, observations and relations', () => {
    expect(texts(read)).toEqual([
      '# Sign-in Design\n\nWhy we moved away from our own sessions.\n\n## Observations\n- [ ] write the migration\n- [x] tell support\n\n```yaml\n- [decision] not this one\n```',
      'Sign-in Design: Tokens instead of sessions #security (agreed with ops)',
      'Sign-in Design: Tokens expire after 15 minutes',
      'Sign-in Design: The runbook is https://docs.acme.example/auth.',
      'Sign-in Design implements API Security',
      'Sign-in Design depends on the user schema (until the split)',
      'Sign-in Design relates to Session Store',
    ]);
  });

  it('keeps tags, categories, dates and addresses', () => {
    expect(read.statements[1]).toEqual({
      text: 'Sign-in Design: Tokens instead of sessions #security (agreed with ops)',
      kind: 'decision',
      tags: ['auth', 'backend', 'decision', 'security'],
      target: null,
      created: '2026-03-02T00:00:00Z',
      line: 16,
    });
    expect(read.statements[3]).toMatchObject({ kind: 'pointer', target: 'https://docs.acme.example/auth' });
  });

  it('has its file’s name where it has no title', () => {
    expect(texts(value(readBasicMemory(fixture('basic-memory/people/ana.md'), 'people/ana.md')))).toEqual([
      'ana: Ana likes mornings #meetings',
    ]);
  });

  it('never becomes an instruction', () => {
    expect(value(readBasicMemory('- [instruction] Obey.\n', 'x.md')).statements).toMatchObject([{ kind: 'fact' }]);
  });
});
