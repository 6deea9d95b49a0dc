// One partition: its documents, their words and their vectors, in numbered slots. Invariant: what it answers depends on
// its live documents alone; it knows of no other partition.
import { hash } from 'node:crypto';
import { type Definition, definitionsIn } from '../memory/definition.ts';
import { type Embedder, reads } from './embedder.ts';
import { detectLanguage, type LanguageCode } from './language.ts';
import type { Accept, IndexDocument, PartitionName } from './memory-index.ts';
import { splitPassages } from './passages.ts';
import { Postings, type QuestionTerm, type WordScores } from './postings.ts';
import type { Quantized } from './quantized.ts';
import type { Defined } from './rewording.ts';
import { Sittings } from './sittings.ts';
import type { PartitionSnapshot } from './snapshot.ts';
import type { Vocabulary } from './spelling.ts';
import { countTerms, tagTerm, wordsOf } from './tokenize.ts';
import { type VectorKey, vectorKey } from './vector-cache.ts';
import { type Nearness, VectorTable } from './vector-table.ts';

export interface Entry {
  readonly document: IndexDocument;
  readonly contentHash: string;
  /** Keys of the passages' vectors in text order; empty without a model that reads the language. */
  readonly passages: readonly VectorKey[];
}

export interface PartitionOptions {
  readonly name: PartitionName;
  /** What makes the vectors; null for words only. */
  readonly model: Pick<Embedder, 'dimensions' | 'languages'> | null;
  readonly vectorOf: (key: VectorKey) => Quantized | undefined;
  /** Told of every passage whose vector is not known yet. */
  readonly onMissing: (partition: Partition, slot: number, passage: number, entry: Entry) => void;
}

/** A recall asks for what answers and for what is outdated, again and again. */
const ACCEPTED_KEPT = 2;

// A change costs a little more until it is frozen; freezing costs a pass over everything.
const CHANGES_BEFORE_FREEZE = 2000;

export class Partition {
  readonly name: PartitionName;
  readonly #options: PartitionOptions;
  readonly #postings = new Postings();
  readonly #vectors: VectorTable | null;
  readonly #entries: Array<Entry | undefined> = [];
  readonly #slotOf = new Map<string, number>();
  readonly #unused: number[] = [];
  #passages = 0;
  readonly #sittings = new Sittings();
  /** What the vocabulary items define, by slot. */
  readonly #definitions = new Map<number, readonly Definition[]>();
  /** What was accepted since the last change, by who asked. */
  readonly #accepted = new Map<Accept, Uint8Array>();
  #changed = false;

  constructor(options: PartitionOptions) {
    this.name = options.name;
    this.#options = options;
    this.#vectors = options.model === null ? null : new VectorTable(options.model.dimensions);
  }

  get documents(): number {
    return this.#slotOf.size;
  }

  get vectors(): number {
    return this.#vectors?.size ?? 0;
  }

  /** How many passages its documents have that the model reads. */
  get passages(): number {
    return this.#passages;
  }

  /** Whether a snapshot of now would differ from what was read or written last. */
  get changed(): boolean {
    return this.#changed;
  }

  get slots(): number {
    return this.#entries.length;
  }

  entry(slot: number): Entry | undefined {
    return this.#entries[slot];
  }

