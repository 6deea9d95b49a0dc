// `recall`: space → permissions → currency → relevance → limit, in that order. Only partitions that the session may
// see are opened, so nothing else can be scored, counted or compared.

import { setTimeout as pause } from 'node:timers/promises';
import { ITEM_CHARACTERS, type RecalledFact } from '../memory/answer.ts';
import { LEFT_OUT_LIMIT } from '../memory/delivery.ts';
import { USER } from '../memory/remember.ts';
import { usableSpace, visibleSpaces, type Session } from '../memory/session.ts';
import type { View } from '../memory/view.ts';
import type { SearchResult } from '../index/memory-index.ts';
import type { Reading } from './reading.ts';
import type { RecallRequest, RecallResult, ScoredFact, TracedRecall } from './results.ts';

/** The most facts that an answer holds. */
export const FACT_LIMIT = 8;

export async function recall(memory: Reading, session: Session, request: RecallRequest): Promise<TracedRecall> {
  memory.index.expect(request.question);
  await memory.refresh();
  await memory.openPartitions(visibleSpaces(session));
  await awaitFewVectors(memory);
  const view = memory.view(session);
  const found = await findFacts(memory, session, view, { ...request, missedLimit: LEFT_OUT_LIMIT });
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
  const notes = notesFor(memory, session, view, aboutQuestion(request.question, found.vectors.reason));
  const result: RecallResult = {
    answer: { space: usableSpace(session), instructions, facts: answered, notes },
    agent: session.agent,
    space: session.space,
    instructions,
    facts,
  };
  return { session, question: request.question, result, found, view };
}

/** So many texts are embedded in less time than a person notices; more follow in the background. */
const FEW_WAITING = 20;
const LONGEST_WAIT_MS = 2_000;

/**
 * What was stored or edited a moment ago has no vector yet, and in a small memory words alone rarely reach the bar: a few
 * texts are waited for, many never.
 */
async function awaitFewVectors(memory: Reading): Promise<void> {
  const { waiting } = memory.index.health();
  if (waiting === 0 || waiting > FEW_WAITING) return;
  const limit = new AbortController();
  const enough = pause(LONGEST_WAIT_MS, undefined, { signal: limit.signal }).catch(() => undefined);
  await Promise.race([memory.index.settled(), enough]);
  limit.abort();
}

/** Scores the current facts of the view, and nothing else. */
async function findFacts(
  memory: Reading,
  session: Session,
  view: View,
  request: { readonly question: string; readonly missedLimit: number; readonly signal?: AbortSignal },
): Promise<SearchResult> {
  return memory.index.search({
    partitions: visibleSpaces(session),
    question: request.question,
    limit: FACT_LIMIT,
    missedLimit: request.missedLimit,
    accept: view.isFact,
    ...(request.signal === undefined ? {} : { signal: request.signal }),
  });
}

/** Why a question found less than it might, if it did: nothing was asked, or words alone had to answer. */
function aboutQuestion(question: string, vectorProblem: string | null): string | null {
  if (!/[\p{L}\p{N}\p{S}]/u.test(question)) {
    return 'the question is empty, so no facts were looked for: ask one concrete question, in a sentence.';
  }
  return vectorProblem === null ? null : `words only: ${vectorProblem}`;
}

/** What the agent should pass on. Nothing here may depend on another space. */
function notesFor(memory: Reading, session: Session, view: View, aboutQuestion: string | null): readonly string[] {
  const notes: string[] = [...spaceNotes(session), ...memory.notesOn(view)];
  if (aboutQuestion !== null) notes.push(aboutQuestion);
  const broken = memory.table.quarantined().filter(({ space }) => space !== undefined && view.sees(space)).length;
  if (broken > 0) {
    const count = broken === 1 ? 'one file' : `${broken} files`;
    notes.push(`${count} of this space cannot be used; the user sees why with \`stet status\`.`);
  }
  return notes;
}

/** The warnings name other spaces and their folders, which are for the user alone. */
function spaceNotes({ agent, warnings }: Session): readonly string[] {
  if (agent === USER || warnings.length === 0) return warnings;
  return ['which space this folder belongs to is in doubt; the user sees why with `stet where`.'];
}
