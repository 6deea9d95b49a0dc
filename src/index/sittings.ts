// Which documents were stored in one sitting: within one hour of the clock, or on one day where no time is given. What was
// stored together is mostly about one thing. Invariant: a sitting so large that it must be an import is none.

/** More documents than this in an hour were not said in one conversation. */
const LARGEST = 50;
const DATE = /^\d{4}-\d{2}-\d{2}(?:[T ]\d{2})?/;

/** The two highest values among the members of each sitting. */
export class Sittings {
  readonly #numbers = new Map<string, number>();
  readonly #sizes: number[] = [];
  /** Sitting by slot; -1 for none. */
  #sittingOf = new Int32Array(16).fill(-1);
  #best = new Float64Array(16);
  #second = new Float64Array(16);

  join(slot: number, created: string): void {
    const key = DATE.exec(created)?.[0].replace(' ', 'T');
    if (key === undefined) return;
    let sitting = this.#numbers.get(key);
    if (sitting === undefined) {
      sitting = this.#sizes.length;
      this.#numbers.set(key, sitting);
      this.#sizes.push(0);
    }
    if (slot >= this.#sittingOf.length) {
      const larger = new Int32Array(Math.max(slot + 1, this.#sittingOf.length * 2)).fill(-1);
      larger.set(this.#sittingOf);
      this.#sittingOf = larger;
    }
    this.#sittingOf[slot] = sitting;
    this.#sizes[sitting] = (this.#sizes[sitting] ?? 0) + 1;
  }

  leave(slot: number): void {
    const sitting = this.#sittingOf[slot] ?? -1;
    if (sitting === -1) return;
    this.#sittingOf[slot] = -1;
    this.#sizes[sitting] = (this.#sizes[sitting] ?? 0) - 1;
  }

  /** Begins a round: nothing was noted yet. */
  reset(): void {
    if (this.#best.length < this.#sizes.length) {
      this.#best = new Float64Array(this.#sizes.length * 2);
      this.#second = new Float64Array(this.#sizes.length * 2);
    }
    this.#best.fill(Number.NEGATIVE_INFINITY);
    this.#second.fill(Number.NEGATIVE_INFINITY);
  }

  note(slot: number, value: number): void {
    const sitting = this.#sittingOf[slot] ?? -1;
    if (sitting === -1) return;
    if (value > (this.#best[sitting] ?? 0)) {
      this.#second[sitting] = this.#best[sitting] ?? 0;
      this.#best[sitting] = value;
    } else if (value > (this.#second[sitting] ?? 0)) {
      this.#second[sitting] = value;
    }
  }

  /** The best value noted by another member of the slot's sitting; minus infinity without one. `own`: what the slot noted. */
  bestOther(slot: number, own: number): number {
    const sitting = this.#sittingOf[slot] ?? -1;
    if (sitting === -1 || (this.#sizes[sitting] ?? 0) > LARGEST) return Number.NEGATIVE_INFINITY;
    const best = this.#best[sitting] ?? 0;
    return (own === best ? this.#second[sitting] : best) ?? 0;
  }
}
