// A plain list, one statement a line, as ChatGPT and Claude show what they remember of somebody.

import { momentOf, statement, type ImportedStatement, type ReadMemory } from './imported-statement.ts';

/** A bullet, a number or a tick box. */
const BULLET = /^(?:[-*+•–—]|\d{1,4}[.)])\s+(?:\[[ xX]\]\s+)?/u;
/** `[2025-03-01] - `, as Claude writes its memories down for another assistant; `[unknown]` where it has no date. */
const DATE = /^\[([^\]]{1,40})\]\s*(?:[-–—:]\s*)?/u;
const FENCE = /^(?:`{3,}|~{3,})/;
const HEADING = /^#{1,6}\s+/;

/**
 * Every line that says something. Bullets, numbers and the fence around the list go; a heading becomes the tag of what
 * stands below it; a line that is indented below another continues it.
 */
export function readPlainList(text: string): ReadMemory {
  const statements: ImportedStatement[] = [];
  let section: string | null = null;
  for (const [place, raw] of text
    .replace(/^\uFEFF/, '')
    .split(/\r\n?|\n/)
    .entries()) {
    const line = raw.trim();
    if (line === '' || FENCE.test(line) || /^([-*_])(?:\s*\1){2,}$/.test(line)) continue;
    if (HEADING.test(line)) {
      section = line
        .replace(HEADING, '')
        .replace(/[#:：\s]+$/u, '')
        .toLowerCase();
      continue;
    }
    const last = statements.at(-1);
    if (last && /^\s{2,}/.test(raw) && !BULLET.test(line)) {
      statements[statements.length - 1] = { ...last, text: `${last.text} ${line}` };
      continue;
    }
    const said = line.replace(BULLET, '');
    const written = DATE.exec(said);
    const created = written === null ? null : momentOf(written[1] ?? '');
    const isDate = created !== null || /^(?:unknown|no date|n\/a|undated)$/i.test(written?.[1] ?? '');
    const body = written !== null && isDate ? said.slice(written[0].length) : said;
    if (body === '') continue;
    statements.push(statement(body, place + 1, { created, tags: section === null ? [] : [section] }));
  }
  return { statements, leftOut: [] };
}
