// From the bytes of a file to its text. Invariant: what passes is UTF-8 without NUL, within the size limit, and encodes
// to the same bytes again (a BOM stays in the text as U+FEFF).
import { Buffer, isUtf8 } from 'node:buffer';

import type { Parsed } from './item.ts';

/** The largest file that is read as an item: 1 MB. */
export const MAX_ITEM_BYTES = 1_000_000;

/** The text of a file, or the one reason why it has none. */
export function decodeText(bytes: Uint8Array): Parsed<string> {
  const refuse = (line: number, message: string): Parsed<string> => ({ ok: false, problems: [{ line, message }] });
  if (bytes.length === 0) return refuse(1, 'The file is empty: write the statement into it, or delete it.');
  if (bytes.length > MAX_ITEM_BYTES) {
    const megabytes = (bytes.length / 1_000_000).toFixed(1);
    return refuse(1, `The file has ${megabytes} MB, and an item has 1 MB at most: keep it elsewhere and point to it.`);
  }
  if ((bytes[0] === 0xff && bytes[1] === 0xfe) || (bytes[0] === 0xfe && bytes[1] === 0xff)) {
    return refuse(1, 'The file is UTF-16: save it as UTF-8.');
  }
  const nul = bytes.indexOf(0);
  if (nul !== -1) {
    return refuse(lineAt(bytes, nul), 'A NUL byte: this is a binary or UTF-16 file; save it as UTF-8 text.');
  }
  if (!isUtf8(bytes)) {
    return refuse(firstBadLine(bytes), 'Not UTF-8 (perhaps Latin-1 or Windows-1252): save the file as UTF-8.');
  }
  return { ok: true, value: Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8') };
}

const LF = 0x0a;
const CR = 0x0d;

/** The line, from 1, of the byte at `offset`; LF, CRLF and a lone CR end lines. */
function lineAt(bytes: Uint8Array, offset: number): number {
  let line = 1;
  for (let i = 0; i < offset; i++) {
    if (bytes[i] === LF || (bytes[i] === CR && bytes[i + 1] !== LF)) line++;
  }
  return line;
}

/** No byte of a multi-byte character equals LF, so each line can be judged alone. */
function firstBadLine(bytes: Uint8Array): number {
  for (let start = 0; start < bytes.length;) {
    const lf = bytes.indexOf(LF, start);
    const end = lf === -1 ? bytes.length : lf + 1;
    if (!isUtf8(bytes.subarray(start, end))) return lineAt(bytes, start);
    start = end;
  }
  return 1;
}
