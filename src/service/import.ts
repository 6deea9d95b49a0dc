// Brings other memories along: reads them, leaves out what is known, forgotten or said twice, and stores the rest in one
// commit. Idempotent: an item's id comes from its place and its text, so that a second run finds it again.

import { setImmediate as yieldToOthers } from 'node:timers/promises';
import { StetError } from '../memory/failure.ts';
import { isKind, KINDS, type Item, type Kind, type Space } from '../memory/item.ts';
import type { OnProgress } from '../memory/progress.ts';
import { PERSONAL_KEY, spaceKeyOf } from '../memory/space-key.ts';
import { normaliseStatement } from '../memory/statement.ts';
import { resolveFolder } from '../repo/project-folder.ts';
import { subjectLine } from './commit-message.ts';
import { noteSources, type NoteFormat } from './import-notes.ts';
import type { Found, ImportSources } from './import-source.ts';
import { statementSources, type StatementFormat } from './import-statements.ts';
import { knownSpace } from './list-items.ts';
import type { Memory } from './memory.ts';
import type { ImportPlan, ImportSummary } from './results.ts';

export type ImportFormat = NoteFormat | StatementFormat;

export interface ImportRequest {
  readonly format: ImportFormat;
  /** Absolute paths. */
  readonly paths: readonly string[];
  /** What came on stdin, for formats that are one text. */
  readonly text?: string;
  /** A space's name, or `personal`; without one the folder decides for rules and Claude Code's memory, else personal. */
  readonly space?: string;
  /** For all statements, whatever their format says; not for notes, which keep what they have. */
  readonly kind?: string;
  /** Who stored them, where the other memory does not say. */
  readonly source?: string;
  /** Whether the plan is carried out. */
  readonly confirm: (plan: ImportPlan) => Promise<boolean>;
  readonly onProgress?: OnProgress;
  /** Stops it as long as nothing has been stored: it throws `interrupted`. */
  readonly signal?: AbortSignal;
}

/** Between so many sources others get a turn: a signal, above all. */
const YIELD_EVERY = 20;

/** Throws `bad-argument` for a path, space or kind that is not there. */
export async function importFrom(memory: Memory, request: ImportRequest): Promise<ImportSummary> {
  await memory.refresh();
  const { name, sources, skipped } = await sourcesOf(memory, request);
  const found: Found[] = skipped.map(({ path, reason }) => ({ ok: false, from: path, reason }));
  for (const [done, source] of sources.entries()) {
    request.onProgress?.(done, sources.length);
    if (done % YIELD_EVERY === 0) await yieldToOthers();
    stopIfAsked(request);
    found.push(...(await source.read()));
  }
  request.onProgress?.(sources.length, sources.length);
  const { fresh, plan } = planImport(memory, found);
  const isWanted = fresh.length > 0 && (await request.confirm(plan));
  await yieldToOthers();
  stopIfAsked(request);
  const word = request.format === 'markdown' || request.format === 'obsidian' ? 'note' : 'item';
  const subject = subjectLine('import', `${fresh.length} ${word}${fresh.length === 1 ? '' : 's'} from ${name}`);
  const commit = isWanted ? await store(memory, fresh, subject) : null;
  return { ...plan, imported: isWanted ? fresh.length : 0, commit };
}

function stopIfAsked({ signal }: ImportRequest): void {
  if (signal?.aborted === true) throw new StetError({ code: 'interrupted', left: 'Nothing was imported.' });
}

function sourcesOf(memory: Memory, request: ImportRequest): Promise<ImportSources> | ImportSources {
  const { format, paths, text } = request;
  const space = request.space === undefined ? undefined : knownSpace(memory, request.space);
  const source = request.source ?? SOURCES[format];
  switch (format) {
    case 'markdown':
    case 'obsidian':
    case 'basic-memory': {
      const [folder = ''] = paths;
      const root = resolveFolder(folder);
      if (root === null)
        throw badArgument('FOLDER', `there is no folder ${folder}`, 'Name the folder that holds the notes.');
      return noteSources({ format, root, space: space ?? null, source });
    }
    case 'rules':
    case 'claude-memory':
    case 'server-memory':
    case 'list':
      return statementSources(memory, {
        format,
        paths,
        text: text ?? null,
        space,
        kind: kindOf(request.kind),
        source,
        now: memory.now(),
      });
  }
}

/** Who stored what a format brings. Rules are called by their file. */
const SOURCES: Readonly<Record<ImportFormat, string>> = {
  markdown: 'import',
  obsidian: 'obsidian',
  'basic-memory': 'basic-memory',
  rules: 'rules',
  'claude-memory': 'Claude Code',
  'server-memory': 'server-memory',
  list: 'import',
};

function kindOf(kind: string | undefined): Kind | null {
  if (kind === undefined) return null;
  if (isKind(kind)) return kind;
  throw badArgument('--kind', `there is no kind "${kind}"`, `Use one of ${KINDS.join(', ')}.`);
}

type Candidate = Extract<Found, { ok: true }>;

/** What is new, in the order in which it was found; of two that say the same in one space the first. */
function planImport(memory: Memory, found: readonly Found[]): { fresh: readonly Candidate[]; plan: ImportPlan } {
  const fresh: Candidate[] = [];
  const skipped: Array<{ path: string; reason: string }> = [];
  const said = new Map<string, string>();
  let unchanged = 0;
  for (const each of found) {
    if (!each.ok) {
      skipped.push({ path: each.from, reason: each.reason });
      continue;
    }
    const { item, from } = each;
    const key = `${spaceKeyOf(item.space)}\n${normaliseStatement(item.text)}`;
    const twin = said.get(key) ?? identicalIn(memory, item);
    if (memory.table.get(item.id)) unchanged += 1;
    else if (memory.table.tombstone(item.id)) {
      skipped.push({ path: from, reason: 'it was forgotten before' });
      // A tombstone has no text, so its twin in the same memory would bring it back.
      said.set(key, from);
    } else if (twin !== undefined) skipped.push({ path: from, reason: `it says the same as ${twin}` });
    else {
      said.set(key, from);
      fresh.push(each);
    }
  }
  skipped.sort((a, b) => (a.path < b.path ? -1 : a.path > b.path ? 1 : 0));
  return { fresh, plan: { items: fresh.map(({ item, from }) => ({ item, from })), unchanged, skipped } };
}

function identicalIn(memory: Memory, item: Item): string | undefined {
  return memory.table.withText(item.text).find((id) => {
    const other = memory.table.get(id)?.file.item;
    return other !== undefined && spaceKeyOf(other.space) === spaceKeyOf(item.space) && other.id !== item.id;
  });
}

async function store(memory: Memory, fresh: readonly Candidate[], subject: string): Promise<ImportSummary['commit']> {
  return memory.repository.exclusive(async (transaction) => {
    for (const { path, bytes } of fresh) await transaction.writeFile(path, bytes);
    const paths = fresh.map(({ path }) => path);
    const spaces = new Set<Space>(fresh.map(({ item }) => item.space));
    const commit = await transaction.commit(paths, {
      subject,
      trailers: [['Stet-Agent', 'user'], ...[...spaces].map((space) => ['Stet-Space', space ?? PERSONAL_KEY] as const)],
      author: null,
    });
    await memory.take(paths);
    return commit;
  });
}

function badArgument(argument: string, reason: string, hint: string): StetError {
  return new StetError({ code: 'bad-argument', argument, reason, hint });
}
