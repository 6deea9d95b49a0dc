// Merges two tombstones of one item, which both sides forgot. Invariant: what the item superseded on either side stays
// superseded.
import { Buffer } from 'node:buffer';

import { parseTombstone, printTombstone, type Tombstone } from '../tombstone.ts';
import { mergeSets } from './three-way.ts';

/** The tombstone of both, the same whichever side is ours. A broken one still counts, but the other says more. */
export function mergeTombstones(path: string, ours: Uint8Array, theirs: Uint8Array): Uint8Array {
  const [o, t] = [ours, theirs].map((bytes) => parseTombstone({ path, bytes }));
  if (!o?.ok || !t?.ok) return (o?.ok === t?.ok ? Buffer.compare(ours, theirs) < 0 : o?.ok === true) ? ours : theirs;
  return Buffer.from(printTombstone(combine(o.value, t.value)), 'utf8');
}

/** The same tombstone with more links; the same bytes where it has them all or cannot be read. */
export function addLinks(path: string, bytes: Uint8Array, links: readonly string[]): Uint8Array {
  const parsed = parseTombstone({ path, bytes });
  if (!parsed.ok || links.every((link) => parsed.value.supersedes.includes(link))) return bytes;
  const supersedes = mergeSets([], parsed.value.supersedes, links);
  return Buffer.from(printTombstone({ ...parsed.value, supersedes }), 'utf8');
}

function combine(ours: Tombstone, theirs: Tombstone): Tombstone {
  const oursFirst = [ours.forgotten, ours.by].join('\n') <= [theirs.forgotten, theirs.by].join('\n');
  const first = oursFirst ? ours : theirs;
  return {
    ...first,
    // Links of a personal tombstone count everywhere, so nothing comes back in the space that the other side knew.
    space: ours.space === null || theirs.space === null ? null : first.space,
    supersedes: mergeSets([], ours.supersedes, theirs.supersedes),
  };
}
