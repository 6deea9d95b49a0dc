import { runMergeDriver } from '../app-without-memory.ts';
import type { Call } from './command.ts';

/** `stet merge-driver`, for git alone: exit code 1 when the user has to choose. */
export async function run({ arguments: [base = '', ours = '', theirs = '', path = ''] }: Call): Promise<number> {
  return (await runMergeDriver({ base, ours, theirs, path })) ? 0 : 1;
}
