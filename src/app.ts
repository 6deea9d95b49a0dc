// The one place that puts the layers together. Command line and MCP reach everything through an `App`.

import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { stableNodePath } from './clients/server-entry.ts';
import { thisMachine } from './clients/this-machine.ts';
import { openMemoryIndex } from './index/open-index.ts';
import { StetError } from './memory/failure.ts';
import type { RememberRequest } from './memory/remember.ts';
import type { Session } from './memory/session.ts';
import { openRepository } from './repo/open-repository.ts';
import { forget, read } from './service/forget.ts';
import { importNotes, type ImportRequest } from './service/import-notes.ts';
import { isMemory } from './service/init-memory.ts';
import { listItems, locateItem, reportStatus, type ListRequest } from './service/list-items.ts';
import { Memory, type RebuildSummary } from './service/memory.ts';
import { recall } from './service/recall.ts';
import { remember } from './service/remember.ts';
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
import { setupClients, type SetupReport, type SetupRequest } from './service/setup-clients.ts';
import { agentSession, userSession, type SessionRequest } from './service/sessions.ts';
import { addSpaceTo, type AddedSpace, type AddSpaceRequest } from './service/spaces.ts';
import { openWatcher } from './watch/open-watcher.ts';

export { initMemory } from './service/init-memory.ts';
export type { NamedFolders, SessionRequest } from './service/sessions.ts';
export type { ForgetResult, ReadResult, RememberResult } from './service/results.ts';
export type { FileChange } from './service/change-client-file.ts';
export type { SetupReport } from './service/setup-clients.ts';
export type { CommitOutcome } from './repo/repository.ts';
export type { Session } from './memory/session.ts';

export interface AppOptions {
  /** Absolute path of the memory. */
  readonly memory: string;
  /** Follows changes of the files while it is open: for a server. */
  readonly watch?: boolean;
  /** Throws the derived index away first. */
  readonly discardIndex?: boolean;
  readonly now?: () => Date;
}

export interface App {
  /** The session of an agent, by what its client says. */
  session(request: SessionRequest): Promise<Session>;
  /** The session of the person at the command line. */
  userSession(request: { readonly space?: string | undefined; readonly item?: string | undefined }): Promise<Session>;
  remember(session: Session, request: RememberRequest): Promise<RememberResult>;
  recall(session: Session, request: RecallRequest): Promise<RecallResult>;
  forget(session: Session, id: string): Promise<ForgetResult>;
  read(session: Session, id: string): Promise<ReadResult>;
  list(request: ListRequest): Promise<readonly ListedItem[]>;
  locate(id: string): Promise<ListedItem | null>;
  status(): Promise<StatusReport>;
  importNotes(request: ImportRequest): Promise<ImportSummary>;
  addSpace(request: AddSpaceRequest): Promise<AddedSpace>;
  /** Waits until every item of every space is in the index, vectors included. */
  rebuildIndex(onProgress: (done: number, total: number) => void): Promise<RebuildSummary>;
  close(): Promise<void>;
}

/** Throws `not-a-memory` for a folder that holds none. */
export async function openApp(options: AppOptions): Promise<App> {
  const { memory: root } = options;
  if (!isMemory(root)) throw new StetError({ code: 'not-a-memory', folder: root, reason: whyNotMemory(root) });
  const derived = join(root, '.stet');
  if (options.discardIndex === true) rmSync(derived, { recursive: true, force: true });
  const repository = await openRepository(root);
  const index = openMemoryIndex({ folder: derived, embedder: 'minilm' });
  const memory = await Memory.open({
    repository,
    index,
    snapshotFile: join(derived, 'table.json'),
    now: options.now ?? (() => new Date()),
  });
  const watcher =
    options.watch === true
      ? openWatcher({ root: repository.root, onChange: (changes) => memory.noticed(changes) })
      : null;
  // What changes before the watch stands would go unseen until something else changes.
  void watcher?.ready.then(() => memory.noticed({ paths: 'everything' }));

  return {
    session: (request) => agentSession(memory, request),
    userSession: (request) => userSession(memory, request),
    remember: (session, request) => remember(memory, session, request),
    recall: (session, request) => recall(memory, session, request),
    forget: (session, id) => forget(memory, session, id),
    read: (session, id) => read(memory, session, id),
    list: (request) => listItems(memory, request),
    locate: (id) => locateItem(memory, id),
    status: () => reportStatus(memory),
    importNotes: (request) => importNotes(memory, request),
    addSpace: (request) => addSpaceTo(memory, request),
    rebuildIndex: (onProgress) => memory.rebuildIndex(onProgress),
    close: async () => {
      await watcher?.close();
      await memory.close();
      await repository.close();
    },
  };
}

/** Registers this installation's server in the clients of this machine, or takes it out; needs no memory to be open. */
export function setup(request: Omit<SetupRequest, 'machine' | 'node' | 'now'>): Promise<SetupReport> {
  return setupClients({
    ...request,
    machine: thisMachine(),
    node: stableNodePath(process.execPath, existsSync),
    now: () => new Date(),
  });
}

function whyNotMemory(root: string): string {
  if (!existsSync(root)) return 'there is no such folder';
  return existsSync(join(root, '.git')) ? 'it has no stet.yaml' : 'it is not a git repository';
}
