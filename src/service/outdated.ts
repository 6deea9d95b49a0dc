import type { Outdated } from '../memory/view.ts';

/** Why an item is not current, in words; null when it is. */
export function describeOutdated(outdated: Outdated | null): string | null {
  if (outdated === null) return null;
  switch (outdated.reason) {
    case 'superseded':
      return `superseded by ${outdated.by.join(', ')}`;
    case 'expired':
      return `expired on ${outdated.until}`;
    case 'waiting':
      return 'waiting for review';
  }
}
