// Makes sessions: from what a client says of itself and its folders, from the rules of machine.yaml and spaces.yaml, and
// from policies.

import { homedir } from 'node:os';
import { normaliseAgent } from '../memory/agent-name.ts';
import { StetError } from '../memory/failure.ts';
import { decide } from '../memory/policies.ts';
import { USER } from '../memory/remember.ts';
import type { Session } from '../memory/session.ts';
import {
  resolveSessionSpace,
  type FolderSource,
  type MappedFolder,
  type SessionSpace,
} from '../memory/session-space.ts';
import type { Space } from '../memory/item.ts';
import { inspectProject, resolveFolder } from '../repo/project-folder.ts';
import { knownSpace } from './list-items.ts';
import type { Reading } from './reading.ts';

/** Folders that one source names; several only as client roots. */
export interface NamedFolders {
  readonly source: FolderSource;
  readonly folders: readonly string[];
}

export interface SessionRequest {
  /** The client's own name; undefined when it gave none. */
  readonly client: string | undefined;
  /** The space that was named at start, and how; null when the folder decides. */
  readonly named: { readonly by: '--space' | 'STET_SPACE'; readonly space: string } | null;
  readonly folders: readonly NamedFolders[];
}

/** The session of an agent. Throws `bad-argument` when the space that was named at start does not exist. */
export async function agentSession(memory: Reading, request: SessionRequest): Promise<Session> {
  await memory.refresh();
  const found = whereIs(memory, request.named, request.folders);
  // A client that called itself by the name of the person would escape every review, and commit in the person's name.
  const client = normaliseAgent(request.client) === USER ? undefined : request.client;
  const agent = normaliseAgent(client);
  const { policies, spaces } = memory.config;
  return {
    agent,
    source: sourceOf(client) ?? agent,
    space: found.space,
    rule: found.rule,
    spaceAllowed: found.isKnown && (found.space === null || decide(policies, agent, found.space, spaces).allowed),
    personalAllowed: decide(policies, agent, null, spaces).allowed,
    warnings: found.warnings,
  };
}

/** The client's own name as a file can carry it: one line, no control characters, of modest length; null for none. */
function sourceOf(client: string | undefined): string | null {
  const name = (client ?? '').replace(/[\p{C}\s]+/gu, ' ').trim();
  return name === '' ? null : Array.from(name).slice(0, MAX_SOURCE_CHARACTERS).join('');
}

const MAX_SOURCE_CHARACTERS = 80;

/** The person at the command line: in a space that was named, else an item's, else the one of the working directory. */
export async function userSession(
  memory: Reading,
  request: { readonly space?: string | undefined; readonly item?: string | undefined },
): Promise<Session> {
  await memory.refresh();
  const { space, rule, warnings, isKnown } = placeUser(memory, request);
  return { agent: USER, source: USER, space, rule, spaceAllowed: isKnown, personalAllowed: true, warnings };
}

function placeUser(
  memory: Reading,
  request: { readonly space?: string | undefined; readonly item?: string | undefined },
): FoundSpace {
  if (request.space !== undefined) {
    return { space: knownSpace(memory, request.space), rule: '--space', warnings: [], isKnown: true };
  }
  const item = request.item === undefined ? undefined : memory.table.get(request.item)?.file.item;
  if (item) return { space: item.space, rule: `the space of ${item.id}`, warnings: [], isKnown: true };
  return whereIs(memory, null, [{ source: 'working directory', folders: [process.cwd()] }]);
}

/** What `stet where` tells of a folder. */
export interface SpaceOfFolder {
  readonly folder: string;
  readonly space: Space;
  readonly rule: string;
  readonly warnings: readonly string[];
}

export async function whereFolder(memory: Reading, folder: string): Promise<SpaceOfFolder> {
  await memory.refresh();
  const { space, rule, warnings } = whereIs(memory, null, [{ source: '--project', folders: [folder] }]);
  return { folder, space, rule, warnings };
}

type FoundSpace = Omit<Extract<SessionSpace, { ok: true }>, 'ok'>;

/** Which space these folders belong to, and by which rule. */
function whereIs(memory: Reading, named: SessionRequest['named'], folders: readonly NamedFolders[]): FoundSpace {
  const { machine } = memory.config;
  if (named === null && !memory.config.isMachineKnown) {
    const rule = 'machine.yaml cannot be used, so personal only.';
    const warning =
      'Nothing is stored from a folder until machine.yaml is corrected; `stet status` says what is wrong.';
    return { space: null, rule, warnings: [warning], isKnown: false };
  }
  const home = homedir();
  const resolved = resolveSessionSpace({
    named,
    folders: folders.flatMap(({ source, folders: given }) =>
      given.map((folder) => ({ source, given: folder, ...inspectProject(folder) })),
    ),
    mapped: machine.folders.map(({ folder, space }): MappedFolder => ({
      folder,
      realPath: resolveFolder(folder.replace(/^~(?=$|[\\/])/, home)),
      space,
    })),
    // Those that exist only as a folder with items do not count: whether there are items there is not the session's to
    // learn.
    spaces: memory.config.spaces,
    home: resolveFolder(home) ?? home,
    paths: { windows: process.platform === 'win32', caseSensitive: process.platform === 'linux' },
  });
  if (!resolved.ok) throw new StetError(resolved.failure);
  return resolved;
}
