// `stet diff`: how the text of an item changed between two moments, as a unified diff.

import { createTwoFilesPatch } from 'diff';
import { StetError } from '../memory/failure.ts';
import { listVersions, versionAt, type Version } from './history.ts';
import type { Memory } from './memory.ts';

export interface ItemDiff {
  readonly id: string;
  readonly from: string;
  readonly to: string;
  /** Unified; empty when both are the same. */
  readonly patch: string;
}

/**
 * `range` is `A..B`, `A` (to now), or undefined: the last change. Moments are commits, tags or times. Throws
 * `not-possible` for an item that there is not, `bad-argument` for what is no moment.
 */
export async function diffItem(memory: Memory, id: string, range: string | undefined): Promise<ItemDiff> {
  await memory.refresh();
  const [from, to] = range === undefined ? await lastChange(memory, id) : await ends(memory, id, range);
  const [a, b] = [decode(from), decode(to)];
  const patch = a === b ? '' : createTwoFilesPatch(label(from), label(to), a, b, undefined, undefined, { context: 3 });
  return { id, from: label(from), to: label(to), patch };
}

async function lastChange(memory: Memory, id: string): Promise<[Version, Version]> {
  const [newest, before] = await listVersions(memory, id);
  if (newest && before) return [before, newest];
  throw new StetError({
    code: 'not-possible',
    subject: id,
    reason: 'it has one version only',
    hint: `Run \`stet show ${id}\` to see it.`,
  });
}

async function ends(memory: Memory, id: string, range: string): Promise<[Version, Version]> {
  const [from = '', to = ''] = range.split('..');
  const [now] = await listVersions(memory, id);
  const last = to === '' ? now : await versionAt(memory, id, to, 'RANGE');
  if (!last)
    throw new StetError({
      code: 'not-possible',
      subject: id,
      reason: 'it has no version now',
      hint: 'Name both ends.',
    });
  return [await versionAt(memory, id, from, 'RANGE'), last];
}

function label({ commit, path }: Version): string {
  return `${path}@${commit === null ? 'now' : commit.slice(0, 8)}`;
}

function decode({ bytes }: Version): string {
  return new TextDecoder().decode(bytes);
}
