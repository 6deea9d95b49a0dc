// The best few of many. Invariant: best first, ties by id (UTF-16 order), whatever the order of adding.

export interface Ranked<T> {
  readonly id: string;
  readonly score: number;
  readonly value: T;
}

export class Ranking<T> {
  readonly #limit: number;
  readonly #best: Array<Ranked<T>> = [];
  #total = 0;

  constructor(limit: number) {
    this.#limit = limit;
  }

  /** How many were added. */
  get total(): number {
    return this.#total;
  }

  /** `value` is made for those alone that are among the best so far. */
  add(id: string, score: number, value: () => T): void {
    this.#total += 1;
    const best = this.#best;
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
