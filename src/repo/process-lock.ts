// stet's own locks, `.git/stet/write.lock` and `sync.lock`, and git's locks taken under the first.
// Invariants: a lock file is whole from its first moment (it is a hard link to this process's signed file); a lock of a
// live process is never taken; one that git made is never taken at all.
//
//   free ──link──▶ held ──unlink──▶ free
//    held by a dead process ──link break-<its nonce>──▶ (still that owner?) ──unlink──▶ free
//
// Only the holder of `break-<nonce>` may remove the lock of that nonce, so that two processes that find one dead lock
// cannot remove each other's new one. A process that dies while breaking leaves a lock like any other, broken likewise.
import fs from 'node:fs';
import { join } from 'node:path';
import { discard } from './atomic-file.ts';
import { errnoOf, isMissing, orMissing, type FileSystem } from './file-system.ts';
import { describeThisProcess, judgeOwner, parseOwner, printOwner, type LockOwner } from './lock-owner.ts';

/** A holder touches its lock this often; much less than any sensible `silenceMs`. */
const HEARTBEAT_MS = 1_000;

/**
 * A look at a lock counts for no more silence than this. Whoever waits has slept with the machine, or had no turn on a busy
 * one, if more time has passed, and then the holder may have had none either.
 */
const LONGEST_LOOK_MS = 250;

export interface ProcessLockOptions {
  readonly fs: FileSystem;
  /** `.git/stet`; it must exist. */
  readonly folder: string;
  /** How long a lock whose owner cannot be judged may stay untouched before its owner counts as dead. */
  readonly silenceMs: number;
  /** The lock's file in the folder; `write.lock` unless given. */
  readonly name?: string;
}

/** What stood in the way until the deadline. */
export type LockAttempt = { ok: true; recovered: boolean } | { ok: false; holder: string };

interface Sighting {
  readonly owner: LockOwner | null;
  /** The nonce, or for an unsigned file what tells it from any other. */
  readonly identity: string;
  readonly modified: bigint;
}

export class ProcessLock {
  readonly path: string;
  readonly #options: ProcessLockOptions;
  readonly #me: LockOwner = describeThisProcess();
  readonly #signed: string;
  #heartbeat: NodeJS.Timeout | null = null;

  constructor(options: ProcessLockOptions) {
    this.#options = options;
    this.path = join(options.folder, options.name ?? 'write.lock');
    this.#signed = join(options.folder, `owner-${this.#me.pid}-${this.#me.nonce}`);
  }

