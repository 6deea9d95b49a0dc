// The one place that puts the layers together. Command line and MCP reach everything through an `App`.

import { existsSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { makeEmbedder, tryEmbedder } from './index/make-embedder.ts';
import { openMemoryIndex, type IndexOptions } from './index/open-index.ts';
import { openReplaceableIndex } from './index/replacing-index.ts';
import { isVectorFile } from './index/vector-cache.ts';
import { parseEmbedderName, type EmbedderChoice } from './memory/embedder-name.ts';
import { StetError } from './memory/failure.ts';
import { newId } from './memory/id.ts';
import { embedderChoice } from './memory/settings.ts';
import type { Item } from './memory/item.ts';
import type { Effect } from './memory/policies.ts';
import type { OnProgress } from './memory/progress.ts';
import type { RememberRequest } from './memory/remember.ts';
import type { Session } from './memory/session.ts';
import type { Tombstone } from './memory/tombstone.ts';
import { openRepository } from './repo/open-repository.ts';
import { OwnServerNote, readServerNotes } from './repo/server-notes.ts';
import type { CommitOutcome } from './repo/repository.ts';
import type { Config } from './service/config.ts';
import { changeSetting, listSettings, type SettingReport } from './service/configure.ts';
import { exportFolder, exportLines } from './service/export.ts';
import type { ExportLine } from './service/export-line.ts';
import { importLines, type ImportedLines, type ImportLinesRequest } from './service/import-lines.ts';
import { listLog, type LogEntry, type LogRequest } from './service/history.ts';
import { diffItem, type ItemDiff } from './service/item-diff.ts';
import type { Finding } from './service/diagnose.ts';
import type { FollowedFiles } from './service/follow-frontmatter.ts';
import type { followNames } from './service/follow-names.ts';
import { forget, read } from './service/forget.ts';
import { AutoSync } from './service/auto-sync.ts';
import { HandCommits } from './service/hand-commits.ts';
import { importFrom, type ImportRequest } from './service/import.ts';
import { isMemory } from './service/init-memory.ts';
import { listForgotten, listItems, locateItem, reportStatus, type ListRequest } from './service/list-items.ts';
import type { EditableFile, SavedEdit, TaggedItem } from './service/item-edit.ts';
import type { Digest } from './service/digest.ts';
import type { LintReport } from './service/lint.ts';
import type { MovedItems } from './service/move-item.ts';
import type { StatsReport } from './service/stats.ts';
import { Memory, type RebuildSummary } from './service/memory.ts';
import {
  changePolicy,
  explainPolicy,
  listPolicies,
  type PolicyChange,
  type PolicyExplanation,
} from './service/policy.ts';
import { findMoment } from './service/moment.ts';
import { PastMemory } from './service/past-memory.ts';
import { previewRecall, type Preview } from './service/preview.ts';
import { purgeItems, type PurgePlan, type PurgeRequest } from './service/purge.ts';
import { recall } from './service/recall.ts';
import { restoreItem, undoLast, type Restored, type Undone } from './service/restore.ts';
import { listReview, settleReview, type ReviewCase } from './service/review.ts';
import type {
  ForgetResult,
  ImportSummary,
  ListedItem,
  ReadResult,
  RecallRequest,
  RecallResult,
  RememberResult,
  StatusReport,
} from './service/results.ts';
import type { Settled, Verdict } from './service/settle-contested.ts';
import { forgetMissing, restoreMissing, type SettledMissing } from './service/settle-missing.ts';
import { setRemote, type RemoteReport, type SetRemoteRequest } from './service/set-remote.ts';
import { agentSession, userSession, whereFolder, type SessionRequest, type SpaceOfFolder } from './service/sessions.ts';
import {
  addSpaceTo,
  listSpaces,
  removeSpaceFrom,
  renameSpaceTo,
  type AddedSpace,
  type AddSpaceRequest,
  type RenamedSpace,
  type SpaceReport,
} from './service/spaces.ts';
import type { SyncReport } from './service/sync-report.ts';
import { syncMemory, type SyncRequest } from './service/sync.ts';
import { traceRecall } from './service/trace.ts';
import { explainDelivery, listDeliveries, type Explanation, type NumberedDelivery } from './service/why.ts';
import { openWatcher } from './watch/open-watcher.ts';
import type { ChangeSet } from './watch/watcher.ts';

export { cloneMemory } from './service/clone-memory.ts';
export { shellWord } from './service/given-path.ts';
export { initMemory } from './service/init-memory.ts';
export { describeOutcome, type SyncReport } from './service/sync-report.ts';
export type { NamedFolders, SessionRequest } from './service/sessions.ts';
export type { Finding } from './service/diagnose.ts';
export type { SettledMissing } from './service/settle-missing.ts';
export type { ReviewCase } from './service/review.ts';
export type { ExplainedItem, Explanation, Since } from './service/why.ts';
export type { ForgetResult, ReadResult, RememberResult } from './service/results.ts';
export type { ImportFormat } from './service/import.ts';
export type { ImportedLines } from './service/import-lines.ts';
export type { ImportPlan } from './service/results.ts';
export type { CommitOutcome } from './repo/repository.ts';
export type { ServerNote as ServerReport } from './repo/server-notes.ts';
export type { Session } from './memory/session.ts';

export interface AppOptions {
  /** Absolute path of the memory. */
  readonly memory: string;
  /** Follows changes of the files while it is open: for a server. */
  readonly watch?: boolean;
  /** With `watch`: syncs by itself even if the setting `sync.auto` is off, and tells of every sync. */
  readonly onSync?: (report: SyncReport) => void;
  /** Throws the derived index away first, but for the vectors, which are those of the texts whatever became of the rest. */
  readonly discardIndex?: boolean;
  /** What the first call asks or stores: the model reads it while the memory is opened. */
  readonly expected?: string | undefined;
  readonly now?: () => Date;
  /** Where new ids come from; random ones unless given. */
  readonly newId?: () => string;
  /** The model of this run, whatever the setting `embedder` says. */
  readonly embedder?: IndexOptions['embedder'];
}

export interface App {
  /** The session of an agent, by what its client says. */
  session(request: SessionRequest): Promise<Session>;
  /** The session of the person at the command line. */
  userSession(request: { readonly space?: string | undefined; readonly item?: string | undefined }): Promise<Session>;
  remember(session: Session, request: RememberRequest): Promise<RememberResult>;
  recall(session: Session, request: RecallRequest): Promise<RecallResult>;
  /** The same, and a delivery is left behind: every recall over MCP. */
  recallTraced(session: Session, request: RecallRequest): Promise<RecallResult>;
  /** The memory as it stood at a moment (a commit, a tag, a day, `3 days ago`), by the policies of then or of now. */
  at(moment: string, policies: 'then' | 'now'): Promise<PastApp>;
  forget(session: Session, id: string): Promise<ForgetResult>;
  read(session: Session, id: string): Promise<ReadResult>;
  /** The instructions in force for a session, oldest first. */
  instructions(session: Session): Promise<readonly Item[]>;
  /** The current items that a session sees, newest first. */
  visibleItems(session: Session): Promise<readonly Item[]>;
  list(request: ListRequest): Promise<readonly ListedItem[]>;
  listForgotten(): Promise<readonly Tombstone[]>;
  locate(id: string): Promise<ListedItem | null>;
  /** The file of an id or at a path, quarantined ones too; throws `not-possible` where there is none. */
  editableFile(given: string): Promise<EditableFile>;
  /** Puts a text in the place of the file that was read, if it is an item and nobody changed it since. */
  saveEdit(before: EditableFile, bytes: Uint8Array): Promise<SavedEdit>;
  tagItem(id: string, add: readonly string[], remove: readonly string[]): Promise<TaggedItem>;
  /** To a space, or `personal`; what it replaced goes along. */
  moveItem(id: string, space: string): Promise<MovedItems>;
  /** Absolute path of an item's file, a space's folder, or the memory. */
  placeOnDisk(what: string | undefined): Promise<string>;
  status(): Promise<StatusReport>;
  stats(): Promise<StatsReport>;
  /** What breaks the storing policy; of one space, or all. */
  lint(request: { readonly space?: string }): Promise<LintReport>;
  /** Every current item, in the order of a page to read. */
  digest(request: { readonly space?: string }): Promise<Digest>;
  /** Everything that waits for the user or is not as it should be; `history` looks into every version too. */
  diagnose(request: { readonly history: boolean }): Promise<readonly Finding[]>;
  /** Moves files to the folder of the space that their frontmatter names. */
  followFrontmatter(): Promise<FollowedFiles>;
  /** Makes what calls a renamed space by an earlier name say the present one; what was done, in words. */
  followNames(): ReturnType<typeof followNames>;
  /** Keeps other users of the machine out; says in words what was done. */
  closeMemory(): Promise<readonly string[]>;
  /** Settles what is missing and not believed to be gone. */
  restoreMissing(): Promise<SettledMissing>;
  forgetMissing(): Promise<SettledMissing>;
  /** Brings another memory along; `confirm` sees the plan before anything is stored. */
  importFrom(request: ImportRequest): Promise<ImportSummary>;
  addSpace(request: AddSpaceRequest): Promise<AddedSpace>;
  listSpaces(): Promise<readonly SpaceReport[]>;
  renameSpace(from: string, to: string): Promise<RenamedSpace>;
  removeSpace(name: string): Promise<{ readonly name: string }>;
  /** Which space a session in this folder works in, and by which rule. */
  where(folder: string): Promise<SpaceOfFolder>;
  changePolicy(agent: string, space: string, effect: Effect): Promise<PolicyChange>;
  listPolicies(): ReturnType<typeof listPolicies>;
  explainPolicy(agent: string, space: string): Promise<PolicyExplanation>;
  /** A forgotten item as it stood last, or any item as it stood at a moment. */
  restore(id: string, moment: string | null): Promise<Restored>;
  exportLines(history: boolean): AsyncIterable<ExportLine>;
  /** Copies the present state into a new or empty folder; returns how many files. */
  exportFolder(folder: string): Promise<number>;
  /** Takes an export in; with its history where this memory has nothing yet. */
  importLines(request: ImportLinesRequest): Promise<ImportedLines>;
  /** Removes the text of items from every commit. */
  purge(request: PurgeRequest): Promise<PurgePlan>;
  log(request: LogRequest): Promise<readonly LogEntry[]>;
  /** `range`: `A..B`, `A`, or undefined for the last change. */
  diff(id: string, range: string | undefined): Promise<ItemDiff>;
  undo(): Promise<Undone>;
  /** Brings this memory and its remote to the same state. What stops it is in the report; it throws only for a failure here. */
  sync(request: SyncRequest): Promise<SyncReport>;
  /** Makes an address the remote. Throws `bad-argument` and `remote`. */
  setRemote(request: SetRemoteRequest): Promise<RemoteReport>;
  listReview(): Promise<readonly ReviewCase[]>;
  settleReview(id: string, verdict: Verdict): Promise<Settled>;
  listSettings(): Promise<readonly SettingReport[]>;
  changeSetting(name: string, value: string): Promise<CommitOutcome | null>;
  listDeliveries(): readonly NumberedDelivery[];
  /** The newest delivery when `number` is null. */
  why(number: number | null): Promise<Explanation>;
  /** What an agent in this session would receive, and what not; leaves no delivery. */
  preview(session: Session, question: string): Promise<Preview>;
  /** Waits until every item of every space is in the index, vectors included; throws `interrupted` when asked to stop. */
  rebuildIndex(onProgress: OnProgress, signal?: AbortSignal): Promise<RebuildSummary>;
  close(): Promise<void>;
}

/** What can be asked of the past. */
export interface PastApp extends Pick<App, 'session' | 'userSession' | 'recall' | 'read' | 'preview' | 'close'> {
  /** The moment at which currency is judged. */
  readonly time: Date;
}

/** Throws `not-a-memory` for a folder that holds none. */
export async function openApp(options: AppOptions): Promise<App> {
  const { memory: root } = options;
  if (!isMemory(root)) throw new StetError({ code: 'not-a-memory', folder: root, reason: whyNotMemory(root) });
  const derived = join(root, '.stet');
  if (options.discardIndex === true && existsSync(derived)) {
    for (const name of readdirSync(derived)) {
      if (!isVectorFile(name)) rmSync(join(derived, name), { recursive: true, force: true });
    }
  }
  const repository = await openRepository(root);
  const choiceOf = (config: Config) => embedderChoice((name) => config.setting(name));
  const memory = await Memory.open({
    repository,
    openIndex: (config) => {
      const index =
        options.embedder === undefined
          ? openReplaceableIndex({
              folder: derived,
              choice: JSON.stringify(choiceOf(config)),
              makeEmbedder: (choice) => makeEmbedder(JSON.parse(choice) as EmbedderChoice),
            })
          : openMemoryIndex({ folder: derived, embedder: options.embedder });
      if (options.expected !== undefined) index.expect(options.expected);
      return index;
    },
    derived,
    now: options.now ?? (() => new Date()),
    newId: options.newId ?? newId,
  }).catch(async (error: unknown) => {
    await repository.close();
    throw error;
  });
  const hand = new HandCommits(memory);
  const watcher = options.watch === true ? openWatcher({ root: repository.root, onChange: followed }) : null;
  const { onSync } = options;
  const onReport = onSync === undefined ? {} : { always: true, onReport: onSync };
  const autoSync = options.watch === true ? new AutoSync(memory, hand, onReport) : null;
  const note = watcher && new OwnServerNote(derived);
  if (watcher === null) {
    // Before the work: what is undone, renamed or synced then is what the user sees.
    await hand.look(memory.takeOpeningLook()).catch(async (error: unknown) => {
      await closeAll();
      throw error;
    });
  } else {
    memory.inBackground(async () => {
      await watcher.ready;
      // What changed before the watch stood would go unseen until something else changes.
      await followed({ paths: 'everything' });
      hand.follow();
    });
  }

  /** Each is closed, whatever became of those before. */
  async function closeAll(): Promise<void> {
    try {
      await autoSync?.close();
      await watcher?.close();
      note?.remove();
      await hand.close();
    } finally {
      try {
        await memory.close();
      } finally {
        await repository.close();
      }
    }
  }

  async function followed(changes: ChangeSet): Promise<void> {
    const lookedAt = new Date().toISOString();
    await memory.noticed(changes);
    hand.noticed();
    if (watcher === null || note === null) return;
    const { state, reason, watchedFolders, lastError } = watcher.health();
    const problem = memory.handProblem ?? memory.backgroundProblem ?? lastError;
    note.write({ state, reason, watchedFolders, lookedAt, problem });
  }

  return {
    session: (request) => agentSession(memory, request),
    userSession: (request) => userSession(memory, request),
    remember: async (session, request) => {
      // Brings the date library along, which a server that only recalls never needs.
      const { remember } = await import('./service/remember.ts');
      return remember(memory, session, request);
    },
    recall: async (session, request) => (await recall(memory, session, request)).result,
    recallTraced: async (session, request) => {
      const traced = await recall(memory, session, request);
      memory.inBackground(() => traceRecall(memory, traced));
      return traced.result;
    },
    at: async (moment, policies) => {
      const past = await PastMemory.open({
        repository,
        derived,
        openIndex: (snapshotFolder) =>
          openMemoryIndex({
            folder: derived,
            snapshotFolder,
            embedder: options.embedder ?? makeEmbedder(choiceOf(memory.config)).embedder ?? 'none',
          }),
        moment: await findMoment(repository, moment, memory.now()),
        config: policies === 'now' ? memory.config : null,
      });
      return {
        time: past.now(),
        session: (request) => agentSession(past, request),
        userSession: (request) => userSession(past, request),
        recall: async (session, request) => (await recall(past, session, request)).result,
        read: (session, id) => read(past, session, id),
        preview: (session, question) => previewRecall(past, session, question),
        close: () => past.close(),
      };
    },
    forget: (session, id) => forget(memory, session, id),
    read: (session, id) => read(memory, session, id),
    instructions: async (session) => {
      await memory.refresh();
      return memory.view(session).instructions();
    },
    visibleItems: async (session) => {
      await memory.refresh();
      return memory.view(session).currentItems();
    },
    list: (request) => listItems(memory, request),
    listForgotten: () => listForgotten(memory),
    locate: (id) => locateItem(memory, id),
    // Loaded when asked for: a server never needs them.
    editableFile: async (id) => (await import('./service/item-edit.ts')).editableFile(memory, id),
    saveEdit: async (before, bytes) => (await import('./service/item-edit.ts')).saveEdit(memory, before, bytes),
    tagItem: async (id, add, remove) => (await import('./service/item-edit.ts')).tagItem(memory, id, add, remove),
    moveItem: async (id, space) => (await import('./service/move-item.ts')).moveItem(memory, id, space),
    placeOnDisk: async (what) => (await import('./service/open-place.ts')).placeOnDisk(memory, what),
    stats: async () => (await import('./service/stats.ts')).reportStats(memory),
    lint: async (request) => (await import('./service/lint.ts')).lintItems(memory, request),
    digest: async (request) => (await import('./service/digest.ts')).makeDigest(memory, request),
    status: () => reportStatus(memory, hand, readServerNotes(derived)),
    diagnose: async (request) =>
      (await import('./service/diagnose.ts')).diagnose(memory, hand, { ...request, servers: readServerNotes(derived) }),
    followFrontmatter: async () => (await import('./service/follow-frontmatter.ts')).followFrontmatter(memory),
    followNames: async () => (await import('./service/follow-names.ts')).followNames(memory),
    closeMemory: async () => (await import('./service/diagnose.ts')).closeMemory(memory),
    restoreMissing: () => restoreMissing(memory),
    forgetMissing: () => forgetMissing(memory),
    importFrom: (request) => importFrom(memory, request),
    addSpace: (request) => addSpaceTo(memory, request),
    listSpaces: () => listSpaces(memory),
    renameSpace: (from, to) => renameSpaceTo(memory, from, to),
    removeSpace: (name) => removeSpaceFrom(memory, name),
    where: (folder) => whereFolder(memory, folder),
    changePolicy: (agent, space, effect) => changePolicy(memory, agent, space, effect),
    listPolicies: () => listPolicies(memory),
    explainPolicy: (agent, space) => explainPolicy(memory, agent, space),
    restore: (id, moment) => restoreItem(memory, id, moment),
    exportLines: (history) => exportLines(memory, history),
    exportFolder: (folder) => exportFolder(memory, folder),
    importLines: (request) => importLines(memory, request),
    purge: (request) => purgeItems(memory, request),
    log: (request) => listLog(memory, request),
    diff: (id, range) => diffItem(memory, id, range),
    undo: () => undoLast(memory),
    sync: (request) => syncMemory(memory, hand, request),
    setRemote: (request) => setRemote(memory, request),
    listReview: () => listReview(memory),
    settleReview: (id, verdict) => settleReview(memory, id, verdict),
    listSettings: () => listSettings(memory),
    changeSetting: async (name, value) => {
      if (name === 'embedder') {
        const choice = { ...choiceOf(memory.config), name: value.trim() };
        await tryModel(choice, memory.config.setting('model.remote') === 'on');
      }
      return changeSetting(memory, name, value);
    },
    listDeliveries: () => listDeliveries(memory),
    why: (number) => explainDelivery(memory, number),
    preview: (session, question) => previewRecall(memory, session, question),
    rebuildIndex: (onProgress, signal) => memory.rebuildIndex(onProgress, signal ?? null),
    close: closeAll,
  };
}

/** A model that does not load is refused while the user looks on, not at the next question of an agent. */
async function tryModel(choice: EmbedderChoice, mayDownload: boolean): Promise<void> {
  const kind = parseEmbedderName(choice.name)?.kind;
  if (kind !== 'transformers' && kind !== 'bert') return;
  try {
    await tryEmbedder(choice, mayDownload);
  } catch (error) {
    throw new StetError({
      code: 'bad-argument',
      argument: 'embedder',
      reason: `${choice.name} cannot be used: ${error instanceof Error ? error.message : String(error)}`,
      hint: 'Nothing was changed.',
    });
  }
}

function whyNotMemory(root: string): string {
  if (!existsSync(root)) return 'there is no such folder';
  return existsSync(join(root, '.git')) ? 'it has no stet.yaml' : 'it is not a git repository';
}
