// What a partition's words look like as bytes. Invariant: decoding gives exactly what was encoded, or null: bytes that are
// torn, foreign, or of another version, tokenizer or model are nothing.
//
// Layout, little-endian: magic (8) · length of the header (4) · header (JSON) · sections, each at a multiple of 8 ·
// crc32 of everything before (4).
import { crc32 } from 'node:zlib';
import { PASSAGE_CHARACTERS } from './passages.ts';
import type { FrozenPostings } from './postings.ts';
import { TOKENIZER_VERSION } from './tokenize.ts';
import type { VectorKey } from './vector-cache.ts';

/** One document of a snapshot; its place is its slot in the postings. */
export interface SnapshotDocument {
  readonly id: string;
  /** 32 hex digits over all that the index reads of it. */
  readonly contentHash: string;
  /** The keys of its passages' vectors, in text order. */
  readonly passages: readonly VectorKey[];
}

export interface PartitionSnapshot {
  readonly documents: readonly SnapshotDocument[];
  /** Length in terms, by slot. */
  readonly lengths: Uint32Array;
  readonly postings: FrozenPostings;
}

/** What a snapshot is good for. */
export interface SnapshotKey {
  readonly partition: string;
  /** The model whose passages it lists; null for words only. */
  readonly model: string | null;
}

const MAGIC = Buffer.from('stetidx1', 'latin1');
const HASH_DIGITS = 32;

export function encodeSnapshot(snapshot: PartitionSnapshot, key: SnapshotKey): Buffer {
  const { documents, lengths, postings } = snapshot;
  const sections = [
    Buffer.from(documents.map(({ id }) => id).join('\n')),
    Buffer.from(documents.map(({ contentHash }) => contentHash).join(''), 'hex'),
    bytesOf(Uint32Array.from(documents, ({ passages }) => passages.length)),
    Buffer.from(documents.flatMap(({ passages }) => passages).join(''), 'hex'),
    bytesOf(lengths),
    Buffer.from(postings.terms.join('\n')),
    bytesOf(postings.starts),
    bytesOf(postings.slots),
    bytesOf(postings.counts),
  ];
  const header = Buffer.from(JSON.stringify({ ...identity(key), sizes: sections.map(({ length }) => length) }));
  const length = Buffer.alloc(4);
  length.writeUInt32LE(header.length);
  const parts: Uint8Array[] = [MAGIC, length, header];
  let offset = MAGIC.length + 4 + header.length;
  for (const section of sections) {
    parts.push(Buffer.alloc(padded(offset) - offset), section);
    offset = padded(offset) + section.length;
  }
  const body = Buffer.concat(parts);
  const sum = Buffer.alloc(4);
  sum.writeUInt32LE(crc32(body));
  return Buffer.concat([body, sum]);
}

export function decodeSnapshot(bytes: Buffer, key: SnapshotKey): PartitionSnapshot | null {
  if (bytes.length < MAGIC.length + 8 || !bytes.subarray(0, MAGIC.length).equals(MAGIC)) return null;
  if (crc32(bytes.subarray(0, -4)) !== bytes.readUInt32LE(bytes.length - 4)) return null;
  const headerEnd = MAGIC.length + 4 + bytes.readUInt32LE(MAGIC.length);
  // The checksum fits, so that this is what some version of stet wrote.
  const { sizes, ...rest } = JSON.parse(bytes.toString('utf8', MAGIC.length + 4, headerEnd)) as { sizes: number[] };
  if (JSON.stringify(rest) !== JSON.stringify(identity(key))) return null;

  let offset = headerEnd;
  const [ids, hashes, passageCounts, passageKeys, lengths, terms, starts, slots, counts] = sizes.map((size) => {
    const start = padded(offset);
    offset = start + size;
    return bytes.subarray(start, offset);
  });
  const hashDigits = hashes?.toString('hex') ?? '';
  const keyDigits = passageKeys?.toString('hex') ?? '';
  const passagesOf = words32(passageCounts);
  let passage = 0;
  const documents = lines(ids).map((id, slot) => {
    const end = passage + (passagesOf[slot] ?? 0);
    const passages: VectorKey[] = [];
    for (; passage < end; passage++) passages.push(digitsAt(keyDigits, passage));
    return { id, contentHash: digitsAt(hashDigits, slot), passages };
  });
  const postings = {
    terms: lines(terms),
    starts: words32(starts),
    slots: words32(slots),
    counts: new Uint16Array(copied(counts)),
  };
  return { documents, lengths: words32(lengths), postings };
}

function identity({ partition, model }: SnapshotKey): Record<string, unknown> {
  return { tokenizer: TOKENIZER_VERSION, passages: PASSAGE_CHARACTERS, partition, model };
}

function digitsAt(digits: string, index: number): string {
  return digits.slice(index * HASH_DIGITS, (index + 1) * HASH_DIGITS);
}

function lines(section: Buffer | undefined): string[] {
  return section === undefined || section.length === 0 ? [] : section.toString('utf8').split('\n');
}

function words32(section: Buffer | undefined): Uint32Array {
  return new Uint32Array(copied(section));
}

// A copy starts at a multiple of the element size, which a slice of what was read need not.
function copied(section: Buffer | undefined): ArrayBuffer {
  return section === undefined ? new ArrayBuffer(0) : new Uint8Array(section).buffer;
}

function bytesOf(array: Uint16Array | Uint32Array): Buffer {
  return Buffer.from(array.buffer, array.byteOffset, array.byteLength);
}

function padded(offset: number): number {
  return Math.ceil(offset / 8) * 8;
}
