// JSON as it is printed. Invariants: the value is the one that was given, and no character of the text moves the cursor, reorders
// what stands beside it or hides, on whatever terminal it is shown.

// What JSON.stringify leaves as it is: controls above ASCII, soft hyphens, bidi marks, joiners and other zero-width characters,
// line separators, tags. A class alone: with what emoji need let through (`showHidden`), large exports would wait for it.
const HIDDEN =
  /[\u007f-\u009f\u00ad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]|\udb40[\udc00-\udfff]/g;

/** As JSON.stringify prints a value, with hidden characters as `\u202e`. `indent`: spaces a level; 0 is one line. */
export function jsonText(value: unknown, indent = 0): string {
  return JSON.stringify(value, null, indent).replace(HIDDEN, (hidden) => hidden.split('').map(escaped).join(''));
}

function escaped(unit: string): string {
  return `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
}
