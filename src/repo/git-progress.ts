// Reading how far git is from what it prints for people (git's progress.c: `Receiving objects:  45% (9/20), 1.2 MiB`).

import type { OnProgress } from '../memory/progress.ts';

const STAGE = /([A-Z][a-z]+ (?:objects|deltas)): +\d+% \((\d+)\/(\d+)\)/g;

/** A listener for stderr of a command with `--progress`. What is torn between two chunks is told with the next. */
export function tellProgress(onProgress: OnProgress): (chunk: string) => void {
  return (chunk) => {
    for (const [, stage = '', done, total] of chunk.matchAll(STAGE)) {
      onProgress(Number(done), Number(total), stage.toLowerCase());
    }
  };
}

const PROGRESS = /^(?:remote: )?(?:[A-Z][a-z]+ (?:objects|deltas):|Delta compression |Total \d)/;

/** What git said on stderr, without how far it was: one line each time it says so, hundreds in all. */
export function withoutProgress(stderr: string): string {
  return stderr
    .split(/[\r\n]+/)
    .filter((line) => !PROGRESS.test(line))
    .join('\n')
    .trim();
}
