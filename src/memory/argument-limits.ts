// How much may go with a statement. Only what is passed to stet is held to this: a file that somebody wrote by hand keeps
// what it has.

/** The most tags that an item is given. */
export const MOST_TAGS = 20;
/** The most code points of a tag. */
const MAX_TAG_CODE_POINTS = 100;
/** The most code points of a pointer's target: about what browsers and servers take of an address. */
const MAX_TARGET_CODE_POINTS = 2000;

export interface Added {
  readonly target?: string;
  readonly tags?: readonly string[];
  /** How many other tags the item has. */
  readonly otherTags?: number;
}

/** Why this is too much, and what to do instead, without the full stop of the first; null when it is not. */
export function whyTooMuch({ target = '', tags = [], otherTags = 0 }: Added): { reason: string; hint: string } | null {
  const address = Array.from(target.trim()).length;
  if (address > MAX_TARGET_CODE_POINTS) {
    return {
      reason: `the target has ${address} characters, and ${MAX_TARGET_CODE_POINTS} is the most`,
      hint: 'Give a shorter address, or say in the statement how to find it.',
    };
  }
  const longest = Math.max(0, ...tags.map((tag) => Array.from(tag.trim()).length));
  if (longest > MAX_TAG_CODE_POINTS) {
    return {
      reason: `a tag has ${longest} characters, and ${MAX_TAG_CODE_POINTS} is the most`,
      hint: 'A tag is a word or a few; say the rest in the statement.',
    };
  }
  const count = tags.length + otherTags;
  if (tags.length === 0 || count <= MOST_TAGS) return null;
  return { reason: `there would be ${count} tags, and ${MOST_TAGS} is the most`, hint: 'Give fewer.' };
}
