// The folder in which Claude Code keeps what it has learned of a project: one file a memory, with `name`, `description`
// and a type in its frontmatter, and MEMORY.md as an index of them. Source: Claude Code 2.1.197, whose types are `user`,
// `feedback`, `project` and `reference`; before, the type stood at the top level, and earlier MEMORY.md held the notes.

import { readFrontmatter } from '../frontmatter.ts';
import type { Kind, Parsed } from '../item.ts';
import { trimBlankLines } from '../text-lines.ts';
import { addressIn, momentOf, statement, type LeftOut, type ReadMemory } from './imported-statement.ts';
import { markdownBlocks } from './markdown-blocks.ts';

const INDEX = /^MEMORY\.md$/i;

/** Whether a file of the folder is the index rather than a memory. */
export function isMemoryIndex(name: string): boolean {
  return INDEX.test(name);
}

/** One memory: its description, then its text, as one statement. */
export function readClaudeMemory(text: string): Parsed<ReadMemory> {
  const read = readFrontmatter(text);
  if (!read.ok) return read;
  const { keys, body, bodyLine } = read.value;
  const scalar = (key: string) => {
    const value = keys.get(key)?.value;
    return value?.shape === 'text' ? value.text.replace(/\s+/g, ' ').trim() : '';
  };
  const said = trimBlankLines(body.replace(/\r\n?/g, '\n'));
  const description = scalar('description');
  const isSaid = fold(said).includes(fold(description));
  const whole = [isSaid ? '' : description, said].filter((part) => part !== '').join('\n\n');
  if (whole === '')
    return { ok: true, value: { statements: [], leftOut: [{ line: bodyLine, reason: 'it is empty' }] } };
  const type =
    scalar('type') || (/^[ \t]+type:[ \t]*["']?(\w+)/m.exec(text.slice(0, text.length - body.length))?.[1] ?? '');
  const target = type === 'reference' ? addressIn(whole) : null;
  const created = momentOf(scalar('created')) ?? momentOf(scalar('modified'));
  const more = { kind: kindOf(type, target), target, created, tags: type === '' ? [] : [type] };
  return { ok: true, value: { statements: [statement(whole, bodyLine, more)], leftOut: [] } };
}

/** The index: its pointers to the files beside it say nothing of their own; what else it holds are notes. */
export function readMemoryIndex(text: string): ReadMemory {
  const leftOut: LeftOut[] = [];
  const statements = markdownBlocks(text.replace(/^\uFEFF/, '').replace(/\r\n?/g, '\n')).flatMap((block) => {
    if (!/\]\((?!https?:)[^)]+\.md\)|\[\[[^\]]+\]\]\s*[-–—]/.test(block.text))
      return [statement(block.text, block.line)];
    leftOut.push({ line: block.line, reason: 'it points to a file of the folder, which is imported itself' });
    return [];
  });
  return { statements, leftOut };
}

/** The name of the folder that Claude Code makes for a project: its path, with `-` for all but letters and digits. */
export function claudeProjectName(folder: string): string {
  return folder.replace(/[^a-zA-Z0-9]/g, '-');
}

/** Feedback is how the user wants to be worked with: a preference until the user makes an instruction of it. */
function kindOf(type: string, target: string | null): Kind {
  switch (type) {
    case 'user':
    case 'feedback':
      return 'preference';
    case 'reference':
      return target === null ? 'fact' : 'pointer';
    default:
      return 'fact';
  }
}

function fold(text: string): string {
  return text.replace(/[\s.]+/g, ' ').toLowerCase();
}
