// `stet remote set`: which repository this memory syncs with. Invariant: nothing is configured that cannot be reached, or that
// holds something else than this memory, unless the user says that it is meant.

import { homedir } from 'node:os';
import { resolve } from 'node:path';
import { StetError } from '../memory/failure.ts';
import { isLoopback, isPublicHost, readRemoteUrl, type RemoteUrl } from '../memory/remote-url.ts';
import type { RemoteBranches } from '../repo/remote-tasks.ts';
import type { SyncPort } from '../repo/sync-port.ts';
import type { Memory } from './memory.ts';

export interface SetRemoteRequest {
  readonly url: string;
  /** Where relative paths start. */
  readonly folder: string;
  /** It may hold another memory: the next `sync --join` puts both together. */
  readonly join: boolean;
}

export interface RemoteReport {
  readonly url: string;
  readonly branch: string;
  readonly holds: 'nothing' | 'this memory' | 'another memory';
  /** What the user should know about it, in words. */
  readonly warnings: readonly string[];
}

export async function setRemote(memory: Memory, request: SetRemoteRequest): Promise<RemoteReport> {
  const { sync } = memory.repository;
  const address = readAddress(request.url, request.folder);
  const url = address.kind === 'path' ? address.path : address.url;
  const branches = await listBranches(sync, address, url);
  const branch = chooseBranch(branches, 'main');
  const holds = await findContent(memory, address, url, branch);
  if (holds === 'another memory' && !request.join) {
    throw new StetError({
      code: 'bad-argument',
      argument: url,
      reason: 'it holds another memory, which has nothing in common with this one',
      hint: 'To use that one on this machine: `stet clone URL FOLDER`. To put both together for good: the same command with --join, and then `stet sync --join`.',
    });
  }
  await sync.configure(url, branch ?? 'main');
  return { url, branch: branch ?? 'main', holds, warnings: await findWarnings(sync, address) };
}

/** Checks an address that somebody typed, and makes a path absolute. Throws `bad-argument`. */
export function readAddress(given: string, folder: string): RemoteUrl {
  const check = readRemoteUrl(given);
  if (!check.ok) {
    throw new StetError({ code: 'bad-argument', argument: 'URL', reason: check.reason, hint: check.hint });
  }
  if (check.value.kind !== 'path') return check.value;
  return { kind: 'path', path: resolve(folder, check.value.path.replace(/^~(?=$|[\\/])/, homedir())) };
}

/** The branches of an address. Throws `remote` when it cannot be read. */
export async function listBranches(sync: SyncPort, address: RemoteUrl, url: string): Promise<RemoteBranches> {
  const listed = await sync.list(address, 'user');
  if (listed.ok) return listed.value;
  throw new StetError({ code: 'remote', address: url, reason: listed.problem.reason });
}

/** The branch that holds the memory: the one that HEAD names, else the preferred one, else the only one; null for none. */
export function chooseBranch({ branches, head }: RemoteBranches, preferred: string): string | null {
  if (head !== null && branches.has(head)) return head;
  if (branches.has(preferred)) return preferred;
  const [first, second] = [...branches.keys()];
  return second === undefined ? (first ?? null) : null;
}

async function findContent(
  memory: Memory,
  address: RemoteUrl,
  url: string,
  branch: string | null,
): Promise<RemoteReport['holds']> {
  const { sync } = memory.repository;
  if (branch === null) return 'nothing';
  const fetched = await sync.fetchFrom(address, branch);
  if (!fetched.ok) throw new StetError({ code: 'remote', address: url, reason: fetched.problem.reason });
  const head = await memory.repository.head();
  if (fetched.value === null || head === null) return 'nothing';
  return (await sync.relate(head, fetched.value)).bases.length > 0 ? 'this memory' : 'another memory';
}

async function findWarnings(sync: SyncPort, address: RemoteUrl): Promise<readonly string[]> {
  const warnings: string[] = [];
  if (address.kind === 'http' && !isLoopback(address)) {
    warnings.push(
      'http:// is not encrypted: whoever is in between can read the memory, and the password. Use https://.',
    );
  }
  const isWeb = address.kind === 'http' || address.kind === 'https';
  if (isWeb && (await sync.list(address, 'anybody')).ok) {
    warnings.push(
      'Anybody who can reach this address can read the memory: it asks for no password. Make the repository private.',
    );
  } else if (isPublicHost(address)) {
    warnings.push('Make sure that the repository is private: on this host anybody can read a public one.');
  }
  return warnings;
}
