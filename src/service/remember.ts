// `remember`: checks one statement by the rules and stores it, under the write lock, on the table as it stands then.

import { whyTooMuch } from '../memory/argument-limits.ts';
import { parseItemFile, printItemFile } from '../memory/item-file.ts';
import { newItemPath } from '../memory/item-path.ts';
import type { Item } from '../memory/item.ts';
import { candidateScope, decideRemember, type Draft, type RememberRequest } from '../memory/remember.ts';
import { findSecrets } from '../memory/secrets.ts';
import { visibleSpaces, type Session } from '../memory/session.ts';
import { PERSONAL_KEY, spaceKeyOf } from '../memory/space-key.ts';
import { checkFit } from '../memory/statement.ts';
import type { CommitMessage } from '../repo/repository.ts';
import { authorOf, subjectLine } from './commit-message.ts';
import type { Memory } from './memory.ts';
import type { RememberResult } from './results.ts';

/** How many of the most similar items the rules look at. */
const CANDIDATES = 24;

export async function remember(memory: Memory, session: Session, request: RememberRequest): Promise<RememberResult> {
  const spaces = visibleSpaces(session);
  // What is too long is not looked into: it may be of any size.
  const hasFitLength = checkFit(request.text).ok && whyTooMuch(request) === null;
  const secrets = hasFitLength ? await secretsIn(request) : [];
  const isFit = hasFitLength && secrets.length === 0;
  if (isFit) {
    await memory.refresh();
    await memory.openPartitions(spaces);
    // Embeds the statement before the lock is taken, so that nobody waits for a model behind it.
    await memory.index.similar({ partitions: spaces, text: request.text, limit: 1, accept: () => true });
  }
  return memory.repository.exclusive(async (transaction) => {
    await memory.refresh();
    const views = () => ({ session, view: memory.view(session), personalView: memory.viewOf([PERSONAL_KEY]) });
    const { partitions, accepts } = candidateScope(request, views());
    const candidates =
      isFit && partitions.length > 0
        ? await memory.index.similar({ partitions, text: request.text, limit: CANDIDATES, accept: accepts })
        : [];
    const decision = decideRemember(request, {
      // Not those of before the search: a hand edit may have been taken in meanwhile.
      ...views(),
      now: memory.now(),
      spaceNames: session.space === null ? [] : memory.config.namesOf(session.space),
      secrets,
      candidates,
      sameText: memory.table.withText(request.text.trim()),
      review: memory.config.review,
    });
    switch (decision.verdict) {
      case 'refused':
        return { status: 'refused', refusal: decision.refusal };
      case 'identical':
        return {
          status: 'identical',
          item: decision.item,
          differs: decision.differs,
          stillCurrent: decision.stillCurrent,
        };
      case 'near-identical':
        return { status: 'near-identical', item: decision.item, replaces: decision.replaces };
      case 'store': {
        const item = complete(decision.draft, session, memory);
        const path = newItemPath(item);
        const bytes = new TextEncoder().encode(printItemFile(item));
        // What could not be read back would be acknowledged and then delivered to nobody.
        const readBack = parseItemFile({ path, bytes, modified: memory.now() });
        if (!readBack.ok) {
          const [problem] = readBack.problems;
          return { status: 'refused', refusal: { code: 'unreadable', problem: problem?.message ?? '' } };
        }
        await transaction.writeFile(path, bytes);
        const commit = await transaction.commit([path], messageFor(item, session));
        await memory.take([path]);
        return {
          status: 'stored',
          item,
          path,
          commit,
          superseded: decision.superseded,
          similar: decision.similar,
          warnings: decision.warnings,
          instructions: item.kind === 'instruction' ? memory.view(session).instructions() : [],
        };
      }
    }
  });
}

/** Everything that would reach the disk is looked at, not the statement alone. */
async function secretsIn(request: RememberRequest): Promise<readonly string[]> {
  const written = [request.text, request.target ?? '', request.origin ?? '', ...(request.tags ?? [])].join('\n');
  return (await findSecrets(written)).map((secret) => secret.rule);
}

function complete(draft: Draft, session: Session, memory: Memory): Item {
  let id = memory.newId();
  while (memory.table.isTaken(id)) id = memory.newId();
  return {
    ...draft,
    id,
    source: session.source,
    created: memory
      .now()
      .toISOString()
      .replace(/\.\d{3}Z$/, 'Z'),
  };
}

function messageFor(item: Item, session: Session): CommitMessage {
  return {
    subject: subjectLine(item.supersedes.length > 0 ? 'supersede' : 'remember', item.statement),
    trailers: [
      ['Stet-Agent', session.agent],
      ['Stet-Space', item.space ?? spaceKeyOf(null)],
      ['Stet-Item', item.id],
    ],
    author: authorOf(session),
  };
}
