// One string for a space or personal, wherever a map or a partition needs a key.

import type { Space } from './item.ts';
import { spaceKey } from './space-name.ts';

/** The key of personal items, and the word by which arguments name them. */
export const PERSONAL_KEY = 'personal';

/** `personal`, or `space:` and the folded name, so that names which are one space have one key. */
export function spaceKeyOf(space: Space): string {
  if (space === null) return PERSONAL_KEY;
  const known = KEYS.get(space);
  if (known !== undefined) return known;
  const key = `space:${spaceKey(space)}`;
  if (KEYS.size >= MOST_KEYS) KEYS.clear();
  KEYS.set(space, key);
  return key;
}

// Folding a name costs more than anything else that is done with it, and every item asks.
const KEYS = new Map<string, string>();
const MOST_KEYS = 10_000;
