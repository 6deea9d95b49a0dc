// git's tree objects: names of one folder with mode and object id, sorted as git sorts them (bytes, folders as if they
// ended in a slash). Names are kept as latin1 strings of their bytes, so that string order is byte order.
import type { ObjectId } from './git-object.ts';

export interface TreeEntry {
  /** Octal, as git writes it: `100644`, `100755`, `120000`, `40000`, `160000`. */
  readonly mode: string;
  /** The name's bytes, one a character. */
  readonly name: string;
  readonly id: ObjectId;
}

export const FOLDER_MODE = '40000';

export function parseTree(bytes: Uint8Array): TreeEntry[] {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const entries: TreeEntry[] = [];
  for (let at = 0; at < buffer.length;) {
    const space = buffer.indexOf(0x20, at);
    const end = buffer.indexOf(0, space);
    entries.push({
      mode: buffer.toString('latin1', at, space),
      name: buffer.toString('latin1', space + 1, end),
      id: buffer.toString('hex', end + 1, end + 21),
    });
    at = end + 21;
  }
  return entries;
}

/** The entry of this name (bytes, one a character), without reading the others; null when there is none. */
export function findTreeEntry(bytes: Uint8Array, name: string): TreeEntry | null {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const wanted = Buffer.from(` ${name}\0`, 'latin1');
  for (let at = 0; at < buffer.length;) {
    // A mode has five or six digits.
    const space = buffer[at + 5] === 0x20 ? at + 5 : at + 6;
    const end = buffer.indexOf(0, space);
    if (end - space + 1 === wanted.length && buffer.compare(wanted, 0, wanted.length, space, end + 1) === 0) {
      return { mode: buffer.toString('latin1', at, space), name, id: buffer.toString('hex', end + 1, end + 21) };
    }
    at = end + 21;
  }
  return null;
}

/** The inverse of {@link parseTree}; sorts. */
export function printTree(entries: readonly TreeEntry[]): Buffer {
  const sorted = entries.toSorted((a, b) => (sortKey(a) < sortKey(b) ? -1 : 1));
  const parts: Buffer[] = [];
  for (const { mode, name, id } of sorted) {
    parts.push(Buffer.from(`${mode} ${name}\0`, 'latin1'), Buffer.from(id, 'hex'));
  }
  return Buffer.concat(parts);
}

function sortKey(entry: TreeEntry): string {
  return entry.mode === FOLDER_MODE ? `${entry.name}/` : entry.name;
}

/** The bytes of a name or path, one a character: the form in which git compares them. */
export function toByteString(text: string): string {
  return Buffer.from(text, 'utf8').toString('latin1');
}

export function fromByteString(bytes: string): string {
  return Buffer.from(bytes, 'latin1').toString('utf8');
}
