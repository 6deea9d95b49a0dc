// Reading and writing the files of clients. Invariant: a file is replaced as a whole or not at all, at the end of its
// symbolic links, with its permissions; it has a backup beside it first, and what somebody else wrote meanwhile is kept.

import { isUtf8 } from 'node:buffer';
import { randomBytes } from 'node:crypto';
import fs from 'node:fs';
import { basename, dirname, isAbsolute, join, resolve } from 'node:path';
import type { Candidates } from './locations.ts';

export type ConfigRead =
  /** `target` is the file itself, behind all links. */
  | { readonly status: 'read'; readonly target: string; readonly text: string }
  | { readonly status: 'missing'; readonly target: string }
  | { readonly status: 'unreadable'; readonly reason: string };

export type ConfigWrite =
  /** `backup` is the copy of what was there; null for a file that is new. */
  | { readonly status: 'written'; readonly backup: string | null }
  /** Somebody else wrote to it meanwhile; nothing was written. */
  | { readonly status: 'changed' }
  | { readonly status: 'refused'; readonly reason: string };

/** The first that exists, else the first whose folder exists, else the first; null for no candidates. */
export function chooseFile(candidates: Candidates): string | null {
  return (
    candidates.find((file) => fs.existsSync(file)) ??
    candidates.find((file) => fs.existsSync(dirname(file))) ??
    candidates[0] ??
    null
  );
}

export function readConfigFile(path: string): ConfigRead {
  try {
    const target = followLinks(path);
    if (!fs.existsSync(target)) return { status: 'missing', target };
    const stat = fs.statSync(target);
    if (!stat.isFile()) return { status: 'unreadable', reason: 'it is no regular file' };
    const bytes = fs.readFileSync(target);
    if (!isUtf8(bytes)) return { status: 'unreadable', reason: 'it is not UTF-8 text' };
    return { status: 'read', target, text: bytes.toString('utf8') };
  } catch (error) {
    if (!hasCode(error)) throw error;
    return { status: 'unreadable', reason: error.message };
  }
}

/** `before` is the text that the change was made from; null for a file that was not there. */
export function writeConfigFile(target: string, before: string | null, after: string, now: Date): ConfigWrite {
  const temporary = join(dirname(target), `.stet-${randomBytes(6).toString('hex')}.tmp`);
  return attempt(
    () => {
      fs.mkdirSync(dirname(target), { recursive: true });
      if (before !== null) fs.accessSync(target, fs.constants.W_OK);
      const mode = before === null ? 0o666 : fs.statSync(target).mode & 0o777;
      writeDurably(temporary, after, mode);
      // The process's umask may have taken away what the old file allowed.
      if (before !== null) fs.chmodSync(temporary, mode);
      if (!isStill(target, before)) return { status: 'changed' };
      const backup = before === null ? null : copyBeside(target, before, now);
      fs.renameSync(temporary, target);
      return { status: 'written', backup };
    },
    () => discard(temporary),
  );
}

/** Removes a file that holds nothing of the user's any more. */
export function removeConfigFile(target: string, before: string): ConfigWrite {
  return attempt(() => {
    if (!isStill(target, before)) return { status: 'changed' };
    fs.rmSync(target);
    return { status: 'written', backup: null };
  });
}

/** The backup alone, for a file that somebody else is about to change. */
export function backUpFile(target: string, text: string, now: Date): ConfigWrite {
  return attempt(() => ({ status: 'written', backup: copyBeside(target, text, now) }));
}

/** Named after the moment: an older backup is never replaced. */
function copyBeside(target: string, text: string, now: Date): string {
  const moment = now.toISOString().replace(/[-:]|\.\d+Z/g, '');
  const mode = fs.statSync(target).mode & 0o777;
  for (let count = 1; ; count += 1) {
    const name = `${basename(target)}.${moment}${count === 1 ? '' : `-${count}`}.stet-backup`;
    const backup = join(dirname(target), name);
    try {
      writeDurably(backup, text, mode);
      return backup;
    } catch (error) {
      if (!hasCode(error) || error.code !== 'EEXIST' || count === MAX_BACKUPS_A_SECOND) throw error;
    }
  }
}

const MAX_BACKUPS_A_SECOND = 100;

/** Where links lead, also when nothing is there yet. */
function followLinks(path: string): string {
  let target = path;
  for (let hops = 0; hops < 40; hops += 1) {
    const stat = fs.lstatSync(target, { throwIfNoEntry: false });
    if (stat?.isSymbolicLink() !== true) return target;
    const next = fs.readlinkSync(target);
    target = isAbsolute(next) ? next : resolve(fs.realpathSync(dirname(target)), next);
  }
  throw Object.assign(new Error('too many links'), { code: 'ELOOP' });
}

function isStill(target: string, before: string | null): boolean {
  const present = fs.existsSync(target) ? fs.readFileSync(target, 'utf8') : null;
  return present === before;
}

function writeDurably(path: string, text: string, mode: number): void {
  const handle = fs.openSync(path, 'wx', mode);
  try {
    fs.writeFileSync(handle, text);
    fs.fsyncSync(handle);
  } finally {
    fs.closeSync(handle);
  }
}

/** What the system refuses becomes a value; anything else is a bug and goes on. */
function attempt(work: () => ConfigWrite, cleanUp: () => void = () => undefined): ConfigWrite {
  try {
    return work();
  } catch (error) {
    if (!hasCode(error)) throw error;
    return { status: 'refused', reason: error.message };
  } finally {
    cleanUp();
  }
}

/** Best effort: the outcome that led here is the one to report. */
function discard(path: string): void {
  try {
    fs.rmSync(path, { force: true });
  } catch (error) {
    if (!hasCode(error)) throw error;
  }
}

function hasCode(error: unknown): error is Error & { readonly code: string } {
  return error instanceof Error && 'code' in error && typeof error.code === 'string';
}
