// One pack and its index, read in place (gitformat-pack): where an object lies, and its bytes with all deltas applied.
// Invariant: nothing is kept open, so that a gc can remove the pack at any time, on Windows too.
import fs from 'node:fs';
import { inflateSync } from 'node:zlib';
import type { ObjectId, ObjectType } from './git-object.ts';

export interface PackedObject {
  readonly type: ObjectType;
  readonly bytes: Buffer;
}

const IDX_SIGNATURE = 0xff744f63;
const FANOUT = 8;
const NAMES = FANOUT + 256 * 4;
const TYPES: Readonly<Record<number, ObjectType>> = { 1: 'commit', 2: 'tree', 3: 'blob' };
const OFFSET_DELTA = 6;
const NAME_DELTA = 7;
const PACK_CHECKSUM = 20;
/** Bases of deltas are needed again and again, in turn. */
const CACHED_BASES = 256;
const CACHED_BASE_BYTES = 100_000;

export class PackFile {
  readonly #path: string;
  readonly #idx: Buffer;
  readonly #count: number;
  readonly #bases = new Map<number, PackedObject>();
  #ends: { offsets: Float64Array; packEnd: number } | null = null;

  /** `path` without `.pack` or `.idx`. Throws when the index cannot be read or is of another version than 2. */
  constructor(path: string) {
    this.#path = `${path}.pack`;
    this.#idx = fs.readFileSync(`${path}.idx`);
    if (this.#idx.length < NAMES || this.#idx.readUInt32BE(0) !== IDX_SIGNATURE || this.#idx.readUInt32BE(4) !== 2) {
      throw new Error(`${path}.idx is no pack index of version 2`);
    }
    this.#count = this.#idx.readUInt32BE(FANOUT + 255 * 4);
  }

  /** The object, or null when this pack has none of this name. Throws when it is broken, or the pack is gone. */
  read(id: ObjectId): PackedObject | null {
    const position = this.#findName(Buffer.from(id, 'hex'));
    if (position === null) return null;
    const handle = fs.openSync(this.#path, 'r');
    try {
      return this.#readAt(handle, this.#offsetOf(position));
    } finally {
      fs.closeSync(handle);
    }
  }

  #findName(name: Buffer): number | null {
    const first = name[0] ?? 0;
    let low = first === 0 ? 0 : this.#idx.readUInt32BE(FANOUT + (first - 1) * 4);
    let high = this.#idx.readUInt32BE(FANOUT + first * 4) - 1;
    while (low <= high) {
      const middle = (low + high) >>> 1;
      const at = NAMES + middle * 20;
      const order = this.#idx.compare(name, 0, 20, at, at + 20);
      if (order === 0) return middle;
      if (order < 0) low = middle + 1;
      else high = middle - 1;
    }
    return null;
  }

  #offsetOf(position: number): number {
    const small = NAMES + this.#count * 24;
    const offset = this.#idx.readUInt32BE(small + position * 4);
    if (offset < 0x8000_0000) return offset;
    return Number(this.#idx.readBigUInt64BE(small + this.#count * 4 + (offset - 0x8000_0000) * 8));
  }

