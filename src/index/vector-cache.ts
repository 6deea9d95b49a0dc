// Vectors by content, kept in one file that only grows and that all processes of a memory share. Invariant: a record is
// believed only if its checksum fits, so a torn tail, foreign bytes or another model's file cost vectors, never answers.
//
// Records of one size, without a header: magic (4) · key (16) · scale (4, float) · values (dimensions) · crc32 (4) over
// what is before it, seeded with the model's id. Little-endian. One `write` in append mode adds whole records, which
// local file systems keep apart; after a torn record the reader looks for the next magic that is followed by a sound one.
import { createHash, hash } from 'node:crypto';
import {
  closeSync,
  existsSync,
  fstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readSync,
  rmSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import type { Quantized } from './quantized.ts';

/** 32 hex digits of the SHA-256 of the embedded text. */
export type VectorKey = string;

export function vectorKey(text: string): VectorKey {
  return hash('sha256', text, 'hex').slice(0, 2 * KEY_BYTES);
}

const FILE = /^vectors-[0-9a-f]{16}\.bin$/;
const KEY_BYTES = 16;
const MAGIC = Buffer.from('sv1\n', 'latin1');
const OVERHEAD = MAGIC.length + KEY_BYTES + 4 + 4;
const READ_BYTES = 1 << 22;

/** Whether a file of the derived folder holds vectors. By content and model, so that they outlive a rebuild of the rest. */
export function isVectorFile(name: string): boolean {
  return FILE.test(name);
}

/** Throws the vectors of every model away. They are made again, in the background, when they are asked for. */
export function dropVectors(folder: string): void {
  if (!existsSync(folder)) return;
  for (const name of readdirSync(folder)) if (isVectorFile(name)) rmSync(join(folder, name), { force: true });
}

export interface VectorCacheOptions {
  /** Absolute path; made when the first vector is added. */
  readonly folder: string;
  readonly model: string;
  readonly dimensions: number;
}

export class VectorCache {
  readonly #folder: string;
  readonly #path: string;
  readonly #dimensions: number;
  readonly #seed: number;
  readonly #vectors = new Map<VectorKey, Quantized>();
  #descriptor: number | null = null;
  #readTo = 0;
  /** Why vectors are kept in memory only; null while the file takes them. */
  problem: string | null = null;

  constructor(options: VectorCacheOptions) {
    const name = createHash('sha256').update(options.model).digest('hex').slice(0, 16);
    this.#folder = options.folder;
    this.#path = join(options.folder, `vectors-${name}.bin`);
    this.#dimensions = options.dimensions;
    this.#seed = crc32(`${options.model}/${options.dimensions}`);
  }

  get(key: VectorKey): Quantized | undefined {
    return this.#vectors.get(key);
  }

  /** Reads what other processes have added since; one `fstat` when nothing was. True if there was something new. */
  refresh(): boolean {
    try {
      this.#descriptor ??= openSync(this.#path, 'r');
    } catch {
      return false;
    }
    const before = this.#vectors.size;
    const { size, nlink } = fstatSync(this.#descriptor);
    if (nlink === 0) {
      // Deleted under us: whoever adds next makes a new file.
      this.close();
      this.#readTo = 0;
      return false;
    }
    if (size < this.#readTo) this.#readTo = 0;
    while (size - this.#readTo >= this.#recordBytes) {
      const bytes = Buffer.allocUnsafe(Math.min(READ_BYTES, size - this.#readTo));
      const length = readSync(this.#descriptor, bytes, 0, bytes.length, this.#readTo);
      const used = this.#take(bytes.subarray(0, length));
      if (used === 0) break;
      this.#readTo += used;
    }
    return this.#vectors.size > before;
  }

  add(key: VectorKey, vector: Quantized): void {
    if (this.#vectors.has(key)) return;
    this.#vectors.set(key, vector);
    try {
      // Not with its parents: where the memory was moved away, nothing may take its place.
      if (!existsSync(this.#folder)) mkdirSync(this.#folder);
      const descriptor = openSync(this.#path, 'a');
      try {
        writeSync(descriptor, this.#record(key, vector));
      } finally {
        closeSync(descriptor);
      }
      this.problem = null;
    } catch (error) {
      this.problem = `cannot write ${this.#path}: ${error instanceof Error ? error.message : String(error)}`;
    }
  }

  close(): void {
    if (this.#descriptor !== null) closeSync(this.#descriptor);
    this.#descriptor = null;
  }

  get #recordBytes(): number {
    return OVERHEAD + this.#dimensions;
  }

  #record(key: VectorKey, vector: Quantized): Buffer {
    const record = Buffer.alloc(this.#recordBytes);
    MAGIC.copy(record, 0);
    record.write(key, MAGIC.length, 'hex');
    record.writeFloatLE(vector.scale, MAGIC.length + KEY_BYTES);
    record.set(new Uint8Array(vector.values.buffer, vector.values.byteOffset, this.#dimensions), OVERHEAD - 4);
    record.writeUInt32LE(crc32(record.subarray(0, -4), this.#seed), this.#recordBytes - 4);
    return record;
  }

  /** Takes the sound records of some bytes; returns how many bytes need not be read again. */
  #take(bytes: Buffer): number {
    let offset = 0;
    while (offset + this.#recordBytes <= bytes.length) {
      const record = bytes.subarray(offset, offset + this.#recordBytes);
      if (this.#isSound(record)) {
        const key = record.toString('hex', MAGIC.length, MAGIC.length + KEY_BYTES);
        const values = new Int8Array(this.#dimensions);
        values.set(new Int8Array(record.buffer, record.byteOffset + OVERHEAD - 4, this.#dimensions));
        if (!this.#vectors.has(key)) {
          this.#vectors.set(key, { values, scale: record.readFloatLE(MAGIC.length + KEY_BYTES) });
        }
        offset += this.#recordBytes;
        continue;
      }
      const next = bytes.indexOf(MAGIC, offset + 1);
      // A magic can be cut by the end of what was read: its first bytes stay for the next time.
      offset = next === -1 ? Math.max(offset + 1, bytes.length - MAGIC.length + 1) : next;
    }
    return offset;
  }

  #isSound(record: Buffer): boolean {
    return (
      record.subarray(0, MAGIC.length).equals(MAGIC) &&
      record.readUInt32LE(this.#recordBytes - 4) === crc32(record.subarray(0, -4), this.#seed)
    );
  }
}