  /** Takes the lock, waiting until `deadline` (of `performance.now()`). `recovered`: a dead process had left it. */
  async acquire(deadline: number): Promise<LockAttempt> {
    const attempt = await this.#take(this.path, deadline);
    if (attempt.ok) {
      if (this.#heartbeat !== null) clearInterval(this.#heartbeat);
      this.#heartbeat = setInterval(() => void this.#touch().catch(() => undefined), HEARTBEAT_MS);
      this.#heartbeat.unref();
    }
    return attempt;
  }

  /** Gives the lock back. */
  async release(): Promise<void> {
    await this.free(this.path);
    if (this.#heartbeat !== null) clearInterval(this.#heartbeat);
    this.#heartbeat = null;
  }

  /**
   * Takes one of git's locks (`index.lock`, …), trying until `deadline`. Only under `write.lock`: then a lock that stet
   * signed and this process does not hold was left by a dead one, and is replaced at once. One that it holds, it keeps.
   */
  async claim(path: string, deadline: number): Promise<LockAttempt> {
    for (let tries = 0; ; tries++) {
      if (await this.#link(path)) return { ok: true, recovered: false };
      if (await this.holds(path)) return { ok: true, recovered: false };
      if (await this.removeIfLeftBehind(path)) continue;
      if (performance.now() >= deadline) return { ok: false, holder: `the lock ${path}` };
      await pause(tries);
    }
  }

  /** Removes a git lock that a dead stet process left. Only under `write.lock`. Says whether the way is free. */
  async removeIfLeftBehind(path: string): Promise<boolean> {
    const seen = await this.#look(path);
    if (seen === null) return true;
    if (seen.owner === null || seen.owner.nonce === this.#me.nonce) return false;
    await this.#unlinkIfThere(path);
    return true;
  }

  /** Whether the lock at `path` is this process's: false once another judged it dead (it slept too long). */
  async holds(path: string): Promise<boolean> {
    return (await this.#look(path))?.owner?.nonce === this.#me.nonce;
  }

  /** Gives a lock back, unless it is no longer this process's. */
  async free(path: string): Promise<void> {
    if (await this.holds(path)) await this.#unlinkIfThere(path);
    heldPaths.delete(path);
  }

  /** Removes what dead processes left in the folder: signed files, and rights to break a lock. Only under `write.lock`. */
  async sweep(): Promise<void> {
    for (const { name } of await this.#options.fs.readFolder(this.#options.folder)) {
      if (!/^(owner|break)-/.test(name)) continue;
      const path = join(this.#options.folder, name);
      const seen = await this.#look(path);
      if (seen !== null && seen.owner?.nonce !== this.#me.nonce && this.#isDead(seen, 0))
        await this.#unlinkIfThere(path);
    }
  }

  /** Removes this process's signed file. The lock can still be taken again. */
  async close(): Promise<void> {
    heldPaths.delete(this.#signed);
    await discard(this.#options.fs, this.#signed);
  }

  async #take(path: string, deadline: number): Promise<LockAttempt> {
    let recovered = false;
    let silent: { readonly sighting: Sighting; ms: number } | null = null;
    let lookedAt = performance.now();
    for (let tries = 0; ; tries++) {
      if (await this.#link(path)) return { ok: true, recovered };
      const seen = await this.#look(path);
      if (seen === null) continue;
      // Left by a release that failed: one process has one lock, and its calls queue up for it.
      if (seen.owner?.nonce === this.#me.nonce) return { ok: true, recovered };
      const now = performance.now();
      const passedMs = Math.min(now - lookedAt, LONGEST_LOOK_MS);
      lookedAt = now;
      const unchanged = silent?.sighting.identity === seen.identity && silent.sighting.modified === seen.modified;
      if (silent === null || !unchanged) silent = { sighting: seen, ms: 0 };
      else silent.ms += passedMs;
      if (this.#isDead(seen, silent.ms) && (await this.#break(path, seen, deadline))) {
        recovered = true;
        continue;
      }
      if (performance.now() >= deadline) return { ok: false, holder: describeHolder(seen.owner) };
      await pause(tries);
    }
  }

  #isDead(seen: Sighting, silentMs: number): boolean {
    const verdict = seen.owner === null ? 'unknown' : judgeOwner(seen.owner, this.#me);
    return verdict === 'dead' || (verdict === 'unknown' && silentMs >= this.#options.silenceMs);
  }

  async #break(path: string, dead: Sighting, deadline: number): Promise<boolean> {
    const right = join(this.#options.folder, `break-${dead.identity}`);
    const attempt = await this.#take(right, deadline);
    if (!attempt.ok) return false;
    try {
      const now = await this.#look(path);
      if (now?.identity !== dead.identity) return false;
      await this.#unlinkIfThere(path);
      return true;
    } finally {
      await this.free(right);
    }
  }

  async #look(path: string): Promise<Sighting | null> {
    const { fs } = this.#options;
    const stat = await orMissing(fs.lstat(path));
    if (stat === null) return null;
    const text = await orMissing(fs.readFile(path));
    // A link to nothing stands in the way like any file that nobody signed.
    if (text === null && !stat.isSymbolicLink()) return null;
    const owner = text === null ? null : parseOwner(text.toString('utf8'));
    return { owner, identity: owner?.nonce ?? `unsigned-${stat.ino}-${stat.mtimeNs}`, modified: stat.mtimeNs };
  }

  async #link(path: string): Promise<boolean> {
    try {
      await this.#sign();
      await this.#options.fs.link(this.#signed, path);
    } catch (error) {
      if (errnoOf(error) === 'EEXIST') return false;
      if (!LINKLESS.has(errnoOf(error) ?? '')) throw error;
      if (!(await this.#createWithoutLink(path))) return false;
    }
    releaseAtExit(path);
    return true;
  }

  /** FAT and some network file systems have no hard links; there a crash can leave an unsigned lock of ours. */
  async #createWithoutLink(path: string): Promise<boolean> {
    try {
      await this.#options.fs.createFile(path, Buffer.from(printOwner(this.#me)), { mode: 0o644, sync: false });
      return true;
    } catch (error) {
      if (errnoOf(error) === 'EEXIST') return false;
      throw error;
    }
  }

  /** Makes the signed file, or makes it young: who watches a lock for signs of life must see each taking of it. */
  async #sign(): Promise<void> {
    try {
      await this.#touch();
    } catch (error) {
      if (!isMissing(error)) throw error;
      await this.#options.fs.createFile(this.#signed, Buffer.from(printOwner(this.#me)), { mode: 0o644, sync: true });
      releaseAtExit(this.#signed);
    }
  }

  async #touch(): Promise<void> {
    await this.#options.fs.setModified(this.#signed, Date.now() / 1000);
  }

  async #unlinkIfThere(path: string): Promise<void> {
    try {
      await this.#options.fs.unlink(path);
    } catch (error) {
      if (!isMissing(error)) throw error;
    }
  }
}

const LINKLESS = new Set(['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK', 'EXDEV']);

/** Short first, so that a lock held for a moment costs a moment; jittered, so that waiters do not march in step. */
async function pause(tries: number): Promise<void> {
  const most = Math.min(40, 2 + tries * 2);
  await new Promise((resolve) => setTimeout(resolve, 1 + Math.random() * most));
}

/** A lock of git's that does not go away, and what to do about it; stet itself takes none that it did not make. */
export function describeForeignLock(path: string): string {
  return `another git holds the lock ${path} (if none runs, it was left by one that died: remove that file)`;
}

function describeHolder(owner: LockOwner | null): string {
  return owner === null ? 'unknown' : `process ${owner.pid} on ${owner.host}`;
}

// A process that ends in good order leaves no lock behind, whatever it was doing.
const heldPaths = new Set<string>();
let watchesExit = false;

function releaseAtExit(path: string): void {
  heldPaths.add(path);
  if (watchesExit) return;
  watchesExit = true;
  process.on('exit', () => {
    for (const held of heldPaths) {
      try {
        fs.unlinkSync(held);
      } catch {
        // Gone already, or not ours to remove; the next process judges it.
      }
    }
  });
}
