// What a hand edit of the script means on the files as they are: which bytes go where. Null where it cannot be done
// (an item that is gone), and where it would give one id to files of two spaces: then there is no saying whose item
// it is (docs/rules.md says what happens).

import type { Views } from './places.ts';
import type { HandEdit, Place } from './script.ts';

/** What an edit makes of a file; null where it is gone then. */
export interface EditedFile {
  readonly path: string;
  readonly bytes: Buffer | null;
}

/** An item as it was when its file was good last. */
export interface KnownItem {
  readonly path: string;
  readonly bytes: Buffer;
  readonly text: string;
}

export interface EditContext {
  readonly operation: number;
  readonly known: (id: string) => KnownItem | null;
  /** Paths of the files that carry this id now. */
  readonly pathsOf: (id: string) => readonly string[];
  readonly isForgotten: (id: string) => boolean;
  readonly bytesAt: (path: string) => Buffer | null;
  readonly views: Views;
  readonly freshId: string;
}

/** `id` and `supersedes` come resolved; `text` is the text to write. */
export function effectsOf(
  edit: HandEdit,
  id: string,
  supersedes: readonly string[],
  text: string,
  context: EditContext,
): readonly EditedFile[] | null {
  const one = (path: string, bytes: string | Buffer | null): readonly EditedFile[] => [
    { path, bytes: typeof bytes === 'string' ? Buffer.from(bytes) : bytes },
  ];
  if (edit.edit === 'create') {
    const keys = edit.keys;
    const lines =
      keys === null
        ? []
        : [
            ...(keys.id ? [`id: "${context.freshId}"`] : []),
            ...(keys.kind === null ? [] : [`kind: ${keys.kind}`]),
            ...(supersedes.length === 0 ? [] : [`supersedes: [${supersedes.join(', ')}]`]),
            ...(keys.until === null ? [] : [`until: ${keys.until}`]),
            ...(keys.review ? ['review: waiting'] : []),
          ];
    const head = keys === null ? '' : `---\n${lines.map((line) => `${line}\n`).join('')}---\n`;
    return one(newPath(edit.where, context), `${head}${text}\n`);
  }
  if (edit.edit === 'unbury' || edit.edit === 'garble-tombstone') {
    if (!context.isForgotten(id)) return null;
    return one(`forgotten/${id}.yaml`, edit.edit === 'unbury' ? null : 'id: [\n');
  }
  const item = context.known(id);
  const paths = context.pathsOf(id);
  if (item === null) return null;
  if (edit.edit === 'mend') {
    const elsewhere = paths.some((path) => folderOf(path) !== folderOf(item.path));
    return elsewhere ? null : one(item.path, item.bytes);
  }
  const present = context.bytesAt(item.path);
  if (present === null) return null;
  const source = present.toString('utf8');
  switch (edit.edit) {
    case 'rewrite':
      return one(item.path, `${headOf(source)}${text}\n`);
    case 'drop-frontmatter':
      return one(item.path, source.slice(headOf(source).length));
    case 'delete':
      return one(item.path, null);
    case 'copy-beside':
      return one(item.path.replace(/[^/]*$/, `copy-${context.operation}.md`), present);
    case 'break':
      return one(item.path, brokenBy(edit.how, source));
    case 'move': {
      if (paths.length > 1 || context.isForgotten(id)) return null;
      const to = newPath(edit.where, context);
      if (folderOf(to) === folderOf(item.path)) return null;
      const moved = edit.rewritesKey ? withSpaceKey(source, edit.where, context.views) : present;
      return [...one(to, moved), ...one(item.path, null)];
    }
  }
}

function newPath(where: Place, { operation, views }: EditContext): string {
  return where === 'personal' ? `personal/hand-${operation}.md` : `spaces/${views.nameOf(where)}/hand-${operation}.md`;
}

/** `personal`, or `spaces/<name>`. */
function folderOf(path: string): string {
  const [top = '', name = ''] = path.split('/');
  return top === 'personal' ? top : `${top}/${name}`;
}

function headOf(source: string): string {
  return /^---\n[^]*?\n---\n/.exec(source)?.[0] ?? '';
}

function brokenBy(how: 'yaml' | 'markers' | 'kind' | 'space' | 'empty' | 'bytes', source: string): string | Buffer {
  const body = source.slice(headOf(source).length);
  switch (how) {
    case 'yaml':
      return `---\nkind: [\n---\n${body}`;
    case 'markers':
      return `${source}<<<<<<< ours\nA\n=======\nB\n>>>>>>> theirs\n`;
    case 'kind':
      return `---\nkind: rumour\n---\n${body}`;
    case 'space':
      return `---\nspace: nowhere\n---\n${body}`;
    case 'empty':
      return '';
    case 'bytes':
      return Buffer.from([0xff, 0xfe, 0x00, 0x41]);
  }
}

function withSpaceKey(source: string, where: Place, views: Views): string {
  const bare = source.replace(/^space: .*\n/m, '');
  return where === 'personal' || headOf(bare) === ''
    ? bare
    : bare.replace(/^---\n/, `---\nspace: ${views.nameOf(where)}\n`);
}
