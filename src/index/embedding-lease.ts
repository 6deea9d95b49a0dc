// Which process of a memory embeds, so that two servers do not embed the same texts side by side. Invariant: it saves work
// and guards nothing. Two holders cost time only, so that a dead one is simply outlived, on any file system.
import { randomBytes } from 'node:crypto';
import { mkdirSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** A holder that has not renewed for so long is dead: a text takes far less. */
const DEAD_AFTER_MS = 10_000;
/** Renewing more often than this tells nobody anything. */
const RENEW_EVERY_MS = 1_000;

export class EmbeddingLease {
  readonly #folder: string;
  readonly #path: string;
  readonly #mark = randomBytes(8).toString('hex');
  #heldSinceMs = 0;

  /** `folder`: absolute path; made when needed. */
  constructor(folder: string) {
    this.#folder = folder;
    this.#path = join(folder, 'embedding.lease');
  }

  /** True while this process may embed. Where nothing can be written there is nobody to share with, and it may. */
  acquire(): boolean {
    const now = Date.now();
    if (Math.abs(now - this.#heldSinceMs) < RENEW_EVERY_MS) return true;
    try {
      if (this.#isMine()) {
        utimesSync(this.#path, now / 1000, now / 1000);
      } else {
        if (this.#isDead(now)) rmSync(this.#path, { force: true });
        mkdirSync(this.#folder, { recursive: true });
        writeFileSync(this.#path, this.#mark, { flag: 'wx' });
      }
    } catch (error) {
      const { code, syscall } = error as NodeJS.ErrnoException;
      if (code === 'EEXIST' && syscall === 'open') return false;
    }
    this.#heldSinceMs = now;
    return true;
  }

  release(): void {
    this.#heldSinceMs = 0;
    try {
      if (this.#isMine()) rmSync(this.#path, { force: true });
    } catch {
      // It dies of age.
    }
  }

  #isMine(): boolean {
    try {
      return readFileSync(this.#path, 'utf8') === this.#mark;
    } catch {
      return false;
    }
  }

  #isDead(now: number): boolean {
    try {
      // One of the future too: the clock was set back, and who held it then would be waited for until it is that late again.
      return Math.abs(statSync(this.#path).mtimeMs - now) > DEAD_AFTER_MS;
    } catch {
      return false;
    }
  }
}
