// Turns what the system says about a file into stet's own failure, where the words are known.
import { StetError } from '../memory/failure.ts';
import { errnoOf } from './file-system.ts';

/** Runs `work`; an errno that it throws becomes `file-system`: "Cannot <operation> <path>: …". */
export async function orFileFailure<T>(operation: string, path: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const errno = errnoOf(error);
    if (errno === null) throw error;
    throw new StetError({ code: 'file-system', operation, path, errno }, { cause: error });
  }
}
