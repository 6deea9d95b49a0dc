// The files of a memory on two sides and at their common ancestor, as far as they differ: what a merge of memories works on.
import { placeOf } from '../item-path.ts';
import { tombstonedId } from '../tombstone.ts';
import { sameBytes } from './merge-item-files.ts';

/** What git keeps of a file. */
export interface FileVersion {
  /** `100644`, `100755` (executable), `120000` (a link), `160000` (another repository). */
  readonly mode: string;
  /** git's name for the content; null for content that the merge made. */
  readonly blob: string | null;
  /** Null where {@link needsBytes} said that nobody reads them. */
  readonly bytes: Uint8Array | null;
}

export type Side = 'ours' | 'theirs';

export interface MemoryVersions {
  /** By path, on each side: every file for which the three sides are not all the same. */
  readonly base: ReadonlyMap<string, FileVersion>;
  readonly ours: ReadonlyMap<string, FileVersion>;
  readonly theirs: ReadonlyMap<string, FileVersion>;
  /** The paths of all other files. */
  readonly unchanged: ReadonlySet<string>;
  /** Whether one of those other files carries this id. */
  readonly keepsId: (id: string) => boolean;
  /** When the newest commit of each side was made, ISO 8601: when what it lacks was removed, at the latest. */
  readonly madeAt: Readonly<Record<Side, string>>;
}

export const SETTING_FILES = ['spaces.yaml', 'policies.yaml', 'stet.yaml'] as const;

/**
 * What never leaves its machine: if another machine committed it, it is not taken over, and goes out of the history. So is
 * every other name that some system takes for one of these.
 */
export function isLocalFile(path: string): boolean {
  const parts = path.split('/').map(asOnDisk);
  return /^(?:machine\.yaml$|deliveries\/|\.stet\/)/.test(parts.join('/')) || SHORT_NAME.test(parts[0] ?? '');
}

/** What Windows may call them besides: the first six letters, and a number ("8.3 names"). */
const SHORT_NAME = /^(?:machin|delive|stet)~\d/;
/** Characters that HFS+ of macOS overlooks in names (git's utf8.c, `next_hfs_char`). */
const OVERLOOKED = /[\u200C-\u200F\u202A-\u202E\u206A-\u206F\uFEFF]/gu;

/** macOS and Windows overlook case, and Windows also dots and blanks at the end and the name of a stream after a colon. */
function asOnDisk(name: string): string {
  return name
    .replaceAll(OVERLOOKED, '')
    .replace(/:.*$/su, '')
    .replace(/[. ]+$/u, '')
    .toLowerCase();
}

/** Whether a merge looks into the versions of this file. */
export function needsBytes(path: string, versions: ReadonlyArray<FileVersion | undefined>): boolean {
  if (isLocalFile(path)) return false;
  const isKnown = placeOf(path) !== null || tombstonedId(path) !== null || SETTING_FILES.some((name) => name === path);
  if (isKnown) return true;
  const [base, ours, theirs] = versions;
  return !sameVersion(base, ours) && !sameVersion(base, theirs) && !sameVersion(ours, theirs);
}

export function sameVersion(a: FileVersion | undefined, b: FileVersion | undefined): boolean {
  if (a === undefined || b === undefined) return a === b;
  return a.mode === b.mode && sameContent(a, b);
}

export function sameContent(a: FileVersion, b: FileVersion): boolean {
  if (a.blob !== null && a.blob === b.blob) return true;
  if (a.blob !== null && b.blob !== null) return false;
  return a.bytes !== null && b.bytes !== null && sameBytes(a.bytes, b.bytes);
}

export function isRegular({ mode }: Pick<FileVersion, 'mode'>): boolean {
  return mode.startsWith('100');
}

/** A version with other content; the same version where the content is the same. */
export function withBytes(version: FileVersion, bytes: Uint8Array): FileVersion {
  const isSame = version.bytes !== null && sameBytes(version.bytes, bytes);
  return isSame ? version : { mode: version.mode, blob: null, bytes };
}
