import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { runDocument, writeDocument } from './console-document.ts';

const WRITES = process.env['STET_WRITE_DOCS'] === '1';
const PAGES = ['spaces-and-permissions.md', 'explain.md', 'by-hand.md', 'backup.md', 'import.md', 'clients.md'];

it.each(['README.md', ...PAGES.map((name) => `docs/${name}`)])(
  '%s shows what its commands print',
  async (name) => {
    const file = fileURLToPath(new URL(`../${name}`, import.meta.url));
    const { text, now } = await runDocument(file, WRITES);
    if (WRITES) writeDocument(file, now);
    else expect(now).toBe(text);
  },
  300_000,
);

it('names every page in the README', () => {
  const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8');
  const pages = readdirSync(new URL('../docs/', import.meta.url)).filter((name) => name.endsWith('.md'));
  expect(pages.length).toBeGreaterThan(5);
  expect(pages.filter((name) => !readme.includes(`](docs/${name})`))).toEqual([]);
});
