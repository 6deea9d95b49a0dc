// The inverted index of one partition and its BM25. Invariant: scores depend on the live documents alone, bit for bit,
// not on the order in which they came or on what was removed: counts are integers, and sums run in question order.
//
// Postings live in two places: a frozen base of typed arrays (what a snapshot holds) and a small map of what came since.

import { append } from '../memory/grouped.ts';
import { BEGINNING, type Vocabulary } from './spelling.ts';

/** BM25's constants: saturation of repeats, and how much length counts. Both a little low, because items are short. */
export const K1 = 0.9;
export const B = 0.6;
/** What the counts of a frozen base can hold. */
const MOST_COUNTED = 0xffff;

/** The frozen part: for term `t`, documents and counts stand at `starts[t] .. starts[t + 1]`. */
export interface FrozenPostings {
  readonly terms: readonly string[];
  readonly starts: Uint32Array;
  readonly slots: Uint32Array;
  readonly counts: Uint16Array;
}

/** A term of a question. */
export interface QuestionTerm {
  readonly term: string;
  /** How much of its idf counts, in (0, 1]. */
  readonly weight: number;
  /** A `tag` is a whole tag, as {@link tagTerm} makes it; it counts for {@link WordScores.named} alone, as a `name` does also. */
  readonly kind: 'word' | 'name' | 'tag';
}

/** What a question's words find. Arrays are by slot, valid until the next call. */
export interface WordScores {
  /** BM25 over its upper bound for the question, Σ weight(t)·idf(t)·(k1+1): in [0, 1]. */
  readonly words: Float64Array;
  /** The largest weighted idf among the matched terms, over the idf of a term that no document has: in [0, 1). */
  readonly rarest: Float64Array;
  /** The same for the names and tags of the question alone; 0 where the document has none of them. */
  readonly named: Float64Array;
}

