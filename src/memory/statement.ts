// When two statements are the same text, and when a text is fit to be a statement at all.
// Invariant: normalising twice changes nothing, so "identical" is an equivalence.

/** The most code points that a statement may have. */
export const MAX_STATEMENT_CODE_POINTS = 2000;

// The full stops of the scripts that have their own; `?` and `!` say something and stay.
const FULL_STOPS = '.。｡．｡։।۔።᙮᠃᠉။។܁܂꓿꘎꛳⳹⸼';
const FINAL_FULL_STOP = new RegExp(`(?<![${FULL_STOPS}]\\s*)\\s*[${FULL_STOPS}]$`, 'u');

/**
 * The form in which statements are compared for "identical": Unicode NFC, every run of white space one blank, none at
 * the ends, one final full stop (of any script) off. Case, and an ellipsis of several stops, stay.
 */
export function normaliseStatement(text: string): string {
  return text
    .normalize('NFC')
    .replace(/[\s\u0085]+/gu, ' ')
    .trim()
    .replace(FINAL_FULL_STOP, '');
}

/** Whether a text is fit to be kept, by shape alone. `codePoints` and `limit` count Unicode code points. */
export type Fit =
  { ok: true } | { ok: false; reason: 'empty' } | { ok: false; reason: 'too-long'; codePoints: number; limit: number };

/**
 * A statement has at least one letter, digit or symbol, and at most {@link MAX_STATEMENT_CODE_POINTS} code points,
 * counted without white space at its ends.
 */
export function checkFit(text: string): Fit {
  if (!/[\p{L}\p{N}\p{S}]/u.test(text)) return { ok: false, reason: 'empty' };
  const codePoints = countCodePoints(text.trim());
  return codePoints > MAX_STATEMENT_CODE_POINTS
    ? { ok: false, reason: 'too-long', codePoints, limit: MAX_STATEMENT_CODE_POINTS }
    : { ok: true };
}

function countCodePoints(text: string): number {
  let count = 0;
  for (const _ of text) count += 1;
  return count;
}
