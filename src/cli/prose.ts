// Sentences on a terminal: broken at blanks, the lines that follow indented. What is piped stays one line.

import { neutralise } from '../memory/untrusted-text.ts';
import { wrap } from './display-width.ts';
import type { Io } from './io.ts';

const LEAST = 20;

/** Prints a line, which may hold stored text; `hang`: how far its further lines are indented beyond its own beginning. */
export function printProse(io: Io, text: string, hang = 0): void {
  const safe = neutralise(text);
  if (io.width === null) {
    io.print(safe);
    return;
  }
  const [indent = ''] = /^ */.exec(safe) ?? [];
  const width = io.width - indent.length;
  // Indented further, a narrow terminal would have no room for words.
  const hanging = width - hang < LEAST ? 0 : hang;
  const lines = wrap(safe.slice(indent.length), { width, hang: hanging, longWords: 'keep' });
  for (const [at, line] of lines.entries()) io.print(`${indent}${at === 0 ? '' : ' '.repeat(hanging)}${line}`);
}
