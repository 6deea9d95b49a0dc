// `stet setup`: registers the server in the clients of this machine, or takes it out. Needs no open memory. One client
// that cannot be set up does not keep the others from it: each has its own outcome.

import { CLIENTS, findClient, type Client } from '../clients/clients.ts';
import { chooseFile, readConfigFile } from '../clients/config-file.ts';
import { planInstructions, planNoInstructions } from '../clients/instructions-block.ts';
import { configFiles, instructionsFile, type Machine, type Scope } from '../clients/locations.ts';
import { findProgram, runsWithoutShell } from '../clients/own-program.ts';
import { planAdd, planRemove, type PlannedChange } from '../clients/plan-change.ts';
import { entryName, isTemporaryInstall, serverCommand } from '../clients/server-entry.ts';
import { isInstalled } from '../clients/this-machine.ts';
import { StetError } from '../memory/failure.ts';
import { changeFile, type FileChange, type OwnCommandLines } from './change-client-file.ts';

export interface SetupRequest {
  /** Ids or other names of clients; every one that is installed when it is empty. */
  readonly clients: readonly string[];
  readonly mode: 'add' | 'remove';
  readonly scope: Scope;
  /** The present name of the one space of the entry; null for an entry whose folder decides. */
  readonly space: string | null;
  /** Whether the block of instructions is added too; on removal, whether it is all that is taken out. */
  readonly instructions: boolean;
  /** Says what would be done, and does nothing. */
  readonly dryRun: boolean;
  /** Absolute path of node. */
  readonly node: string;
  /** Absolute path of stet's entry file. */
  readonly entry: string;
  /** Absolute path of the memory where it is not the default one; else null. */
  readonly memory: string | null;
  readonly machine: Machine;
  readonly now: () => Date;
}

export interface ServerReport {
  readonly client: string;
  readonly title: string;
  readonly installed: boolean;
  readonly change: FileChange;
  /** What the user should know of this client. */
  readonly notes: readonly string[];
}

export interface InstructionsReport {
  /** The clients that read this file. */
  readonly clients: readonly string[];
  readonly change: FileChange;
}

export interface SetupReport {
  readonly servers: readonly ServerReport[];
  readonly instructions: readonly InstructionsReport[];
  /** Titles of the clients that were asked for and keep their instructions elsewhere than in a file. */
  readonly withoutInstructions: readonly string[];
}

/** Throws `bad-argument` for a client that stet does not know, and for an installation that npm would clear away. */
export async function setupClients(request: SetupRequest): Promise<SetupReport> {
  if (request.mode === 'add' && isTemporaryInstall(request.entry)) {
    throw new StetError({
      code: 'bad-argument',
      argument: 'setup',
      reason: `stet runs from a cache that is cleared from time to time (${request.entry})`,
      hint: 'Install it first, with `npm install --global stet-memory`, so that clients find it every time.',
    });
  }
  const clients = chooseClients(request);
  const servers: ServerReport[] = [];
  if (request.mode === 'add' || !request.instructions) {
    for (const client of clients) servers.push(await setupServer(client, request));
  }
  return { servers, ...(await setupInstructions(clients, request)) };
}

function chooseClients({ clients, machine }: SetupRequest): readonly Client[] {
  if (clients.length === 0) return CLIENTS.filter((client) => isInstalled(client, machine));
  return clients.map((name) => {
    const client = findClient(name);
    if (client) return client;
    throw new StetError({
      code: 'bad-argument',
      argument: 'CLIENT',
      reason: `there is no client "${name}" that stet knows`,
      hint: `Use one of ${CLIENTS.map(({ id }) => id).join(', ')}; for another one, docs/clients.md has the entry to write by hand.`,
    });
  });
}

async function setupServer(client: Client, request: SetupRequest): Promise<ServerReport> {
  const { machine, scope } = request;
  const installed = isInstalled(client, machine);
  const report = { client: client.id, title: client.title, installed };
  const file = chooseFile(configFiles(client.id, machine, scope));
  if (file === null) {
    const change: FileChange = { status: 'unsupported', file: null, reason: 'it has no files of projects' };
    return { ...report, change, notes: [] };
  }
  const server = serverCommand({
    ...request,
    project: scope.type === 'project' && client.needsProject ? scope.folder : null,
  });
  const change = await changeFile(file, {
    ...request,
    plan: (text) =>
      request.mode === 'add'
        ? planAdd(client, text, server)
        : planRemove(client, text, request.space === null ? null : entryName(request.space)),
    own: ownCommandLines(client, request, (planned, own) => {
      // Its own command makes an entry anew, without the keys that the user has set in it.
      if (planned.status === 'added') return [own.add(server, client.entry(server), scope.type)];
      return planned.status === 'removed' ? planned.names.map((name) => own.remove(name, scope.type)) : [];
    }),
  });
  return { ...report, change, notes: notesOn(client, request, installed) };
}

function ownCommandLines(
  client: Client,
  { machine, scope }: SetupRequest,
  lines: (planned: PlannedChange, own: NonNullable<Client['own']>) => ReadonlyArray<readonly string[]>,
): OwnCommandLines | null {
  const { own } = client;
  if (own === null || !own.scopes.includes(scope.type)) return null;
  const program = findProgram(own.program, machine);
  if (program === null || !runsWithoutShell(program, machine.platform)) return null;
  return {
    program,
    name: own.program,
    cwd: scope.type === 'project' ? scope.folder : machine.home,
    lines: (planned) => lines(planned, own),
  };
}

function notesOn(client: Client, { mode, scope, space }: SetupRequest, installed: boolean): readonly string[] {
  const notes: string[] = [];
  if (mode === 'remove') return notes;
  if (!installed) notes.push(`${client.title} was not found on this machine; the entry waits for it.`);
  if (client.hasNoFolder && scope.type === 'user' && space === null) {
    notes.push(
      `${client.title} can start servers outside of a project, and then sees personal items only: \`stet setup ${client.id} --space NAME\` adds an entry for one space.`,
    );
  }
  return notes;
}

/** Several clients may read one file: it is changed once. */
async function setupInstructions(
  clients: readonly Client[],
  request: SetupRequest,
): Promise<Pick<SetupReport, 'instructions' | 'withoutInstructions'>> {
  const { mode, machine, scope } = request;
  const withoutInstructions: string[] = [];
  const readers = new Map<string, { file: string; clients: string[] }>();
  // One entry of a space is taken out without the block, which the other entries need.
  const concerned = request.instructions || (mode === 'remove' && request.space === null) ? clients : [];
  for (const client of concerned) {
    const file = instructionsFile(client.id, machine, scope);
    if (file === null) {
      withoutInstructions.push(client.title);
      continue;
    }
    const read = readConfigFile(file);
    const key = read.status === 'unreadable' ? file : read.target;
    const known = readers.get(key) ?? { file, clients: [] };
    known.clients.push(client.id);
    readers.set(key, known);
  }
  const instructions: InstructionsReport[] = [];
  for (const { file, clients: titles } of readers.values()) {
    const plan = mode === 'add' ? planInstructions : planNoInstructions;
    instructions.push({ clients: titles, change: await changeFile(file, { ...request, plan, own: null }) });
  }
  return { instructions, withoutInstructions: request.instructions && mode === 'add' ? withoutInstructions : [] };
}
