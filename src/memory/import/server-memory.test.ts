import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { readServerMemory } from './server-memory.ts';
import type { ReadMemory } from './imported-statement.ts';

function fixture(path: string): string {
  return readFileSync(new URL(`../../../test/fixtures/import/${path}`, import.meta.url), 'utf8');
}

const texts = ({ statements }: ReadMemory) => statements.map(({ text }) => text);

describe('the graph of server-memory', () => {
  it('becomes its observations and relations', () => {
    const read = readServerMemory(fixture('server-memory.jsonl'));
    expect(texts(read)).toEqual([
      'John_Smith: Speaks fluent Spanish',
      'John_Smith: Graduated in 2019',
      'John_Smith: Prefers "short" answers\nand few words',
      'Acme Shop: Signs users in with Auth0',
      'Acme Shop: The staging host is https://staging.acme.example',
      'Zürich 🏔: place',
      'John_Smith works on Acme Shop',
      'Globex competes with Acme Shop',
    ]);
    expect(read.statements[0]).toMatchObject({ tags: ['person'], line: 1 });
    expect(read.leftOut).toEqual([{ line: 3, reason: 'nothing is said of Globex' }]);
  });

  it('says of each line that is none of it which one that is', () => {
    const lines = [
      '{"type":"entity"',
      '[]',
      '{"type":"relation","from":"a","to":"b"}',
      '',
      'null',
      '{"type":"entity","name":"x","observations":["y",3]}',
    ];
    const read = readServerMemory(lines.join('\r\n'));
    expect(read.leftOut.map(({ line }) => line)).toEqual([1, 2, 3, 5]);
    expect(texts(read)).toEqual(['x: y']);
  });
});
