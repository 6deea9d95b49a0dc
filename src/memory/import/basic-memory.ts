// A note of basic-memory: `- [category] text #tag (context)` is an observation, `- relation [[Target]] (context)` a
// relation, wherever they stand; everything else is prose. Source: its "Knowledge Format" and "Note Format Reference".

import { readFrontmatter } from '../frontmatter.ts';
import type { Kind, Parsed } from '../item.ts';
import { addressIn, momentOf, statement, type ImportedStatement, type ReadMemory } from './imported-statement.ts';

/** A tick box (`- [ ]`, `- [x]`, `- [-]`) and a link (`- [text](address)`, `- [[Note]]`) are no categories. */
const OBSERVATION = /^\s*[-*+][ \t]+\[(?![ xX-]\])([^[\]()]{1,60})\](?!\()[ \t]*(\S.*)$/;
const RELATION = /^\s*[-*+][ \t]+([^[\]]*?)[ \t]*\[\[([^[\]]+)\]\][ \t]*(?:\(([^()]*)\))?[ \t]*$/;
const FENCE = /^\s*(`{3,}|~{3,})/;

/** `fileName` is the title where the note has none. A statement for each observation and relation, and one for the prose. */
export function readBasicMemory(text: string, fileName: string): Parsed<ReadMemory> {
  const read = readFrontmatter(text);
  if (!read.ok) return read;
  const { keys, body, bodyLine } = read.value;
  const scalar = (key: string) => {
    const value = keys.get(key)?.value;
    return value?.shape === 'text' ? value.text.trim() : '';
  };
  const title = scalar('title') || fileName.replace(/^.*[\\/]/, '').replace(/\.md$/i, '');
  const noteTags = tagsOf(keys.get('tags')?.value);
  const created = momentOf(scalar('created')) ?? momentOf(scalar('date')) ?? momentOf(scalar('created_at'));
  const statements: ImportedStatement[] = [];
  const prose: string[] = [];
  let fence: string | null = null;
  for (const [place, line] of body.replace(/\r\n?/g, '\n').split('\n').entries()) {
    const number = bodyLine + place;
    const mark = FENCE.exec(line)?.[1] ?? null;
    if (mark !== null && (fence === null || mark.startsWith(fence))) fence = fence === null ? mark : null;
    const observation = fence === null ? OBSERVATION.exec(line) : null;
    const relation = fence === null ? RELATION.exec(line) : null;
    if (observation) {
      const [, category = '', said = ''] = observation;
      statements.push(observationOf(title, category.trim(), said.trim(), number, { noteTags, created }));
    } else if (relation) {
      const [, verb = '', target = '', context] = relation;
      const words = `${title} ${verb.replaceAll('_', ' ').trim() || 'relates to'} ${nameOf(target)}`;
      const said = context === undefined ? words : `${words} (${context})`;
      statements.push(statement(said, number, { tags: [...noteTags, 'relation'], created }));
    } else prose.push(line);
  }
  const rest = proseOf(prose);
  if (rest !== '') statements.unshift(statement(titled(title, rest), bodyLine, { tags: noteTags, created }));
  const leftOut = statements.length === 0 ? [{ line: bodyLine, reason: 'it says nothing' }] : [];
  return { ok: true, value: { statements, leftOut } };
}

function observationOf(
  title: string,
  category: string,
  said: string,
  line: number,
  note: { readonly noteTags: readonly string[]; readonly created: string | null },
): ImportedStatement {
  const tags = [...said.matchAll(/(?<![\p{L}\p{N}&/])#([\p{L}\p{N}][\p{L}\p{N}/_-]*)/gu)].map(
    (match) => match[1] ?? '',
  );
  const address = addressIn(said);
  const kind = kindOf(category.toLowerCase(), address);
  return statement(`${title}: ${said}`, line, {
    kind,
    target: kind === 'pointer' ? address : null,
    tags: [...new Set([...note.noteTags, category, ...tags])],
    created: note.created,
  });
}

/** Never an instruction: those are the user's to give. */
function kindOf(category: string, address: string | null): Kind {
  switch (category) {
    case 'decision':
      return 'decision';
    case 'preference':
      return 'preference';
    case 'plan':
      return 'plan';
    case 'outcome':
    case 'result':
      return 'outcome';
    case 'definition':
    case 'term':
    case 'vocabulary':
      return 'vocabulary';
    case 'link':
    case 'reference':
    case 'resource':
    case 'url':
      return address === null ? 'fact' : 'pointer';
    default:
      return 'fact';
  }
}

/** `Note`, of `folder/Note#Heading|alias` the alias. */
function nameOf(target: string): string {
  const [path = '', alias] = target.split('|');
  return (alias ?? path).replace(/#.*$/, '').trim() || target;
}

function tagsOf(
  value: { readonly shape: string; readonly texts?: readonly string[]; readonly text?: string } | undefined,
): readonly string[] {
  const texts = value?.texts ?? value?.text?.split(',') ?? [];
  return [...new Set(texts.map((tag) => tag.trim().replace(/^#/, '')).filter((tag) => tag !== ''))];
}

/** What is left of the body, without headings under which nothing is left. */
function proseOf(lines: readonly string[]): string {
  const kept = [...lines];
  for (let place = kept.length - 1; place >= 0; place -= 1) {
    const level = /^ {0,3}(#{1,6})[ \t]/.exec(kept[place] ?? '')?.[1]?.length;
    if (level === undefined) continue;
    const next = kept.slice(place + 1).find((line) => line.trim() !== '');
    const nextLevel = /^ {0,3}(#{1,6})[ \t]/.exec(next ?? '')?.[1]?.length;
    if (next === undefined || (nextLevel !== undefined && nextLevel <= level)) kept.splice(place, 1);
  }
  return kept
    .join('\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim();
}

/** Prose that does not name what it is about begins with its title. */
function titled(title: string, prose: string): string {
  return /^#{1,6}[ \t]/.test(prose) || prose.toLowerCase().includes(title.toLowerCase())
    ? prose
    : `# ${title}\n\n${prose}`;
}
