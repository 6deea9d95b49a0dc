// What an agent may know of a failure. Invariant: nothing that is read from the memory, neither a path (its words are
// those of a statement) nor what git or a parser says of one, for it may be another space's.

import { describeFailure, type Failure } from '../memory/failure.ts';

const ASK_USER = 'Tell the user: a `stet` command that writes says what is wrong, and `stet status` what waits.';

/** Ends with what to do next. */
export function describeForAgent(failure: Failure): string {
  switch (failure.code) {
    case 'not-a-memory':
    case 'bad-argument':
    case 'interrupted':
      return describeFailure(failure);
    case 'file-system':
      return `${describeFailure({ ...failure, path: 'a file of the memory' })} Tell the user.`;
    case 'not-possible':
    case 'bad-file':
    case 'remote':
      return `The memory cannot do that as it stands. ${ASK_USER}`;
    case 'unsupported-repository':
    case 'damaged-repository':
    case 'git-failed':
      return `The git repository of the memory cannot be used as it stands. ${ASK_USER}`;
    case 'busy':
      return 'Another process is writing to this memory and did not finish in time. Nothing was written; try again.';
  }
}
