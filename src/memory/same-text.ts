// What becomes of a statement whose text a current item has already. Invariant: what the call asks for is done, or the
// verdict says what was not: an answer never calls known what would have changed something.

import type { Item } from './item.ts';
import { spaceKeyOf } from './space-key.ts';

/** What a call can say of a statement beside its text, under the names that an agent uses. */
export type Said = 'kind' | 'until' | 'as_of' | 'target' | 'tags';

export type SameText =
  /**
   * Nothing is stored. `differs` names what the call says otherwise than the item does; `stillCurrent` are the targets
   * that stay as they are.
   */
  | { verdict: 'known'; differs: readonly Said[]; stillCurrent: readonly string[] }
  /** The statement is stored, and the item is superseded by it, as the other targets are. */
  | { verdict: 'gives-way' };

export interface SameTextCall {
  /** What would be stored. */
  readonly draft: Pick<Item, 'kind' | 'space' | 'until' | 'asOf' | 'target' | 'tags'>;
  /** What of it the call itself named. */
  readonly named: ReadonlySet<Said>;
  readonly targets: readonly string[];
  /** Those of the targets that can be superseded by the draft. */
  readonly replaceable: readonly string[];
}

export function judgeSameText(item: Item, call: SameTextCall): SameText {
  const { draft } = call;
  const inItsSpace = spaceKeyOf(item.space) === spaceKeyOf(draft.space);
  const others = call.replaceable.filter((id) => id !== item.id);
  const differs = differences(item, draft);
  if (call.targets.includes(item.id)) {
    const changes = !inItsSpace || differs.length > 0 || others.length > 0;
    return changes ? { verdict: 'gives-way' } : { verdict: 'known', differs: [], stillCurrent: [] };
  }
  // Only a personal item that the call does not name can be in another space: it must not be shadowed unasked.
  if (others.length > 0 && inItsSpace) return { verdict: 'gives-way' };
  return { verdict: 'known', differs: differs.filter((said) => call.named.has(said)), stillCurrent: others };
}

function differences(item: Item, draft: SameTextCall['draft']): readonly Said[] {
  const differs: Readonly<Record<Said, boolean>> = {
    kind: item.kind !== draft.kind,
    until: item.until !== draft.until,
    as_of: item.asOf !== draft.asOf,
    target: item.target !== draft.target,
    tags: item.tags.join('\n') !== draft.tags.join('\n'),
  };
  return (Object.keys(differs) as Said[]).filter((said) => differs[said]);
}
