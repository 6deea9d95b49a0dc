// The vectors of one partition, and the exact nearest among them. A slot (document) has one row a passage; the cosine of
// a slot is that of its best passage. Invariant: rows of one slot stay in passage order, and unused rows never score.
import type { Quantized } from './quantized.ts';

/** The best passage of every slot for one question; arrays are by slot, valid until the next call. */
export interface Cosines {
  /** -2 where the slot has no vector. */
  readonly cosine: Float64Array;
  readonly passage: Uint32Array;
}

export const NO_COSINE = -2;

export class VectorTable {
  readonly #dimensions: number;
  #values: Int8Array;
  #scales = new Float32Array(16);
  #slots = new Int32Array(16).fill(-1);
  #passages = new Uint32Array(16);
  #rows = 0;
  readonly #free: number[] = [];
  readonly #rowsOf = new Map<number, number[]>();
  #cosine = new Float64Array(16);
  #passage = new Uint32Array(16);

  constructor(dimensions: number) {
    this.#dimensions = dimensions;
    this.#values = new Int8Array(16 * dimensions);
  }

  /** Rows in use. */
  get size(): number {
    return this.#rows - this.#free.length;
  }

  set(slot: number, passage: number, vector: Quantized): void {
    const old = this.#rowsOf.get(slot)?.find((row) => this.#passages[row] === passage);
    const row = old ?? this.#free.pop() ?? this.#newRow();
    this.#values.set(vector.values, row * this.#dimensions);
    this.#scales[row] = vector.scale;
    if (old !== undefined) return;
    this.#slots[row] = slot;
    this.#passages[row] = passage;
    const rows = this.#rowsOf.get(slot);
    if (rows === undefined) this.#rowsOf.set(slot, [row]);
    else rows.push(row);
  }

  /** Forgets all rows of a slot. */
  clear(slot: number): void {
    for (const row of this.#rowsOf.get(slot) ?? []) {
      this.#slots[row] = -1;
      this.#free.push(row);
    }
    this.#rowsOf.delete(slot);
  }

  /** Compares every row with the question, exactly. `slots`: how many slots the partition has. */
  scan(question: Quantized, slots: number): Cosines {
    if (this.#cosine.length < slots) {
      this.#cosine = new Float64Array(slots * 2);
      this.#passage = new Uint32Array(slots * 2);
    }
    const cosines = this.#cosine.fill(NO_COSINE);
    const best = this.#passage;
    const values = this.#values;
    const wanted = question.values;
    const dimensions = this.#dimensions;
    for (let row = 0; row < this.#rows; row++) {
      const slot = this.#slots[row] ?? -1;
      if (slot < 0) continue;
      let dot = 0;
      const offset = row * dimensions;
      for (let i = 0; i < dimensions; i++) dot += (values[offset + i] ?? 0) * (wanted[i] ?? 0);
      const cosine = dot * (this.#scales[row] ?? 0) * question.scale;
      const passage = this.#passages[row] ?? 0;
      const old = cosines[slot] ?? NO_COSINE;
      // Rows come back in any order after changes: of equal passages the first in the text wins.
      if (cosine > old || (cosine === old && passage < (best[slot] ?? 0))) {
        cosines[slot] = cosine;
        best[slot] = passage;
      }
    }
    return { cosine: cosines, passage: best };
  }

  #newRow(): number {
    const row = this.#rows++;
    if (row >= this.#slots.length) {
      const capacity = this.#slots.length * 2;
      const values = new Int8Array(capacity * this.#dimensions);
      values.set(this.#values);
      this.#values = values;
      const scales = new Float32Array(capacity);
      scales.set(this.#scales);
      this.#scales = scales;
      const slots = new Int32Array(capacity).fill(-1);
      slots.set(this.#slots);
      this.#slots = slots;
      const passages = new Uint32Array(capacity);
      passages.set(this.#passages);
      this.#passages = passages;
    }
    return row;
  }
}
