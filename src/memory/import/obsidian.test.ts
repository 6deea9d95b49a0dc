import { describe, expect, it } from 'vitest';
import { inlineTags } from './obsidian.ts';

describe('the tags of an Obsidian note', () => {
  it('are those of the text, not of code, addresses or numbers', () => {
    expect(
      inlineTags('#a, (#b/c) x#no #12 #1a https://x.example/#no\n` #no `\n```\n#no\n```\n#Käse #a\n# no\n'),
    ).toEqual(['a', 'b/c', '1a', 'Käse']);
  });
});
