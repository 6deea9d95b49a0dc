// Reads a folder of the shape corpus.jsonl + queries.jsonl into index documents and questions. Invariant: documents of
// one space are one partition, and a question names the partitions that it may see.
import { existsSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { IndexDocument, PartitionName } from '../../src/index/memory-index.ts';

export interface EvalQuestion {
  readonly id: string;
  readonly text: string;
  readonly partitions: readonly PartitionName[];
  /** Ids of the documents that answer it; empty or not, `answerable` decides whether nothing is the right result. */
  readonly relevant: ReadonlySet<string>;
  readonly answerable: boolean;
}

export interface Dataset {
  readonly name: string;
  readonly partitions: ReadonlyMap<PartitionName, readonly IndexDocument[]>;
  readonly questions: readonly EvalQuestion[];
  /** What a question by its asker may get: the rest is superseded, pinned (delivered apart) or another user's. */
  readonly accept: (id: string) => boolean;
  /** Whether each case asks for an exact set (PrecisionMemBench) or for a ranking. */
  readonly exactSets: boolean;
}

interface CorpusLine {
  readonly id: string;
  readonly text: string;
  readonly space?: string;
  readonly time?: string;
  readonly title?: string;
  readonly name?: string;
  readonly aliases?: readonly string[];
  readonly user?: string;
  readonly pinned?: boolean;
  readonly superseded_by?: string | null;
}

interface QueryLine {
  readonly id: string;
  readonly text: string;
  readonly space?: string | readonly string[];
  readonly user?: string;
  readonly relevant: readonly string[];
  readonly answerable?: boolean;
}

/** Null when the folder has no such files. Throws on lines that are not JSON. */
export function readDataset(folder: string): Dataset | null {
  const [corpusFile, queriesFile] = [join(folder, 'corpus.jsonl'), join(folder, 'queries.jsonl')];
  if (!existsSync(corpusFile) || !existsSync(queriesFile)) return null;
  const corpus = readLines<CorpusLine>(corpusFile);
  const queries = readLines<QueryLine>(queriesFile);
  const partitions = new Map<PartitionName, IndexDocument[]>();
  for (const line of corpus) {
    const name = partitionOf(line.space);
    const documents = partitions.get(name) ?? [];
    documents.push(toDocument(line));
    partitions.set(name, documents);
  }
  const [asker] = queries.map(({ user }) => user);
  const hidden = new Set(
    corpus
      .filter(
        ({ pinned, superseded_by, user }) => pinned === true || (superseded_by ?? null) !== null || user !== asker,
      )
      .map(({ id }) => id),
  );
  return {
    name: basename(folder),
    partitions,
    questions: queries.map((line) => ({
      id: line.id,
      text: line.text,
      partitions: typeof line.space === 'object' ? line.space.map(partitionOf) : [partitionOf(line.space)],
      relevant: new Set(line.relevant),
      answerable: line.answerable !== false,
    })),
    accept: (id) => !hidden.has(id),
    exactSets: corpus.some(({ superseded_by }) => superseded_by !== undefined),
  };
}

function toDocument({ id, text, title, name, aliases, time }: CorpusLine): IndexDocument {
  const whole = title === undefined ? text : `${title}\n\n${text}`;
  return {
    id,
    text: whole.trim(),
    statement: (whole.trim().split(/\n[ \t]*\n/)[0] ?? '').replaceAll(/\s+/g, ' '),
    kind: 'fact',
    tags: name === undefined ? [] : [name, ...(aliases ?? [])],
    target: null,
    created: isoDate(time),
  };
}

/** ISO dates stay; "1:56 pm on 8 May, 2023" becomes one; anything else is no date. */
function isoDate(time: string | undefined): string {
  if (time === undefined || /^\d{4}-\d{2}-\d{2}/.test(time)) return time ?? '';
  const milliseconds = Date.parse(`${time.replace(/^.* on /, '')} UTC`);
  return Number.isNaN(milliseconds) ? '' : new Date(milliseconds).toISOString();
}

function partitionOf(space: string | undefined): PartitionName {
  return space === undefined ? 'personal' : `space:${space}`;
}

function readLines<T>(file: string): T[] {
  return readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => JSON.parse(line) as T);
}
