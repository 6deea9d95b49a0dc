// What stet's keys in a frontmatter mean. Invariant: a value that could change who sees an item, for how long, or what it
// replaces is never guessed: it is read exactly or is a problem. Keys that notes from elsewhere use too (`id`, `source`,
// `created`, `tags`) are read where they fit, and else are the note's own.
import { excerpt } from './excerpt.ts';
import type { FrontmatterKeys, FrontmatterValue } from './frontmatter-yaml.ts';
import { isId } from './id.ts';
import { isKind, KINDS } from './item.ts';
import type { Item, Kind, Problem, Space } from './item.ts';
import { idInPath } from './item-path.ts';
import { isBlankText, KeyReader } from './key-reader.ts';
import { PERSONAL_KEY } from './space-key.ts';
import { sameSpaceName } from './space-name.ts';

/** Keys that adoption adds where they are missing. */
export type AdoptedKey = 'id' | 'created' | 'source';

/** The keys of an item, as far as its file has them. */
export type ItemKeys = Pick<
  Item,
  | 'kind'
  | 'space'
  | 'supersedes'
  | 'conflictsWith'
  | 'tags'
  | 'until'
  | 'asOf'
  | 'target'
  | 'origin'
  | 'review'
  | 'forgetRequestedBy'
> & {
  /** Null where the file has none, or one of another form. */
  readonly [key in AdoptedKey]: string | null;
} & {
  /** Keys that are there in another form and are the note's own: kept under another name on adoption. */
  readonly foreign: readonly string[];
  /** Marked personal in a space's folder: the folder counts, the key is to be rewritten. */
  readonly narrows: boolean;
};

export interface KeysFrom {
  readonly path: string;
  /** The space of the folder that the file is in. */
  readonly space: Space;
  /** The note was written elsewhere: none of its keys can be wrong, a key that does not fit is the note's own. */
  readonly imported: boolean;
}

/** What stet's keys in a file say; problems are collected. */
export function readItemKeys(keys: FrontmatterKeys, from: KeysFrom, problems: Problem[]): ItemKeys {
  const foreign = new Set<string>();
  const reader = new KeyReader(keys, (key, problem) => {
    if (from.imported) foreign.add(key);
    else problems.push(problem);
  });
  const own = (key: AdoptedKey, fits: (text: string) => boolean): string | null => {
    const value = reader.value(key);
    if (value.shape === 'empty' || isBlankText(value)) return null;
    if (value.shape === 'text' && fits(value.text.trim())) return value.text.trim();
    foreign.add(key);
    return null;
  };
  const isOneLine = (text: string) => !/[\r\n]/.test(text);

  const id = own('id', isId);
  const named = idInPath(from.path);
  if (foreign.has('id') && named !== null) {
    reader.problem('id', `\`id\` is not an id (8 characters like "k3v9q2m7"): the file's name says "${named}".`);
  }
  const [created, source] = [own('created', isOneLine), own('source', isOneLine)];
  const until = reader.day('until');
  const asOf = reader.day('as_of');
  const target = reader.text('target', 'an address on one line');
  const origin = reader.text('origin', 'a reference to a transcript, on one line');
  const read = { kind: kindOf(reader), ...spaceOf(reader, from.space), supersedes: reader.ids('supersedes') };
  const conflictsWith = reader.ids('conflicts_with');
  const review = reviewOf(reader);
  const forgetRequestedBy = reader.text('forget_requested_by', 'the name of who asked, on one line');
  return {
    id,
    created,
    source,
    ...read,
    foreign: [...foreign],
    ...(conflictsWith.length > 0 && { conflictsWith }),
    ...(until !== null && { until }),
    ...(asOf !== null && { asOf }),
    ...(target !== null && { target }),
    ...(origin !== null && { origin }),
    ...(review !== null && { review }),
    ...(forgetRequestedBy !== null && { forgetRequestedBy }),
    tags: tagsOf(reader.value('tags')),
  };
}

function kindOf(reader: KeyReader): Kind {
  const text = reader.text('kind', `one of ${KINDS.join(', ')}`);
  if (text === null) return 'fact';
  if (isKind(text)) return text;
  reader.problem('kind', `"${excerpt(text)}" is not a kind: write one of ${KINDS.join(', ')}.`);
  return 'fact';
}

/** A note's own `review` of another meaning would put it in force or hold it back by accident, so it is a problem. */
function reviewOf(reader: KeyReader): 'waiting' | 'unseen' | null {
  const text = reader.text('review', 'waiting or unseen');
  if (text === null || text === 'waiting' || text === 'unseen') return text;
  reader.problem('review', `\`review\` is "waiting" or "unseen", not "${excerpt(text)}": correct it or take it out.`);
  return null;
}

/** The key and the folder agree, or the item is nobody's. One way only is safe: from personal into a space. */
function spaceOf(reader: KeyReader, folder: Space): { space: Space; narrows: boolean } {
  const text = reader.text('space', 'the name of one space');
  if (text === null || sameSpaceName(text, folder ?? PERSONAL_KEY)) return { space: folder, narrows: false };
  if (sameSpaceName(text, PERSONAL_KEY)) return { space: folder, narrows: true };
  const said = excerpt(text);
  const [where, remedy] =
    folder === null
      ? [PERSONAL_KEY, 'take the key out to make it personal']
      : [`the space ${excerpt(folder)}`, `write \`space: ${excerpt(folder)}\``];
  reader.problem(
    'space',
    `\`space: ${said}\` disagrees with the folder, which is ${where}: move the file to spaces/${said}/, or ${remedy}.`,
  );
  return { space: folder, narrows: false };
}

/** A list, or one text with commas between, as notes elsewhere have it. What is neither is not stet's to judge. */
function tagsOf(value: FrontmatterValue): readonly string[] {
  const texts = value.shape === 'list' ? value.texts : value.shape === 'text' ? value.text.split(',') : [];
  const tags = texts.map((text) => text.replace(/\s+/g, ' ').trim().normalize('NFC'));
  return [...new Set(tags.filter((tag) => tag !== ''))];
}
