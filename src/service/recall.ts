// `recall`: space → permissions → currency → relevance → limit, in that order. Only partitions that the session may
// see are opened, so nothing else can be scored, counted or compared.

import { ITEM_CHARACTERS, type RecalledFact } from '../memory/answer.ts';
import type { Session } from '../memory/session.ts';
import { visibleSpaces } from '../memory/session.ts';
import type { Memory } from './memory.ts';
import type { RecallRequest, RecallResult, ScoredFact } from './results.ts';

/** The most facts that an answer holds. */
export const FACT_LIMIT = 8;

export async function recall(memory: Memory, session: Session, request: RecallRequest): Promise<RecallResult> {
  await memory.refresh();
  const spaces = visibleSpaces(session);
  await memory.openPartitions(spaces);
  const view = memory.view(session);
  const found = await memory.index.search({
    partitions: spaces,
    question: request.question,
    limit: FACT_LIMIT,
    accept: (id) => {
      const item = view.current(id);
      return item !== undefined && item.kind !== 'instruction';
    },
    ...(request.signal === undefined ? {} : { signal: request.signal }),
  });

  const facts: ScoredFact[] = [];
  const answered: RecalledFact[] = [];
  for (const hit of found.hits) {
    const item = view.current(hit.id);
    if (!item) continue;
    facts.push({ item, score: hit.score, cosine: hit.cosine, words: hit.words });
    answered.push({
      item,
      passage: item.text.length > ITEM_CHARACTERS ? hit.passage : null,
      contradicts: view.contradicting(item).map((rival) => rival.id),
    });
  }
  const instructions = view.instructions();
  const notes = notesFor(memory, session, found.vectors.reason);
  return {
    answer: { space: session.space, instructions, facts: answered, notes },
    agent: session.agent,
    space: session.space,
    instructions,
    facts,
  };
}

/** What the agent should pass on. Nothing here may depend on another space. */
function notesFor(memory: Memory, session: Session, vectorProblem: string | null): readonly string[] {
  const notes: string[] = [...session.warnings];
  if (vectorProblem !== null) notes.push(`words only: ${vectorProblem}`);
  const view = memory.view(session);
  const here = memory.table.quarantined().filter((file) => view.sees(file.space));
  const [first] = here;
  if (first) {
    const count = here.length === 1 ? 'one file' : `${here.length} files`;
    notes.push(`${count} of this space cannot be used; the user sees why with \`stet status\`.`);
  }
  return notes;
}
