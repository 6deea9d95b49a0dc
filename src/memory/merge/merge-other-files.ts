// Merges files that are the user's own: notes beside the items, rules for git, transcripts. Invariants: no marker is ever
// written; where the lines do not merge both versions stay, one under a name of its own.
import { Buffer } from 'node:buffer';

import { decodeText } from '../file-text.ts';
import { copyPath, type PlacedFile } from './merge-entity.ts';
import { isRegular, sameVersion, withBytes, type FileVersion } from './memory-versions.ts';
import type { MergeEvent } from './merge-events.ts';
import { mergeSets, threeWay, lesser } from './three-way.ts';
import { mergeText } from './merge-text.ts';

export interface OtherFileMerge {
  readonly files: readonly PlacedFile[];
  readonly events: readonly MergeEvent[];
}

type Version = FileVersion | undefined;

export function mergeOtherFile(path: string, base: Version, ours: Version, theirs: Version): OtherFileMerge {
  const put = (version: Version): readonly PlacedFile[] => (version === undefined ? [] : [{ path, version, id: null }]);
  if (sameVersion(ours, theirs) || sameVersion(base, theirs)) return { files: put(ours), events: [] };
  if (sameVersion(base, ours)) return { files: put(theirs), events: [] };
  if (ours === undefined || theirs === undefined) {
    const changed = ours === undefined ? 'theirs' : 'ours';
    return { files: put(ours ?? theirs), events: [{ kind: 'stays', path, changed }] };
  }
  const merged = mergeRegular(path, base, ours, theirs);
  if (merged !== null) return { files: put(merged), events: [] };
  const [first, second] = nameOf(ours) < nameOf(theirs) ? [ours, theirs] : [theirs, ours];
  const copy = copyPath(path, Buffer.from(nameOf(second)));
  return {
    files: [...put(first), { path: copy, version: second, id: null }],
    events: [{ kind: 'kept-copy', path, copy, reasons: ['both sides changed it'] }],
  };
}

function mergeRegular(path: string, base: Version, ours: FileVersion, theirs: FileVersion): FileVersion | null {
  if (!isRegular(ours) || !isRegular(theirs) || ours.bytes === null || theirs.bytes === null) return null;
  const before = base !== undefined && isRegular(base) ? base.bytes : null;
  const text = mergeBytes(path, before, ours.bytes, theirs.bytes);
  if (text === null) return null;
  const mode = threeWay(base?.mode ?? '', ours.mode, theirs.mode, lesser);
  return { ...withBytes(ours, Buffer.from(text, 'utf8')), mode };
}

function mergeBytes(path: string, base: Uint8Array | null, ours: Uint8Array, theirs: Uint8Array): string | null {
  const [b, o, t] = [base ?? new Uint8Array(), ours, theirs].map(readText);
  if (b === undefined || o === undefined || t === undefined) return null;
  if (b === null || o === null || t === null) return null;
  const merged = mergeText(base === null ? null : b, o, t);
  if (merged !== null || !/^\.git(?:ignore|attributes)$/.test(path)) return merged;
  // Rules for git, one a line, of which each is right on its own.
  const lines = mergeSets(
    ...([b, o, t].map((text) => text.split('\n').filter((line) => line !== '')) as [string[], string[], string[]]),
  );
  return lines.map((line) => `${line}\n`).join('');
}

function readText(bytes: Uint8Array): string | null {
  if (bytes.length === 0) return '';
  const text = decodeText(bytes);
  return text.ok ? text.value : null;
}

/** What tells the versions apart on every machine alike. */
function nameOf({ mode, blob, bytes }: FileVersion): string {
  return `${mode} ${blob ?? Buffer.from(bytes ?? []).toString('base64')}`;
}
