// The best few of many. Invariant: best first, each id once with its best score, ties by id (UTF-16 order), whatever the
// order of adding.

export interface Ranked<T> {
  readonly id: string;
  readonly score: number;
  readonly value: T;
}

export class Ranking<T> {
  readonly #limit: number;
  readonly #best: Array<Ranked<T>> = [];
  /** Null where no id is added twice: remembering them all would cost as much as the rest. */
  readonly #seen: Set<string> | null;
  #total = 0;

  constructor(limit: number, options: { readonly repeats: boolean } = { repeats: false }) {
    this.#limit = limit;
    this.#seen = options.repeats ? new Set() : null;
  }

  /** How many ids were added. */
  get total(): number {
    return this.#total;
  }

  /** `value` is made for those alone that are among the best so far. */
  add(id: string, score: number, value: () => T): void {
    const best = this.#best;
    if (this.#seen?.has(id) === true) {
      const place = best.findIndex((known) => known.id === id);
      if (place >= 0 && (best[place]?.score ?? 0) >= score) return;
      if (place >= 0) best.splice(place, 1);
    } else {
      this.#seen?.add(id);
      this.#total += 1;
    }
    const last = best.at(-1);
    if (best.length >= this.#limit && (last === undefined || !isBefore(score, id, last))) return;
    let place = best.length;
    for (let before = best[place - 1]; before !== undefined && isBefore(score, id, before); before = best[place - 1]) {
      place -= 1;
    }
    best.splice(place, 0, { id, score, value: value() });
    if (best.length > this.#limit) best.pop();
  }

  best(): ReadonlyArray<Ranked<T>> {
    return this.#best;
  }
}

function isBefore(score: number, id: string, other: { readonly score: number; readonly id: string }): boolean {
  return score > other.score || (score === other.score && id < other.id);
}
