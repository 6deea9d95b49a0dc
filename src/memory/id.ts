// Ids of items: 8 characters of lower-case Crockford base32 (no i, l, o, u) that start with a letter, so that YAML never
// reads one as a number. They are an item's identity; nothing but these two functions makes them.
import { createHash, randomBytes } from 'node:crypto';

import { trimBlankLines } from './text-lines.ts';

const LETTERS = 'abcdefghjkmnpqrstvwxyz';
const SYMBOLS = `0123456789${LETTERS}`;
const ID = /^[a-hjkmnp-tv-z][0-9a-hjkmnp-tv-z]{7}$/;

/** Whether `text` is an id, exactly: lower case, nothing around it. */
export function isId(text: string): boolean {
  return ID.test(text);
}

/** A fresh random id: one of 22 × 32⁷ (39.5 bits), so a memory of 10,000 items meets a clash once in 15,000 lives. */
export function newId(): string {
  return idFromBits(randomBytes(8).readBigUInt64BE());
}

/**
 * The id of a file that brings none: a function of where it is and what it says, so that two machines which adopt the
 * same file agree. `path` is relative to the memory with `/`; its Unicode form (macOS hands out NFD) and the body's BOM,
 * line ends and outer blank lines (git and editors change them) make no difference.
 */
export function deriveId(path: string, body: string): string {
  const words = body.replace(/^\uFEFF/, '').replace(/\r\n?/g, '\n');
  const digest = createHash('sha256').update(path.normalize('NFC')).update('\0').update(trimBlankLines(words)).digest();
  return idFromBits(digest.readBigUInt64BE());
}

function idFromBits(bits: bigint): string {
  let id = LETTERS.charAt(Number(bits % 22n));
  let rest = bits / 22n;
  for (let i = 0; i < 7; i++) {
    id += SYMBOLS.charAt(Number(rest % 32n));
    rest /= 32n;
  }
  return id;
}
