// What setting up or taking out means for one client's file, as a pure decision over its text.
// Invariant: only entries that start stet are changed or taken out; another server of that name is left and reported.

import { isDeepStrictEqual } from 'node:util';
import type { Parsed } from '../memory/item.ts';
import { commandWords, type Client } from './clients.ts';
import { refuse } from './config-format.ts';
import { SERVER_NAME, startsStet, type ServerCommand } from './server-entry.ts';

export type ChangeStatus = 'added' | 'updated' | 'unchanged' | 'removed' | 'absent';

export interface PlannedChange {
  readonly status: ChangeStatus;
  /** The file as it is to be; the same text where nothing changes. */
  readonly text: string;
  /** The entries that are added, updated or removed. */
  readonly names: readonly string[];
}

/** Puts an entry in, or brings the one that is there up to date; keys that are not stet's stay. */
export function planAdd(client: Client, text: string, server: ServerCommand): Parsed<PlannedChange> {
  const listed = client.format.list(text);
  if (!listed.ok) return listed;
  const present = listed.value.get(server.name);
  const keys = client.entry(server);
  if (present !== undefined && !startsStet(commandWords(present))) {
    return refuse(1, `The entry "${server.name}" starts something else than stet: rename it or take it out first.`);
  }
  const isThere = Object.entries(keys).every(([key, value]) =>
    isDeepStrictEqual((present as Readonly<Record<string, unknown>> | undefined)?.[key], value),
  );
  if (isThere) return { ok: true, value: { status: 'unchanged', text, names: [] } };
  const edited = client.format.put(text, server.name, keys);
  if (!edited.ok) return edited;
  const status = present === undefined ? 'added' : 'updated';
  return { ok: true, value: { status, text: edited.value, names: [server.name] } };
}

/** Takes out the entry of this name, or with null every entry that setting up has made. */
export function planRemove(client: Client, text: string, name: string | null): Parsed<PlannedChange> {
  const listed = client.format.list(text);
  if (!listed.ok) return listed;
  const names = [...listed.value]
    .filter(([each]) => (name === null ? new RegExp(`^${SERVER_NAME}(?:-|$)`).test(each) : each === name))
    .filter(([, entry]) => startsStet(commandWords(entry)))
    .map(([each]) => each);
  let edited = text;
  for (const each of names) {
    const removed = client.format.remove(edited, each);
    if (!removed.ok) return removed;
    edited = removed.value;
  }
  return { ok: true, value: { status: names.length === 0 ? 'absent' : 'removed', text: edited, names } };
}
