import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { runDocument, writeDocument } from './console-document.ts';

const WRITES = process.env['STET_WRITE_DOCS'] === '1';

it.each(['spaces-and-permissions.md', 'explain.md', 'by-hand.md'])(
  'docs/%s shows what its commands print',
  async (name) => {
    const file = fileURLToPath(new URL(`../docs/${name}`, import.meta.url));
    const { text, now } = await runDocument(file, WRITES);
    if (WRITES) writeDocument(file, now);
    else expect(now).toBe(text);
  },
  300_000,
);
