// What stays of a forgotten item: `forgotten/<id>.yaml`, with its links so that what it superseded does not come back.
// Invariant: never any text of the item.
import { excerpt } from './excerpt.ts';
import { decodeText } from './file-text.ts';
import { withoutLoneCr } from './text-lines.ts';
import { readYaml } from './frontmatter-yaml.ts';
import { isId } from './id.ts';
import type { Parsed, Problem, Space } from './item.ts';
import { KeyReader } from './key-reader.ts';
import { yamlValue } from './yaml-value.ts';

export interface Tombstone {
  readonly id: string;
  readonly space: Space;
  /** What the item superseded; stays superseded. */
  readonly supersedes: readonly string[];
  /** When it was forgotten, ISO 8601. */
  readonly forgotten: string;
  /** Who forgot it: a source as items have it. */
  readonly by: string;
}

export function tombstonePath(id: string): string {
  return `forgotten/${id}.yaml`;
}

/**
 * The id that a tombstone's path names, or null where a path is no tombstone's. It counts even where the file cannot be
 * read: a broken tombstone must not bring the item back.
 */
export function tombstonedId(path: string): string | null {
  const id = /^forgotten\/([^/]+)\.yaml$/.exec(path)?.[1];
  return id !== undefined && isId(id) ? id : null;
}

export function printTombstone(tombstone: Tombstone): string {
  const { id, space, supersedes, forgotten, by } = tombstone;
  const links = supersedes.length === 1 ? supersedes.join() : supersedes;
  const lines: Array<readonly [key: string, value: string | readonly string[]]> = [
    ['id', id],
    ...(space === null ? [] : [['space', space] as const]),
    ...(links.length === 0 ? [] : [['supersedes', links] as const]),
    ['forgotten', forgotten],
    ['by', by],
  ];
  return lines.map(([key, value]) => `${key}: ${yamlValue(key, value)}\n`).join('');
}

/** Reads a tombstone; keys that stet does not know are let be, so that later versions can add some. */
export function parseTombstone({ path, bytes }: { path: string; bytes: Uint8Array }): Parsed<Tombstone> {
  const named = tombstonedId(path);
  if (named === null) return refuse('Not a tombstone: they are named forgotten/<id>.yaml.');
  const decoded = decodeText(bytes);
  if (!decoded.ok) return decoded;
  const yaml = readYaml(withoutLoneCr(decoded.value), 1);
  if (!yaml.ok) return yaml;

  const problems: Problem[] = [];
  const reader = new KeyReader(yaml.value.keys, (_, problem) => problems.push(problem));
  const required = (key: string, what: string): string => {
    const text = reader.text(key, what);
    if (text === null && problems.length === 0)
      reader.problem(key, `The key \`${key}\` is missing: it must be ${what}.`);
    return text ?? '';
  };
  const id = required('id', 'the id of the forgotten item');
  if (problems.length === 0 && id !== named) {
    reader.problem('id', `\`id\` is "${excerpt(id)}", but the file is named for "${named}": they must agree.`);
  }
  const space = reader.text('space', 'the name of one space')?.normalize('NFC') ?? null;
  const supersedes = reader.ids('supersedes');
  const forgotten = required('forgotten', 'the time of forgetting');
  const by = required('by', 'who forgot it');
  return problems.length > 0 ? { ok: false, problems } : { ok: true, value: { id, space, supersedes, forgotten, by } };
}

function refuse(message: string): { ok: false; problems: readonly Problem[] } {
  return { ok: false, problems: [{ line: 1, message }] };
}
