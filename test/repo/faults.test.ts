// The file system fails at any one call, or from some call on: what is acknowledged is there, what is not is whole or
// absent, and once the disk works again everything goes on without a human.
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { StetError } from '../../src/memory/failure.ts';
import type { CommitOutcome } from '../../src/repo/repository.ts';
import { reportRuns } from '../torture.ts';
import { faultyFileSystem } from './faulty-file-system.ts';
import { says, temporaryRepository, type TemporaryRepository } from './temporary-repository.ts';

/** An agent rewrites one item and adds another, in one commit. */
async function rememberTwo(
  memory: TemporaryRepository,
  added: string,
  text: string,
): Promise<CommitOutcome | StetError> {
  try {
    return await memory.repository.exclusive(async (transaction) => {
      await transaction.writeFile('personal/rewritten.md', Buffer.from(text));
      await transaction.writeFile(added, Buffer.from(text));
      return transaction.commit(['personal/rewritten.md', added], says(`remember: ${added}`));
    });
  } catch (error) {
    if (error instanceof StetError) return error;
    throw error;
  }
}

/** What is wrong after an attempt, now that the disk works again: nothing, one hopes. */
async function findLosses(
  memory: TemporaryRepository,
  outcome: CommitOutcome | StetError,
  { added, text, before }: { added: string; text: string; before: string },
): Promise<string[]> {
  const losses: string[] = [];
  const note = (isWrong: boolean, words: string): void => void (isWrong && losses.push(`${added}: ${words}`));
  const read = (path: string): string | null => (existsSync(join(memory.root, path)) ? memory.read(path) : null);
  if (outcome instanceof StetError) {
    note(outcome.failure.code !== 'file-system', `refused by ${outcome.message}`);
    note(![before, text].includes(read('personal/rewritten.md') ?? ''), 'the old file is torn');
    note(![null, text].includes(read(added)), 'the new file is torn');
    return losses;
  }
  note(read('personal/rewritten.md') !== text || read(added) !== text, 'acknowledged, but not on disk');
  await memory.repository.commitPending();
  // What could not even be noted is found by its difference from HEAD.
  const left = (await memory.repository.status()).map(({ path }) => path);
  note(outcome.status === 'committed' && left.length > 0, `said to be committed, but ${left.join()} differ from HEAD`);
  if (left.length > 0) {
    await memory.repository.exclusive((transaction) => transaction.commit(left, says('edit: left', null)));
  }
  for (const path of ['personal/rewritten.md', added]) {
    note(String(await memory.repository.readHead(path)) !== text, `${path} is not in HEAD`);
  }
  return losses;
}

describe.each([
  ['ENOSPC', true],
  ['EIO', false],
  ['EACCES', true],
] as const)('when the file system says %s (lasting: %s)', (errno, lasting) => {
  test('at any call, nothing is lost, torn or stuck', async () => {
    const faults = faultyFileSystem();
    await using memory = await temporaryRepository({ fs: faults.fs });
    await memory.remember('personal/rewritten.md', 'first\n');
    const losses: string[] = [];
    let call = 0;
    for (let hasFailed = true; hasFailed; call++) {
      const before = memory.read('personal/rewritten.md');
      const attempt = { added: `personal/added-${call}.md`, text: `text ${call}\n`, before };
      faults.arm(errno, call, lasting);
      const outcome = await rememberTwo(memory, attempt.added, attempt.text);
      hasFailed = faults.disarm();
      losses.push(...(await findLosses(memory, outcome, attempt)));
    }
    expect(losses).toEqual([]);
    // A disk that lasts in failing does not let go of its temporary files either; the next recovery sweeps them.
    const rubbish = readdirSync(join(memory.root, '.git/stet')).filter((name) => name.endsWith('.tmp'));
    expect(lasting ? [] : rubbish).toEqual([]);
    expect(call).toBeGreaterThan(50);
    expect(await memory.remember('personal/last.md', 'last\n')).toMatchObject({ status: 'committed' });
    memory.checkHealth();
    reportRuns({
      what: `${errno} at one call to the file system after the other${lasting ? ', and at all after it' : ''}`,
      runs: call,
    });
  });
});
