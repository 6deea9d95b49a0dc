// Files of standing instructions: CLAUDE.md, AGENTS.md, GEMINI.md, Cursor's rules. Each paragraph and list entry becomes
// an instruction. Invariant: a rule for some files alone says so in its text, because an item has no globs.

import { addressIn, statement, type LeftOut, type ReadMemory } from './imported-statement.ts';
import { markdownBlocks } from './markdown-blocks.ts';

/** Where a folder keeps its rules: files, and folders that hold them at any depth. Relative, with `/`. */
export const RULE_FILES = [
  'CLAUDE.md',
  'CLAUDE.local.md',
  '.claude/CLAUDE.md',
  'AGENTS.md',
  'AGENTS.override.md',
  'GEMINI.md',
  '.cursorrules',
] as const;
export const RULE_FOLDERS = ['.cursor/rules', '.claude/rules'] as const;

/** What may stand in the folders of rules. */
export function isRuleName(name: string): boolean {
  return /\.(?:md|mdc)$/i.test(name);
}

export function readRules(text: string): ReadMemory {
  const { body, globs } = withoutFrontmatter(withoutOwnBlock(text.replace(/^\uFEFF/, '').replace(/\r\n?/g, '\n')));
  const leftOut: LeftOut[] = [];
  const scope = globs === '' ? '' : `In ${globs}: `;
  const statements = markdownBlocks(body).flatMap((block) => {
    const reason = whyNoRule(block.text);
    if (reason === null) return [statement(`${scope}${block.text}`, block.line, { kind: 'instruction' })];
    leftOut.push({ line: block.line, reason });
    return [];
  });
  return { statements, leftOut };
}

function whyNoRule(text: string): string | null {
  if (/^(?:[^:]*: )?@\S+$/.test(text)) return `it includes another file (${text.replace(/^.*@/, '')}): import that one`;
  // What `/init` of these tools puts on top of every file that it makes.
  if (/^This file provides (?:guidance|context|instructions) (?:to|for) /i.test(text)) {
    return 'it says what the file is for, not what to do';
  }
  if (addressIn(text) === text) return 'it is an address alone';
  return null;
}

/** `stet setup --instructions` puts its own block there, which is no rule of the user's. Lines stay counted. */
function withoutOwnBlock(text: string): string {
  return text.replace(/<!-- stet:start[\s\S]*?<!-- stet:end -->/g, (block) => block.replace(/[^\n]/g, ''));
}

/**
 * The body, with blank lines for the frontmatter, and the globs that the rule is for. Read by lines: Cursor writes
 * `globs: *.ts`, which YAML takes for an alias.
 */
function withoutFrontmatter(text: string): { body: string; globs: string } {
  const block = /^---[ \t]*\n([\s\S]*?)\n?---[ \t]*(?:\n|$)/.exec(text);
  if (block === null) return { body: text, globs: '' };
  const [whole, keys = ''] = block;
  const entries = /^(?:globs|paths|applyTo):[ \t]*(.*)((?:\n[ \t]*-[ \t]+.*)*)/m.exec(keys);
  const isAlways = /^alwaysApply:[ \t]*true[ \t]*$/m.test(keys);
  const listed = `${entries?.[1] ?? ''},${(entries?.[2] ?? '').replace(/\n[ \t]*-[ \t]+/g, ',')}`;
  const globs = listed
    .replace(/^\s*\[(.*)\]/, '$1')
    .split(/,(?![^{]*\})/)
    .map((glob) => glob.trim().replace(/^(["'])(.*)\1$/, '$2'))
    .filter((glob) => glob !== '' && glob !== '*' && glob !== '**' && glob !== '**/*');
  return { body: whole.replace(/[^\n]/g, '') + text.slice(whole.length), globs: isAlways ? '' : globs.join(', ') };
}
