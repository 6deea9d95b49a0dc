// `stet purge`: removes the text of items from every commit for real. What it cannot reach it says: other clones, the
// remote, backups, and whatever quotes the text elsewhere.

import { homedir } from 'node:os';
import { join } from 'node:path';
import { dropVectors } from '../index/vector-cache.ts';
import { parseDelivery, printDelivery } from '../memory/delivery.ts';
import { StetError } from '../memory/failure.ts';
import { parseItemFile } from '../memory/item-file.ts';
import { idInPath, placeOf } from '../memory/item-path.ts';
import type { OnProgress } from '../memory/progress.ts';
import {
  countStashes,
  findInFolder,
  findInObjects,
  listHistoricFiles,
  previewRewrite,
  rewriteHistory,
  type HistoricFile,
} from '../repo/rewrite-history.ts';
import { noteCommonCommit } from './common-commit.ts';
import { forget } from './forget.ts';
import { dropPastStates } from './past-memory.ts';
import type { Memory } from './memory.ts';
import { userSession } from './sessions.ts';
import { replacingPush } from './sync-report.ts';

export interface PurgePlan {
  readonly ids: readonly string[];
  /** Paths that the items ever had. */
  readonly paths: readonly string[];
  readonly versions: number;
  /** How many commits would be, or were, rewritten. */
  readonly commits: number;
  /** Questions of deliveries that quote the text. */
  readonly deliveries: number;
  /** Null on a dry run; else the backup, which still holds the text. */
  readonly bundle: string | null;
  /** Objects that still hold the text, because other items or files quote it, and transcripts that do. */
  readonly left: readonly string[];
  /** What replaces the history of the remote; null on a dry run, and where no remote ever had it. */
  readonly push: string | null;
}

/** What is left of a commit's subject when its item is purged. */
const PURGED = '(purged)';

export interface PurgeRequest {
  readonly ids: readonly string[];
  /** Only tells what it would change. */
  readonly dryRun: boolean;
  /** Stops it (`interrupted`) before anything is changed, and not later. */
  readonly signal?: AbortSignal;
  readonly onProgress?: OnProgress;
}

/** Throws `not-possible` for ids that this history never had, and while something is stashed or a commit waits. */
export async function purgeItems(
  memory: Memory,
  { ids, dryRun, signal, onProgress = () => undefined }: PurgeRequest,
): Promise<PurgePlan> {
  await memory.refresh();
  const { root } = memory.repository;
  const all = await listHistoricFiles(
    root,
    (path) => placeOf(path) !== null,
    (...progress) => {
      stopIfAsked(signal);
      onProgress(...progress);
    },
  );
  const wanted = new Set(ids);
  const versions = all.filter((file) => wanted.has(idOf(file) ?? ''));
  for (const id of ids) {
    if (versions.some((file) => idOf(file) === id) || memory.table.get(id)) continue;
    throw new StetError({
      code: 'not-possible',
      subject: id,
      reason: 'this history never had such an item',
      hint: 'Run `stet list --all` or `stet list --forgotten` to see the ids.',
    });
  }
  // A file made by hand has no id before it is adopted: its earlier versions stand at the same path.
  const paths = new Set(versions.map(({ path }) => path));
  const blobs = new Set(all.filter((file) => paths.has(file.path) && isOwn(file, wanted)).map(({ blob }) => blob));
  const texts = statementsOf(versions);
  const edit = {
    drops: (path: string, blob: string) => blobs.has(blob) || wanted.has(idInPath(path) ?? ''),
    message: (message: string) => withoutText(message, wanted, texts),
  };
  const quoting = memory.deliveries.read().filter(({ line }) => texts.some((text) => line.includes(text))).length;
  const plan = { ids, paths: [...paths].sort(), versions: blobs.size, deliveries: quoting };
  stopIfAsked(signal);
  if (dryRun) {
    onProgress(0, 0, 'counting the commits to rewrite');
    return { ...plan, commits: await previewRewrite(root, edit), bundle: null, left: [], push: null };
  }
  await refuseStashes(root);
  const stamp = memory.now().toISOString().replace(/[:.]/g, '-');
  const bundle = join(homedir(), `stet-backup-${stamp}.bundle`);
  for (const id of ids) {
    if (!memory.table.get(id)) continue;
    await forget(memory, await userSession(memory, { item: id }), id, { keepsText: false });
  }
  await memory.repository.commitPending();
  return memory.repository.exclusive(async () => {
    await refuseIfWaiting(memory);
    // Before the rewriting, which changes what this clone knows of the remote.
    const push = await pushCommand(memory);
    const commits = await rewriteHistory(root, edit, bundle, onProgress);
    redactDeliveries(memory, texts);
    dropPastStates(root);
    dropVectors(join(root, '.stet'));
    const left = [
      ...(await findInObjects(root, texts, onProgress)),
      ...(await findInFolder(root, 'transcripts', texts)),
    ];
    return { ...plan, commits, bundle, left, push };
  });
}

