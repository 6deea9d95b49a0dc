// Which paths are items, and what a new item's file is called. Paths are relative to the memory, with `/` on every
// system. Invariant: a name that stet makes is legal on Linux, macOS and Windows, and carries the item's id.
import { isId } from './id.ts';
import type { Space } from './item.ts';

/** Slugs are cut to this many bytes of UTF-8: with id and extension a name stays far below the 255 of file systems. */
const SLUG_BYTES = 80;

/** Names that Windows keeps for devices, whatever extension follows. */
const RESERVED = /^(?:con|prn|aux|nul|com\d|lpt\d)$/;

/** Files that editors, merge tools and sync programs leave beside a note: copies of it, never notes of their own. */
const LEFTOVERS = [
  /^[#~]/, // Emacs auto-save `#x.md#`, Office lock `~$x.md`
  /~\.md$/i, // backup before the extension
  /\.(?:orig|bak|backup|swp|tmp|temp)\.md$/i,
  /\.sync-conflict-\d{8}-\d{6}-\w+\.md$/i, // Syncthing
  /\((?:[^()]* )?(?:conflicted copy|case conflict)[^()]*\)\.md$/i, // Dropbox, Nextcloud
  /_(?:BACKUP|BASE|LOCAL|REMOTE)_\d+\.md$/, // git mergetool
];

/** Names that stet makes of English, which are no leftovers: told at once, for every file is looked at by its name. */
const USUAL_NAME = /^[a-z0-9][a-z0-9-]*\.[a-z0-9]{8}\.md$/;

/**
 * Where an item's file belongs, or null where a path is no item's: not `.md`, a README, outside `personal/` and
 * `spaces/<name>/`, in a hidden folder, or what an editor, merge tool or sync program left behind.
 * The space's name is NFC.
 */
export function placeOf(path: string): { space: Space } | null {
  const parts = path.split('/');
  const name = parts.at(-1) ?? '';
  if (!/\.md$/i.test(name) || /^readme\.md$/i.test(name)) return null;
  if (parts.some((part) => part === '' || part.startsWith('.'))) return null;
  if (!USUAL_NAME.test(name) && LEFTOVERS.some((leftover) => leftover.test(name))) return null;
  const [top, space] = parts;
  if (top === 'personal' && parts.length >= 2) return { space: null };
  if (top === 'spaces' && parts.length >= 3 && space !== undefined) return { space: space.normalize('NFC') };
  return null;
}

/** The id that a name made by stet carries (`slug.id.md`), or null. The frontmatter's id is the one that counts. */
export function idInPath(path: string): string | null {
  const id = /\.([^./]{8})\.md$/.exec(path)?.[1];
  return id !== undefined && isId(id) ? id : null;
}

/**
 * The path of a new item: `personal/2026-09/slug.id.md` or `spaces/acme/2026-09/slug.id.md`. The month is that of
 * `created` (as written where it is ISO 8601); without a readable date the folder is `undated`.
 */
export function newItemPath(item: { space: Space; created: string; statement: string; id: string }): string {
  const top = item.space === null ? 'personal' : `spaces/${item.space}`;
  return `${top}/${monthOf(item.created)}/${slugOf(item.statement)}.${item.id}.md`;
}

function monthOf(created: string): string {
  const written = /^\d{4}-(?:0[1-9]|1[0-2])(?!\d)/.exec(created)?.[0];
  if (written !== undefined) return written;
  const read = new Date(created);
  return Number.isNaN(read.getTime()) ? 'undated' : read.toISOString().slice(0, 7);
}

/**
 * The readable part of a file name: the letters and digits of any script in lower case and NFC, joined by hyphens; at
 * most {@link SLUG_BYTES} bytes, cut at a word, or at a character where the words are longer (Chinese has none).
 * A statement of emoji alone keeps them; one without either is called `item`.
 */
export function slugOf(statement: string): string {
  // Long texts have one-paragraph statements; no name shows more than the start of one.
  const text = withoutTargets(statement.slice(0, 1_000)).normalize('NFC').toLowerCase().normalize('NFC');
  const words = text
    .replace(/['’ʼ\p{Cf}]/gu, '')
    .split(/[^\p{L}\p{M}\p{Nd}]+/u)
    .map((word) => word.replace(/^\p{M}+/u, ''))
    .filter((word) => word !== '');
  const slug = words.length > 0 ? cutWords(words) : cutCharacters(emojiOf(text));
  if (slug === '') return 'item';
  return RESERVED.test(slug) ? `${slug}-item` : slug;
}

/** Of `[words](address)` and `[[page|words]]` the words. */
function withoutTargets(statement: string): string {
  return statement.replace(/\]\([^()]*\)/g, ']').replace(/\[\[[^[\]|]*\|/g, '[[');
}

function cutWords(words: readonly string[]): string {
  let slug = '';
  for (const word of words) {
    const longer = slug === '' ? word : `${slug}-${word}`;
    if (Buffer.byteLength(longer) > SLUG_BYTES) {
      // A long word is cut rather than dropped while the slug says little: languages without blanks are one "word".
      return Buffer.byteLength(slug) >= SLUG_BYTES / 2 ? slug : cutCharacters(longer).replace(/-$/, '');
    }
    slug = longer;
  }
  return slug;
}

const graphemes = new Intl.Segmenter('und', { granularity: 'grapheme' });

function emojiOf(text: string): string {
  return [...graphemes.segment(text)]
    .map(({ segment }) => segment)
    .filter((segment) => /\p{Extended_Pictographic}|\p{Regional_Indicator}/u.test(segment))
    .join('');
}

function cutCharacters(text: string): string {
  let cut = '';
  let bytes = 0;
  for (const { segment } of graphemes.segment(text)) {
    bytes += Buffer.byteLength(segment);
    if (bytes > SLUG_BYTES) break;
    cut += segment;
  }
  return cut;
}
