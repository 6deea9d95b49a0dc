// `stet preview`: exactly the text that an agent would receive in a folder, and what it would not. Leaves no delivery.

import type { LeftOut } from '../memory/delivery.ts';
import type { Session } from '../memory/session.ts';
import type { Reading } from './reading.ts';
import { recall } from './recall.ts';
import type { RecallResult } from './results.ts';
import { findLeftOut } from './trace.ts';

export interface Preview {
  readonly session: Session;
  readonly result: RecallResult;
  /** The vocabulary items that put the question in other words also. */
  readonly rewordedBy: readonly string[];
  readonly leftOut: readonly LeftOut[];
  readonly more: number;
}

export async function previewRecall(memory: Reading, session: Session, question: string): Promise<Preview> {
  const traced = await recall(memory, session, { question });
  const { rewordedBy } = traced.found;
  return { session, result: traced.result, rewordedBy, ...(await findLeftOut(memory, traced)) };
}
