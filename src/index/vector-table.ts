// The vectors of one partition, and how near each is to a question. A slot (document) has one row a passage, and is as
// near as its nearest passage. Invariant: answers depend on the rows alone, bit for bit, not on how they came.
//
// Nearness is the cosine after the partition's mean is taken off both sides. Items of one memory are about the same people
// and things; what they all share says nothing of which one answers, and makes all cosines high ("all but the top",
// Mu and Viswanath 2018, first step). The mean is drawn towards zero as if 20 more rows were there: few rows prove little.
import { ByteRows } from './dot-kernel.ts';
import { dotProduct, type Quantized, quantize } from './quantized.ts';

/** Of every slot, the nearest passage; arrays are by slot, valid until the next call. */
export interface Nearness {
  /** In [-1, 1]; {@link NO_VECTOR} where the slot has no vector. */
  readonly nearness: Float64Array;
  /** The number of the nearest passage. */
  readonly passage: Uint32Array;
}

export const NO_VECTOR = -2;

const PRIOR_ROWS = 20;
/** Sums of components are kept as integers of this unit, so that their order does not matter. */
const UNIT = 2 ** -20;

interface Centre {
  /** The direction of the mean. */
  readonly direction: Quantized;
  /** Its length, in [0, 1]. */
  readonly length: number;
}

export class VectorTable {
  readonly #dimensions: number;
  readonly #rows: ByteRows;
  #scales = new Float32Array(16);
  /** -1 where the row is free. */
  #slots = new Int32Array(16);
  #passages = new Uint32Array(16);
  #rowCount = 0;
  readonly #free: number[] = [];
  readonly #rowsOf = new Map<number, number[]>();
  readonly #sums: Float64Array;
  /** Null after a change. */
  #centre: Centre | null = null;
  /** The cosine of each row with the centre's direction. */
  #towardsCentre = new Float64Array(16);
  #dots = new Int32Array(16);
  #nearness = new Float64Array(16);
  #passage = new Uint32Array(16);

  constructor(dimensions: number) {
    this.#dimensions = dimensions;
    this.#rows = new ByteRows(dimensions);
    this.#sums = new Float64Array(dimensions);
  }

  /** Rows in use. */
  get size(): number {
    return this.#rowCount - this.#free.length;
  }

  set(slot: number, passage: number, vector: Quantized): void {
    const old = this.#row(slot, passage);
    const row = old ?? this.#free.pop() ?? this.#newRow();
    if (old !== undefined) this.#count(old, -1);
    this.#rows.write(row, vector.values);
    this.#scales[row] = vector.scale;
    this.#slots[row] = slot;
    this.#passages[row] = passage;
    this.#count(row, 1);
    if (old !== undefined) return;
    const rows = this.#rowsOf.get(slot);
    if (rows === undefined) this.#rowsOf.set(slot, [row]);
    else rows.push(row);
  }

  /** Forgets all rows of a slot. */
  clear(slot: number): void {
    for (const row of this.#rowsOf.get(slot) ?? []) {
      this.#count(row, -1);
      this.#slots[row] = -1;
      this.#free.push(row);
    }
    this.#rowsOf.delete(slot);
  }

  /** The plain cosine of a passage with a question; null where there is no such row. */
  cosine(slot: number, passage: number, question: Quantized): number | null {
    const row = this.#row(slot, passage);
    return row === undefined ? null : dotProduct(this.#vector(row), question);
  }

  /** Compares every row with the question. `slots`: how many slots the partition has. */
  scan(question: Quantized, slots: number): Nearness {
    if (this.#nearness.length < slots) {
      this.#nearness = new Float64Array(slots * 2);
      this.#passage = new Uint32Array(slots * 2);
    }
    const nearness = this.#nearness.fill(NO_VECTOR);
    const best = this.#passage;
    const { direction, length } = this.#findCentre();
    const towardsCentre = this.#towardsCentre;
    const questionTowards = dotProduct(question, direction);
    const questionLeft = leftOver(questionTowards, length);
    const scales = this.#scales;
    const dots = this.#dots;
    this.#rows.dots(question.values, this.#rowCount, dots);
    for (let row = 0; row < this.#rowCount; row++) {
      const slot = this.#slots[row] ?? -1;
      if (slot < 0) continue;
      const towards = towardsCentre[row] ?? 0;
      const cosine = (dots[row] ?? 0) * (scales[row] ?? 0) * question.scale;
      const both = cosine - length * (towards + questionTowards) + length * length;
      const near = both / (leftOver(towards, length) * questionLeft);
      const passage = this.#passages[row] ?? 0;
      const old = nearness[slot] ?? NO_VECTOR;
      // Rows come back in any order after changes: of equal passages the first in the text wins.
      if (near > old || (near === old && passage < (best[slot] ?? 0))) {
        nearness[slot] = near;
        best[slot] = passage;
      }
    }
    return { nearness, passage: best };
  }

  #findCentre(): Centre {
    if (this.#centre !== null) return this.#centre;
    const mean = Float32Array.from(this.#sums, (sum) => (sum * UNIT) / (this.size + PRIOR_ROWS));
    const direction = quantize(mean);
    this.#rows.dots(direction.values, this.#rowCount, this.#dots);
    for (let row = 0; row < this.#rowCount; row++) {
      this.#towardsCentre[row] = (this.#dots[row] ?? 0) * (this.#scales[row] ?? 0) * direction.scale;
    }
    this.#centre = { direction, length: Math.hypot(...mean) };
    return this.#centre;
  }

  /** Adds a row to the sums, or takes it out (`sign` -1). */
  #count(row: number, sign: 1 | -1): void {
    const { values, scale } = this.#vector(row);
    for (let i = 0; i < this.#dimensions; i++) {
      this.#sums[i] = (this.#sums[i] ?? 0) + sign * Math.round(((values[i] ?? 0) * scale) / UNIT);
    }
    this.#centre = null;
  }

  #vector(row: number): Quantized {
    return { values: this.#rows.read(row), scale: this.#scales[row] ?? 0 };
  }

  #row(slot: number, passage: number): number | undefined {
    return this.#rowsOf.get(slot)?.find((row) => this.#passages[row] === passage);
  }

  #newRow(): number {
    const row = this.#rowCount++;
    if (row < this.#slots.length) return row;
    const capacity = this.#slots.length * 2;
    this.#scales = grown(this.#scales, new Float32Array(capacity));
    this.#slots = grown(this.#slots, new Int32Array(capacity));
    this.#passages = grown(this.#passages, new Uint32Array(capacity));
    this.#towardsCentre = new Float64Array(capacity);
    this.#dots = new Int32Array(capacity);
    return row;
  }
}

/** The length of a unit vector after the centre is taken off; `towards` is its cosine with the centre's direction. */
function leftOver(towards: number, length: number): number {
  // Never zero: only a vector that is the centre itself would leave nothing.
  return Math.sqrt(Math.max(1e-6, 1 - 2 * length * towards + length * length));
}

function grown<T extends Float32Array | Int32Array | Uint32Array>(old: T, larger: T): T {
  larger.set(old);
  return larger;
}
