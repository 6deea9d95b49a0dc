// The memory of `@modelcontextprotocol/server-memory`: JSON lines, an entity with its observations or a relation each.
// Source of the format: `saveGraph` of version 2026.8.31.

import { statement, type ImportedStatement, type LeftOut, type ReadMemory } from './imported-statement.ts';

interface Entity {
  readonly name: string;
  readonly entityType: string;
  readonly observations: readonly string[];
}

interface Relation {
  readonly from: string;
  readonly to: string;
  readonly relationType: string;
}

/**
 * A statement for each observation (`John: Speaks Spanish`), tagged with the entity's type, and one for each relation
 * (`John works at Anthropic`). An entity without either is told by its type.
 */
export function readServerMemory(text: string): ReadMemory {
  const statements: ImportedStatement[] = [];
  const leftOut: LeftOut[] = [];
  const bare: Array<Entity & { readonly line: number }> = [];
  const related = new Set<string>();
  for (const [place, raw] of text
    .replace(/^\uFEFF/, '')
    .split(/\r?\n/)
    .entries()) {
    if (raw.trim() === '') continue;
    const line = place + 1;
    const entry = parseLine(raw);
    if (entry === null) {
      leftOut.push({ line, reason: 'it is neither an entity nor a relation' });
    } else if ('observations' in entry) {
      const tags = entry.entityType.trim() === '' ? [] : [entry.entityType.trim()];
      const said = entry.observations.map((each) => each.trim()).filter((each) => each !== '');
      for (const each of said) statements.push(statement(`${entry.name}: ${each}`, line, { tags }));
      if (said.length === 0) bare.push({ ...entry, line });
    } else {
      related.add(entry.from).add(entry.to);
      const verb = entry.relationType.replaceAll('_', ' ').trim();
      statements.push(statement(`${entry.from} ${verb} ${entry.to}`, line, { tags: ['relation'] }));
    }
  }
  for (const { name, entityType, line } of bare) {
    if (related.has(name) || entityType.trim() === '') leftOut.push({ line, reason: `nothing is said of ${name}` });
    else statements.push(statement(`${name}: ${entityType}`, line, { tags: [entityType.trim()] }));
  }
  return { statements: statements.sort((a, b) => a.line - b.line), leftOut };
}

function parseLine(line: string): Entity | Relation | null {
  let entry: unknown;
  try {
    entry = JSON.parse(line);
  } catch {
    return null;
  }
  if (typeof entry !== 'object' || entry === null) return null;
  const { type, name, entityType, observations, from, to, relationType } = entry as Record<string, unknown>;
  if (type === 'entity' && typeof name === 'string' && name.trim() !== '') {
    return {
      name: name.trim(),
      entityType: typeof entityType === 'string' ? entityType : '',
      observations: Array.isArray(observations) ? observations.filter((each) => typeof each === 'string') : [],
    };
  }
  const words = [from, to, relationType];
  if (type !== 'relation' || !words.every((word) => typeof word === 'string' && word.trim() !== '')) return null;
  return { from: String(from).trim(), to: String(to).trim(), relationType: String(relationType) };
}
