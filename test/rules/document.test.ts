import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { ANSWERS, playAnswer } from './answers.ts';

const FILE = fileURLToPath(new URL('../../docs/rules.md', import.meta.url));
const BLOCK = /<!-- answer: (.*?) -->\n\n```text\n(.*?)\n```/gs;

/** `STET_WRITE_DOCS=1` puts the answers of now into the document. */
const WRITES = process.env['STET_WRITE_DOCS'] === '1';

describe('docs/rules.md', () => {
  const shown = new Map(
    Array.from(readFileSync(FILE, 'utf8').matchAll(BLOCK), ([, name = '', text = '']) => [name, text]),
  );

  it('shows every answer once, and no other', () => {
    expect([...shown.keys()].sort()).toEqual([...ANSWERS.keys()].sort());
  });

  it.each([...ANSWERS])('shows "%s" as an agent reads it', async (name, play) => {
    const said = await playAnswer(play);
    if (WRITES) {
      const text = readFileSync(FILE, 'utf8');
      const block = (each: string): string => `<!-- answer: ${name} -->\n\n\`\`\`text\n${each}\n\`\`\``;
      writeFileSync(
        FILE,
        text.replace(block(shown.get(name) ?? ''), () => block(said)),
      );
    } else expect(said).toBe(shown.get(name));
  });
});