function stopIfAsked(signal: AbortSignal | undefined): void {
  if (signal?.aborted === true) throw new StetError({ code: 'interrupted', left: 'Nothing was purged.' });
}

/** Rewriting ends with nothing that only a log refers to, and all stashes but the newest are in a log alone. */
async function refuseStashes(root: string): Promise<void> {
  const stashes = await countStashes(root);
  if (stashes === 0) return;
  throw new StetError({
    code: 'not-possible',
    subject: 'purge',
    reason: `what you have stashed would be lost (\`git stash list\`: ${stashes})`,
    hint: '`git stash pop` or `git stash drop` it first. Nothing was changed.',
  });
}

/** While the removal of a file waits, git's index still has it, and would keep it. */
async function refuseIfWaiting(memory: Memory): Promise<void> {
  const [waiting] = await memory.repository.pending();
  if (waiting === undefined) return;
  throw new StetError({
    code: 'not-possible',
    subject: 'purge',
    reason: `a commit waits ("${waiting.message.subject}"): ${waiting.reason}`,
    hint: 'Settle that, and purge again. The history was not rewritten; forgotten the items are already.',
  });
}

/** What replaces the history of the remote, if it has one. Notes what the rewriting makes this clone forget of it. */
async function pushCommand({ repository }: Memory): Promise<string | null> {
  const { sync } = repository;
  const remote = await sync.remote();
  const theirs = remote === null ? null : await sync.lastFetched(remote);
  if (remote === null || theirs === null) return null;
  await noteCommonCommit(repository, remote);
  return replacingPush({ remote: remote.name, branch: remote.branch, theirs });
}

function idOf({ path, bytes }: HistoricFile): string | null {
  const parsed = parseItemFile({ path, bytes, modified: new Date(0) });
  return parsed.ok ? parsed.value.item.id : idInPath(path);
}

/** A version without frontmatter has a derived id of its own; one that names another item is that item's. */
function isOwn(file: HistoricFile, wanted: ReadonlySet<string>): boolean {
  const parsed = parseItemFile({ ...file, modified: new Date(0) });
  return !parsed.ok || wanted.has(parsed.value.item.id) || parsed.value.missing.includes('id');
}

/** The statements and whole texts that must not be found any more; short ones would match by accident. */
function statementsOf(versions: readonly HistoricFile[]): readonly string[] {
  const texts = new Set<string>();
  for (const { path, bytes } of versions) {
    const parsed = parseItemFile({ path, bytes, modified: new Date(0) });
    if (!parsed.ok) continue;
    for (const text of [parsed.value.item.statement, parsed.value.item.text]) if (text.length > 12) texts.add(text);
  }
  return [...texts];
}

/** Subjects quote statements, cut short; so the subject of every commit of a purged item goes. */
function withoutText(message: string, wanted: ReadonlySet<string>, texts: readonly string[]): string {
  const [subject = '', ...rest] = message.split('\n');
  const speaksOfIt = rest.some(
    (line) => line.startsWith('Stet-Item: ') && wanted.has(line.slice('Stet-Item: '.length)),
  );
  const quotes = texts.some((text) => message.includes(text));
  if (!speaksOfIt && !quotes) return message;
  const [, verb = 'edit'] = /^([a-z]+): /.exec(subject) ?? [];
  const kept = quotes ? rest.map((line) => (texts.some((text) => line.includes(text)) ? PURGED : line)) : rest;
  return [`${verb}: ${PURGED}`, ...kept].join('\n');
}

function redactDeliveries(memory: Memory, texts: readonly string[]): void {
  memory.deliveries.rewrite((line) => {
    if (!texts.some((text) => line.includes(text))) return line;
    const delivery = parseDelivery(line);
    return delivery === null ? '' : printDelivery({ ...delivery, question: PURGED }).trimEnd();
  });
}
