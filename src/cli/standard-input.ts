// A text that a command takes as its arguments, or with `-` from stdin.

import { StetError } from '../memory/failure.ts';
import type { Call } from './command.ts';

/** Far more than any text that is stored or asked: what has no end must end somewhere. */
const MOST_BYTES = 1024 * 1024;

/** The words of the call joined by blanks; all of stdin where the only word is `-`. Throws `bad-argument`. */
export async function spokenText({ io, arguments: words }: Call): Promise<string> {
  if (words.length !== 1 || words[0] !== '-') return words.join(' ');
  if (process.stdin.isTTY) io.note('Reading from the terminal, to its end: Ctrl-D, or Ctrl-Z and Enter on Windows.');
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of process.stdin as AsyncIterable<Uint8Array>) {
    chunks.push(chunk);
    bytes += chunk.length;
    if (bytes > MOST_BYTES) throw unusable('there is more than 1 MB on stdin', 'An item is one statement.');
  }
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(Buffer.concat(chunks));
  } catch {
    throw unusable('what stands on stdin is not UTF-8', 'Convert it, for example with `iconv`.');
  }
}

function unusable(reason: string, hint: string): StetError {
  return new StetError({ code: 'bad-argument', argument: '-', reason, hint });
}