  /** Follows the deltas down to the object that they start from, and applies them on the way back. */
  #readAt(handle: number, start: number): PackedObject {
    const deltas: Array<{ offset: number; delta: Buffer }> = [];
    let offset = start;
    let object = this.#bases.get(offset);
    while (object === undefined) {
      const entry = this.#readEntry(handle, offset);
      if ('type' in entry) {
        object = entry;
        this.#remember(offset, object);
      } else {
        deltas.push({ offset, delta: entry.delta });
        offset = entry.base;
        object = this.#bases.get(offset);
      }
    }
    for (const { offset: at, delta } of deltas.reverse()) {
      object = { type: object.type, bytes: applyDelta(object.bytes, delta) };
      this.#remember(at, object);
    }
    return object;
  }

  #readEntry(handle: number, offset: number): PackedObject | { base: number; delta: Buffer } {
    const bytes = Buffer.allocUnsafe(this.#endOf(handle, offset) - offset);
    if (fs.readSync(handle, bytes, 0, bytes.length, offset) !== bytes.length) throw new Error('the pack is cut short');
    let at = 0;
    let byte = bytes.readUInt8(at++);
    const kind = (byte >> 4) & 7;
    let size = byte & 0x0f;
    for (let factor = 16; (byte & 0x80) !== 0; factor *= 128) {
      byte = bytes.readUInt8(at++);
      size += (byte & 0x7f) * factor;
    }
    if (kind === OFFSET_DELTA) {
      let distance = -1;
      do {
        byte = bytes.readUInt8(at++);
        distance = (distance + 1) * 128 + (byte & 0x7f);
      } while ((byte & 0x80) !== 0);
      return { base: offset - distance, delta: inflate(bytes.subarray(at), size) };
    }
    if (kind === NAME_DELTA) {
      const base = this.#findName(bytes.subarray(at, at + 20));
      if (base === null) throw new Error('the base of a delta is in another pack');
      return { base: this.#offsetOf(base), delta: inflate(bytes.subarray(at + 20), size) };
    }
    const type = TYPES[kind];
    if (type === undefined) throw new Error(`objects of kind ${kind} are not read`);
    return { type, bytes: inflate(bytes.subarray(at), size) };
  }

  /** An entry does not say how long it is; it ends where the next begins. */
  #endOf(handle: number, offset: number): number {
    if (this.#ends === null) {
      const offsets = Float64Array.from({ length: this.#count }, (_, position) => this.#offsetOf(position)).sort();
      this.#ends = { offsets, packEnd: fs.fstatSync(handle).size - PACK_CHECKSUM };
    }
    const { offsets, packEnd } = this.#ends;
    let low = 0;
    let high = offsets.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((offsets[middle] ?? 0) > offset) high = middle;
      else low = middle + 1;
    }
    return offsets[low] ?? packEnd;
  }

  #remember(offset: number, object: PackedObject): void {
    if (object.bytes.length > CACHED_BASE_BYTES) return;
    this.#bases.delete(offset);
    this.#bases.set(offset, object);
    const [oldest] = this.#bases.keys();
    if (this.#bases.size > CACHED_BASES && oldest !== undefined) this.#bases.delete(oldest);
  }
}

function inflate(bytes: Buffer, size: number): Buffer {
  const content = inflateSync(bytes);
  if (content.length !== size) throw new Error('a packed object is of another size than its entry says');
  return content;
}

/** gitformat-pack, "Deltified representation": sizes of base and result, then copies from the base and new bytes. */
function applyDelta(base: Buffer, delta: Buffer): Buffer {
  let at = 0;
  const readSize = (): number => {
    let size = 0;
    for (let factor = 1; ; factor *= 128) {
      const byte = delta.readUInt8(at++);
      size += (byte & 0x7f) * factor;
      if ((byte & 0x80) === 0) return size;
    }
  };
  if (readSize() !== base.length) throw new Error('a delta is of another base');
  const result = Buffer.allocUnsafe(readSize());
  let written = 0;
  while (at < delta.length) {
    const instruction = delta.readUInt8(at++);
    if (instruction === 0) throw new Error('a delta has an instruction that is not known');
    if ((instruction & 0x80) === 0) {
      written += delta.copy(result, written, at, at + instruction);
      at += instruction;
      continue;
    }
    let from = 0;
    let length = 0;
    for (let byte = 0; byte < 4; byte++)
      if ((instruction & (1 << byte)) !== 0) from += delta.readUInt8(at++) * 256 ** byte;
    for (let byte = 0; byte < 3; byte++) {
      if ((instruction & (0x10 << byte)) !== 0) length += delta.readUInt8(at++) * 256 ** byte;
    }
    written += base.copy(result, written, from, from + (length === 0 ? 0x1_0000 : length));
  }
  if (written !== result.length) throw new Error('a delta makes another size than it says');
  return result;
}