export class Postings implements Vocabulary {
  #base: FrozenPostings = {
    terms: [],
    starts: new Uint32Array(1),
    slots: new Uint32Array(0),
    counts: new Uint16Array(0),
  };
  #baseTerm = new Map<string, number>();
  /** The base's terms by their beginning; null until somebody misspells a word. */
  #baseFrom: ReadonlyMap<string, readonly string[]> | null = null;
  /** How many documents of the base's list of a term are gone. */
  readonly #gone = new Map<string, number>();
  readonly #added = new Map<string, Map<number, number>>();
  /** Length in terms by slot; 0 with `#alive` 0 where there is no document. */
  #lengths = new Uint32Array(16);
  #alive = new Uint8Array(16);
  /** 1 where the slot's document is alive and stands in the base: other postings of the base are dead. */
  #frozen = new Uint8Array(16);
  #changes = 0;
  #documents = 0;
  #totalLength = 0;
  #words = new Float64Array(16);
  #rarest = new Float64Array(16);
  #named = new Float64Array(16);

  get documents(): number {
    return this.#documents;
  }

  /** Takes over a base whose document in slot `i` has `lengths[i]` terms, without the `dead`; for an empty index only. */
  load(base: FrozenPostings, lengths: Uint32Array, dead: ReadonlySet<number>): void {
    this.#base = base;
    this.#baseFrom = null;
    base.terms.forEach((term, index) => this.#baseTerm.set(term, index));
    this.#reserve(lengths.length);
    this.#lengths.set(lengths);
    this.#alive.fill(1, 0, lengths.length);
    this.#frozen.fill(1, 0, lengths.length);
    this.#documents = lengths.length - dead.size;
    for (const length of lengths) this.#totalLength += length;
    for (const slot of dead) {
      this.#alive[slot] = 0;
      this.#frozen[slot] = 0;
      this.#totalLength -= at(lengths, slot);
    }
    if (dead.size > 0) this.#countGone();
    this.#changes = dead.size;
  }

  #countGone(): void {
    for (const [index, term] of this.#base.terms.entries()) {
      let gone = 0;
      for (let i = at(this.#base.starts, index); i < at(this.#base.starts, index + 1); i++) {
        if (this.#alive[at(this.#base.slots, i)] === 0) gone += 1;
      }
      if (gone > 0) this.#gone.set(term, gone);
    }
  }

  /** Puts a document into a slot that has none. */
  add(slot: number, terms: ReadonlyMap<string, number>): void {
    this.#reserve(slot + 1);
    let length = 0;
    for (const [term, occurrences] of terms) {
      const count = Math.min(occurrences, MOST_COUNTED);
      length += count;
      let list = this.#added.get(term);
      if (list === undefined) this.#added.set(term, (list = new Map()));
      list.set(slot, count);
    }
    this.#alive[slot] = 1;
    this.#frozen[slot] = 0;
    this.#lengths[slot] = length;
    this.#totalLength += length;
    this.#documents += 1;
    this.#changes += 1;
  }

  /** Takes out the document of a slot; `terms` must be those that it was added with. */
  remove(slot: number, terms: ReadonlyMap<string, number>): void {
    const frozen = this.#frozen[slot] === 1;
    for (const term of terms.keys()) {
      if (frozen) {
        this.#gone.set(term, (this.#gone.get(term) ?? 0) + 1);
        continue;
      }
      const list = this.#added.get(term);
      list?.delete(slot);
      if (list?.size === 0) this.#added.delete(term);
    }
    this.#alive[slot] = 0;
    this.#frozen[slot] = 0;
    this.#totalLength -= this.#lengths[slot] ?? 0;
    this.#documents -= 1;
    this.#changes += 1;
  }

  /** In how many documents a term occurs. */
  documentFrequency(term: string): number {
    const index = this.#baseTerm.get(term);
    const inBase = index === undefined ? 0 : at(this.#base.starts, index + 1) - at(this.#base.starts, index);
    return inBase - (this.#gone.get(term) ?? 0) + (this.#added.get(term)?.size ?? 0);
  }

  /**
   * Scores every document that has a term of the question. A term counts once, however often the question has it.
   * idf(t) = ln(1 + (N - n + 0.5) / (n + 0.5)), as in Lucene; an unknown term has the idf of n = 0 and counts in the bound.
   */
  score(terms: readonly QuestionTerm[]): WordScores {
    const words = this.#words.fill(0);
    const rarest = this.#rarest.fill(0);
    const named = this.#named.fill(0);
    const highestIdf = idf(this.#documents, 0);
    const averageLength = this.#documents === 0 ? 1 : this.#totalLength / this.#documents;
    const bound = terms.reduce(
      (sum, { term, weight, kind }) => sum + (kind === 'tag' ? 0 : weight * this.#idf(term) * (K1 + 1)),
      0,
    );
    for (const { term, weight, kind } of terms) {
      const weighted = weight * this.#idf(term);
      const share = (weighted * (K1 + 1)) / bound;
      const rarity = weighted / highestIdf;
      const credit = (slot: number, count: number): void => {
        if (kind !== 'word' && rarity > at(named, slot)) named[slot] = rarity;
        if (kind === 'tag') return;
        const norm = K1 * (1 - B + (B * at(this.#lengths, slot)) / averageLength);
        words[slot] = at(words, slot) + (share * count) / (count + norm);
        if (rarity > at(rarest, slot)) rarest[slot] = rarity;
      };
      const index = this.#baseTerm.get(term);
      if (index !== undefined) {
        const end = at(this.#base.starts, index + 1);
        for (let i = at(this.#base.starts, index); i < end; i++) {
          const slot = at(this.#base.slots, i);
          if (this.#frozen[slot] === 1) credit(slot, at(this.#base.counts, i));
        }
      }
      const added = this.#added.get(term);
      if (added !== undefined) for (const [slot, count] of added) credit(slot, count);
    }
    return { words, rarest, named };
  }

  *termsFrom(beginning: string): Iterable<string> {
    this.#baseFrom ??= byBeginning(this.#base.terms);
    for (const term of this.#baseFrom.get(beginning) ?? []) if (this.documentFrequency(term) > 0) yield term;
    for (const term of this.#added.keys()) if (term.startsWith(beginning) && !this.#baseTerm.has(term)) yield term;
  }

  #idf(term: string): number {
    return idf(this.#documents, this.documentFrequency(term));
  }

  /** Merges what came since into a new base, without the dead. */
  freeze(): void {
    if (this.#changes === 0) return;
    const terms = new Set<string>([...this.#base.terms, ...this.#added.keys()]);
    const kept: string[] = [];
    const starts: number[] = [0];
    const slots: number[] = [];
    const counts: number[] = [];
    for (const term of terms) {
      const before = slots.length;
      const index = this.#baseTerm.get(term);
      if (index !== undefined) {
        for (let i = at(this.#base.starts, index); i < at(this.#base.starts, index + 1); i++) {
          const slot = at(this.#base.slots, i);
          if (this.#frozen[slot] !== 1) continue;
          slots.push(slot);
          counts.push(at(this.#base.counts, i));
        }
      }
      for (const [slot, count] of this.#added.get(term) ?? []) {
        slots.push(slot);
        counts.push(count);
      }
      if (slots.length === before) continue;
      kept.push(term);
      starts.push(slots.length);
    }
    this.#base = {
      terms: kept,
      starts: Uint32Array.from(starts),
      slots: Uint32Array.from(slots),
      counts: Uint16Array.from(counts),
    };
    this.#baseFrom = null;
    this.#baseTerm = new Map(kept.map((term, index) => [term, index]));
    this.#gone.clear();
    this.#added.clear();
    this.#frozen.set(this.#alive);
    this.#changes = 0;
  }

  /** The frozen part with slots renumbered by `newSlot`; call {@link freeze} first. */
  renumbered(newSlot: (slot: number) => number): FrozenPostings {
    return { ...this.#base, slots: this.#base.slots.map((slot) => newSlot(slot)) };
  }

  lengthOf(slot: number): number {
    return at(this.#lengths, slot);
  }

  /** Documents added or removed since the last {@link freeze}. */
  get changes(): number {
    return this.#changes;
  }

  #reserve(slots: number): void {
    if (slots <= this.#alive.length) return;
    const capacity = Math.max(slots, this.#alive.length * 2);
    this.#lengths = grown(this.#lengths, new Uint32Array(capacity));
    this.#alive = grown(this.#alive, new Uint8Array(capacity));
    this.#frozen = grown(this.#frozen, new Uint8Array(capacity));
    this.#words = new Float64Array(capacity);
    this.#rarest = new Float64Array(capacity);
    this.#named = new Float64Array(capacity);
  }
}

function byBeginning(terms: readonly string[]): ReadonlyMap<string, readonly string[]> {
  const lists = new Map<string, string[]>();
  for (const term of terms) append(lists, term.slice(0, BEGINNING), term);
  return lists;
}

function idf(documents: number, withTerm: number): number {
  return Math.log(1 + (documents - withTerm + 0.5) / (withTerm + 0.5));
}

function grown<T extends Uint8Array | Uint32Array>(old: T, larger: T): T {
  larger.set(old);
  return larger;
}

// Indices come from the arrays' own bounds, so that the fallback is never taken.
function at(array: Uint8Array | Uint16Array | Uint32Array | Float64Array, index: number): number {
  return array[index] ?? 0;
}
