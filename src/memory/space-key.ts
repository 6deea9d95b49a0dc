// One string for a space or personal, wherever a map or a partition needs a key.

import type { Space } from './item.ts';
import { spaceKey } from './space-name.ts';

/** The key of personal items, and the word by which arguments name them. */
export const PERSONAL_KEY = 'personal';

/** `personal`, or `space:` and the folded name, so that names which are one space have one key. */
export function spaceKeyOf(space: Space): string {
  return space === null ? PERSONAL_KEY : `space:${spaceKey(space)}`;
}