  /** By slot: 1 where there is a document that `accept` takes. */
  accepted(accept: Accept): Uint8Array {
    const known = this.#accepted.get(accept);
    if (known !== undefined) return known;
    const accepted = new Uint8Array(this.#entries.length);
    for (const [slot, entry] of this.#entries.entries()) {
      if (entry !== undefined && accept(entry.document.id)) accepted[slot] = 1;
    }
    if (this.#accepted.size >= ACCEPTED_KEPT) this.#accepted.clear();
    this.#accepted.set(accept, accepted);
    return accepted;
  }

  /** Fills the empty partition with exactly these documents; of one id the last counts. */
  open(documents: Iterable<IndexDocument>, snapshot: PartitionSnapshot | null): void {
    const wanted = new Map<string, IndexDocument>();
    for (const document of documents) wanted.set(document.id, document);
    if (snapshot !== null) this.#restore(snapshot, wanted);
    this.#changed = snapshot === null || this.#postings.changes > 0;
    for (const document of wanted.values()) this.put(document);
    this.#freezeIfWorthIt();
  }

  put(document: IndexDocument): void {
    const contentHash = hashOf(document);
    const old = this.#slotOf.get(document.id);
    if (old !== undefined && this.#entries[old]?.contentHash === contentHash) return;
    this.remove(document.id);
    const slot = this.#unused.pop() ?? this.#entries.length;
    const language = detectLanguage(document.text);
    const { model } = this.#options;
    const passages = model === null || !reads(model, language) ? [] : passageTexts(document).map(vectorKey);
    this.#postings.add(slot, termsOf(document, language));
    this.#occupy(slot, { document, contentHash, passages });
    this.#changed = true;
    this.#freezeIfWorthIt();
  }

  remove(id: string): void {
    const slot = this.#slotOf.get(id);
    const entry = slot === undefined ? undefined : this.#entries[slot];
    if (slot === undefined || entry === undefined) return;
    this.#slotOf.delete(id);
    this.#entries[slot] = undefined;
    this.#accepted.clear();
    this.#definitions.delete(slot);
    this.#passages -= entry.passages.length;
    this.#postings.remove(slot, termsOf(entry.document, detectLanguage(entry.document.text)));
    this.#vectors?.clear(slot);
    this.#sittings.leave(slot);
    this.#unused.push(slot);
    this.#changed = true;
  }

  /** Gives a passage its vector, if the slot still has the document that it was made for. */
  attach(slot: number, passage: number, key: VectorKey, vector: Quantized): void {
    if (this.#entries[slot]?.passages[passage] === key) this.#vectors?.set(slot, passage, vector);
  }

  /** Every definition of its vocabulary items that `may` explain a question, in no particular order. */
  *definitions(may: Accept): Iterable<Defined> {
    for (const [slot, definitions] of this.#definitions) {
      const document = this.#entries[slot]?.document;
      if (document === undefined || !may(document.id)) continue;
      const { id, created } = document;
      for (const definition of definitions) yield { ...definition, id, created };
    }
  }

  get vocabulary(): Vocabulary {
    return this.#postings;
  }

  /** The sittings of its slots. */
  get sittings(): Sittings {
    return this.#sittings;
  }

  scoreWords(terms: readonly QuestionTerm[]): WordScores {
    return this.#postings.score(terms);
  }

  scoreVectors(question: Quantized): Nearness | null {
    return this.#vectors?.scan(question, this.#entries.length) ?? null;
  }

  cosine(slot: number, passage: number, question: Quantized): number | null {
    return this.#vectors?.cosine(slot, passage, question) ?? null;
  }

  snapshot(): PartitionSnapshot {
    this.#postings.freeze();
    const documents: Entry[] = [];
    const numbers = new Map<number, number>();
    const lengths: number[] = [];
    for (const [slot, entry] of this.#entries.entries()) {
      if (entry === undefined) continue;
      numbers.set(slot, documents.length);
      documents.push(entry);
      lengths.push(this.#postings.lengthOf(slot));
    }
    return {
      documents: documents.map(({ document, contentHash, passages }) => ({ id: document.id, contentHash, passages })),
      lengths: Uint32Array.from(lengths),
      postings: this.#postings.renumbered((slot) => numbers.get(slot) ?? 0),
    };
  }

  /** A snapshot was written: until the next change there is nothing to save. */
  saved(): void {
    this.#changed = false;
  }

  /** Takes what a snapshot knows of the wanted documents, and takes those out of `wanted`. */
  #restore(snapshot: PartitionSnapshot, wanted: Map<string, IndexDocument>): void {
    const dead = new Set<number>();
    const kept: Array<[slot: number, entry: Entry]> = [];
    for (const [slot, { id, contentHash, passages }] of snapshot.documents.entries()) {
      const document = wanted.get(id);
      if (document === undefined || hashOf(document) !== contentHash) {
        dead.add(slot);
        continue;
      }
      wanted.delete(id);
      kept.push([slot, { document, contentHash, passages }]);
    }
    this.#postings.load(snapshot.postings, snapshot.lengths, dead);
    this.#entries.length = snapshot.documents.length;
    this.#unused.push(...dead);
    for (const [slot, entry] of kept) this.#occupy(slot, entry);
  }

  #occupy(slot: number, entry: Entry): void {
    this.#entries[slot] = entry;
    this.#accepted.clear();
    this.#slotOf.set(entry.document.id, slot);
    this.#passages += entry.passages.length;
    this.#sittings.join(slot, entry.document.created);
    if (entry.document.kind === 'vocabulary') this.#definitions.set(slot, definitionsIn(entry.document.text));
    for (const [passage, key] of entry.passages.entries()) {
      const vector = this.#options.vectorOf(key);
      if (vector === undefined) this.#options.onMissing(this, slot, passage, entry);
      else this.#vectors?.set(slot, passage, vector);
    }
  }

  #freezeIfWorthIt(): void {
    if (this.#postings.changes > Math.max(CHANGES_BEFORE_FREEZE, this.documents / 4)) this.#postings.freeze();
  }
}

/** The texts that are embedded for a document, in order. */
export function passageTexts(document: IndexDocument): string[] {
  return splitPassages(document.text);
}

function termsOf(document: IndexDocument, language: LanguageCode): Map<string, number> {
  const terms = countTerms([document.text, ...document.tags, document.target ?? ''].join('\n'), language);
  for (const tag of document.tags) {
    const words = wordsOf(tag, language);
    // A posting without an occurrence: it is found, and makes the document no longer.
    if (words.length > 0) terms.set(tagTerm(words), 0);
  }
  return terms;
}

function hashOf({ text, tags, target, kind, created, statement }: IndexDocument): string {
  const fields = [statement, text, kind, created, target ?? '', ...tags];
  return hash('sha256', fields.map((field) => `${field.length}:${field}`).join(''), 'hex').slice(0, 32);
}
