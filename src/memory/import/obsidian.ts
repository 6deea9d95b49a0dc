// What an Obsidian note says beside its words: tags in the text (`#project/acme`) and the day it was made. The note
// itself is kept byte for byte; its wikilinks are words of it.

import type { FrontmatterKeys } from '../frontmatter-yaml.ts';
import { momentOf } from './imported-statement.ts';

/** A tag has letters, digits, `_`, `-` and `/`, and not digits alone; `#` inside a word or an address is none. */
const TAG = /(?<![^\s(,;])#([\p{L}\p{N}_/-]*[\p{L}_/-][\p{L}\p{N}_/-]*)/gu;

/** The tags in a body, each once, in their order; those in code are none. */
export function inlineTags(body: string): readonly string[] {
  const words = body
    .replace(/^ {0,3}(`{3,}|~{3,})[\s\S]*?(?:^ {0,3}\1[ \t]*$|(?![\s\S]))/gm, '')
    .replace(/(`+)[^`]*?\1/g, '')
    .replace(/^%%[\s\S]*?%%$/gm, '');
  const tags = [...words.matchAll(TAG)].map((match) => (match[1] ?? '').replace(/\/+$/, ''));
  return [...new Set(tags.filter((tag) => tag !== ''))];
}

/** When a note was made, where one of the keys that people use says it. */
export function noteMoment(keys: FrontmatterKeys): string | null {
  for (const key of ['created', 'created_at', 'date created', 'creation date', 'date']) {
    const value = keys.get(key)?.value;
    const moment = value?.shape === 'text' ? momentOf(value.text) : null;
    if (moment !== null) return moment;
  }
  return null;
}
