// `stet preview`: exactly the text that an agent would receive in a folder, and what it would not. Leaves no delivery.

import { LEFT_OUT_LIMIT, type LeftOut } from '../memory/delivery.ts';
import type { Session } from '../memory/session.ts';
import type { Memory } from './memory.ts';
import { findFacts, recall } from './recall.ts';
import type { RecallResult } from './results.ts';
import { findLeftOut } from './trace.ts';

export interface Preview {
  readonly session: Session;
  readonly result: RecallResult;
  readonly leftOut: readonly LeftOut[];
  readonly more: number;
}

export async function previewRecall(memory: Memory, session: Session, question: string): Promise<Preview> {
  const result = await recall(memory, session, { question });
  const view = memory.view(session);
  const found = await findFacts(memory, session, view, { question, missedLimit: LEFT_OUT_LIMIT });
  return { session, result, ...(await findLeftOut(memory, { session, question, found }, view)) };
}
