// Who holds one of stet's locks, as the lock file tells it, and whether that process can still be alive.
// Invariant: `dead` is said only with proof; where there is none (another host, a container) the heartbeat decides.
import { randomBytes } from 'node:crypto';
import fs from 'node:fs';
import os from 'node:os';

export interface LockOwner {
  readonly host: string;
  /** Linux's boot id; elsewhere the second of boot, roughly. */
  readonly boot: string;
  /** Linux's pid namespace (`pid:[4026531836]`); empty elsewhere. */
  readonly namespace: string;
  readonly pid: number;
  /** Linux: clock ticks from boot to the start of the process; empty elsewhere. */
  readonly started: string;
  /** One for each process and thread that locks. */
  readonly nonce: string;
}

const SIGNATURE = 'stet-lock 1';

/** The text of a lock file: one line of its kind, one of JSON. */
export function printOwner(owner: LockOwner): string {
  return `${SIGNATURE}\n${JSON.stringify(owner)}\n`;
}

/** The owner of a lock file, or null when it is not signed by stet (git's locks are empty or hold the new content). */
export function parseOwner(text: string): LockOwner | null {
  const [kind, json] = text.split('\n');
  if (kind !== SIGNATURE || json === undefined) return null;
  try {
    const value: unknown = JSON.parse(json);
    return isOwner(value) ? value : null;
  } catch {
    return null;
  }
}

function isOwner(value: unknown): value is LockOwner {
  if (typeof value !== 'object' || value === null) return false;
  const owner = value as Partial<Record<keyof LockOwner, unknown>>;
  return (
    typeof owner.pid === 'number' &&
    [owner.host, owner.boot, owner.namespace, owner.started, owner.nonce].every((part) => typeof part === 'string')
  );
}

/** This process, with a new nonce. */
export function describeThisProcess(): LockOwner {
  return {
    host: os.hostname(),
    boot: readBoot(),
    namespace: readNamespace(),
    pid: process.pid,
    started: readStart(process.pid) ?? '',
    nonce: randomBytes(12).toString('hex'),
  };
}

/** Whether the owner still lives, as far as this process can tell. */
export function judgeOwner(owner: LockOwner, me: LockOwner): 'alive' | 'dead' | 'unknown' {
  if (owner.host !== me.host || !sameBoot(owner.boot, me.boot) || owner.namespace !== me.namespace) return 'unknown';
  // A worker thread that was terminated leaves a lock that only its silence gives away.
  if (owner.pid === me.pid && owner.started === me.started) return 'unknown';
  if (!isRunning(owner.pid)) return 'dead';
  const started = readStart(owner.pid);
  if (started === null || owner.started === '') return 'unknown';
  return started === owner.started ? 'alive' : 'dead';
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // EPERM: someone else's process, so there is one.
    return !(error instanceof Error && 'code' in error && error.code === 'ESRCH');
  }
}

function readBoot(): string {
  try {
    return fs.readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
  } catch {
    return String(Math.round(Date.now() / 1000 - os.uptime()));
  }
}

/** The computed second of boot moves by clock corrections; two machines of one name booted in one minute are rare. */
function sameBoot(a: string, b: string): boolean {
  if (a === b) return true;
  return /^\d+$/.test(a) && /^\d+$/.test(b) && Math.abs(Number(a) - Number(b)) < 60;
}

function readNamespace(): string {
  try {
    return fs.readlinkSync('/proc/self/ns/pid');
  } catch {
    return '';
  }
}

/** Field 22 of /proc/pid/stat (proc_pid_stat(5)); the second field is in parentheses and may hold anything. */
function readStart(pid: number): string | null {
  try {
    const stat = fs.readFileSync(`/proc/${pid}/stat`, 'latin1');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    // A zombie holds nothing any more, though it still has its pid.
    return fields[0] === 'Z' ? 'zombie' : (fields[19] ?? null);
  } catch {
    return null;
  }
}
