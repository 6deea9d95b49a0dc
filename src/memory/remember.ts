// Whether one statement by one agent is stored, as a pure decision: who and where, fit to keep, identical,
// near-identical, supersession, similar. The caller runs it under the write lock, on the table as it stands then.

import { whyTooMuch } from './argument-limits.ts';
import { findDeicticDate } from './deictic-dates.ts';
import { countSentences } from './sentences.ts';
import { findRelativeWording, findUndatedCurrency } from './undated-wording.ts';
import { isCalendarDay } from './calendar-day.ts';
import { isKind, KINDS, type Item, type Kind, type Space } from './item.ts';
import { compareStatements } from './near-duplicate.ts';
import type { Refusal } from './refusal.ts';
import { mayWrite, visibleSpaces, type Session } from './session.ts';
import { PERSONAL_KEY, spaceKeyOf } from './space-key.ts';
import { sameSpaceName } from './space-name.ts';
import { checkFit } from './statement.ts';
import { judgeSameText, type Said } from './same-text.ts';
import { statementOf } from './item-file.ts';
import type { View } from './view.ts';

/** The arguments of `remember`, as given. */
export interface RememberRequest {
  readonly text: string;
  readonly kind?: string;
  /** `personal`, or the session's space. */
  readonly space?: string;
  readonly supersedes?: readonly string[];
  readonly until?: string;
  readonly asOf?: string;
  readonly target?: string;
  readonly tags?: readonly string[];
  readonly origin?: string;
  /** Store it although a near-identical item exists. */
  readonly keepBoth?: boolean;
}

export interface RememberContext {
  readonly session: Session;
  readonly view: View;
  /**
   * The view of personal items alone. A personal statement is judged by it, wherever it comes from: what a space holds
   * or has replaced for itself must not decide what every other space sees.
   */
  readonly personalView: View;
  readonly now: Date;
  /** What the session's space is called: its name, aliases, and the names that its git remote suggests. */
  readonly spaceNames: readonly string[];
  /** Rules of the secrets found in the text. */
  readonly secrets: readonly string[];
  /** Ids of the items most like the text, best first, with their cosine where there is one. */
  readonly candidates: ReadonlyArray<{ readonly id: string; readonly cosine: number | null }>;
  /** Ids of delivered items whose text has the key of this text (`normaliseStatement`). */
  readonly sameText: readonly string[];
  readonly review: { readonly instructions: boolean; readonly personal: boolean };
}

/** What the caller writes; id, created and source are its own. */
export type Draft = Omit<Item, 'id' | 'created' | 'source'>;

export type RememberDecision =
  | {
      verdict: 'store';
      draft: Draft;
      superseded: readonly Item[];
      similar: readonly Item[];
      warnings: readonly string[];
    }
  /** Nothing is stored; `differs` and `stillCurrent` say what of the call was not done (`SameText`). */
  | { verdict: 'identical'; item: Item; differs: readonly Said[]; stillCurrent: readonly string[] }
  /** Nothing is stored; `replaces` are the call's own targets, which a second call has to name again. */
  | { verdict: 'near-identical'; item: Item; replaces: readonly string[] }
  | { verdict: 'refused'; refusal: Refusal };

/** How many similar items an answer lists at most. */
const SIMILAR_LIMIT = 3;

/** Which partitions are asked for candidates, and which items are any; none where the statement may not be stored. */
export function candidateScope(
  request: RememberRequest,
  context: Pick<RememberContext, 'session' | 'view' | 'personalView'>,
): { readonly partitions: readonly string[]; readonly accepts: (id: string) => boolean } {
  const { session, view, personalView } = context;
  const targets = targetsOf(request);
  const place = placeStatement(request, targets, session, view);
  if (!place.ok) return { partitions: [], accepts: () => false };
  const isPersonal = place.space === null;
  const scope = scopeOf(place.space, kindOf(request, targets, view), isPersonal ? personalView : view);
  const partitions = isPersonal ? [PERSONAL_KEY] : visibleSpaces(session);
  return { partitions, accepts: (id) => scope(id) !== undefined };
}

export function decideRemember(asked: RememberRequest, context: RememberContext): RememberDecision {
  const { session, view } = context;
  const text = asked.text.trim();

  const unfit = whyUnfit(text, asked, context);
  const targets = [...targetsOf(asked)];
  const place = placeStatement(asked, targets, session, view);
  if (!place.ok) return refused(place.refusal);
  if (unfit) return refused(unfit);
  const askedKind = kindOf(asked, targets, view);
  if (!isKind(askedKind)) return refused({ code: 'unknown-kind', kind: askedKind, kinds: KINDS });
  const named = place.space === null && session.space !== null ? nameIn(text, context.spaceNames) : null;
  if (named !== null && session.space !== null) {
    return refused({ code: 'personal-names-space', name: named, space: session.space });
  }

  const scope = scopeOf(place.space, askedKind, place.space === null ? context.personalView : view);
  const call = {
    draft: draftOf(text, askedKind, place.space, targets, asked, context),
    named: namedIn(asked),
    targets: targetsOf(asked),
    replaceable: targets.filter((id) => checkTarget(id, place, context).ok),
  };
  let [kind, request] = [askedKind, asked];
  for (const id of context.sameText) {
    const item = scope(id);
    if (!item) continue;
    const same = judgeSameText(item, call);
    if (same.verdict === 'known') {
      return { verdict: 'identical', item, differs: same.differs, stillCurrent: same.stillCurrent };
    }
    if (targets.includes(id)) continue;
    targets.push(id);
    if (!call.named.has('kind')) kind = item.kind;
    request = unlessNamed(request, item);
  }
  const draft = draftOf(text, kind, place.space, targets, request, context);

  const similar: Item[] = [];
  for (const candidate of context.candidates) {
    const item = targets.includes(candidate.id) ? undefined : scope(candidate.id);
    if (!item) continue;
    const likeness = compareStatements(text, item.text, candidate.cosine);
    if ((likeness === 'near-identical' || likeness === 'identical') && request.keepBoth !== true) {
      return { verdict: 'near-identical', item, replaces: call.replaceable };
    }
    if (likeness !== 'different' && similar.length < SIMILAR_LIMIT) similar.push(item);
  }

  const superseded: Item[] = [];
  for (const id of targets) {
    const target = checkTarget(id, place, context);
    if (!target.ok) return refused(target.refusal);
    superseded.push(target.item);
  }

  return { verdict: 'store', draft, superseded, similar, warnings: warningsOf(draft, view.today) };
}

function targetsOf(request: RememberRequest): readonly string[] {
  return [...new Set((request.supersedes ?? []).map((id) => id.trim()).filter((id) => id !== ''))];
}

type Place = { ok: true; space: Space; explicit: boolean } | { ok: false; refusal: Refusal };

/** Rule 1: the space argument, else the superseded item's space, else the session's, else personal. */
function placeStatement(request: RememberRequest, targets: readonly string[], session: Session, view: View): Place {
  if (!mayWrite(session)) return { ok: false, refusal: { code: 'no-writable-space' } };
  const place = choosePlace(request, targets, session, view);
  const denied = place.ok && place.space === null && !session.personalAllowed;
  return denied ? { ok: false, refusal: { code: 'unknown-space', space: PERSONAL_KEY } } : place;
}

function choosePlace(request: RememberRequest, targets: readonly string[], session: Session, view: View): Place {
  const asked = request.space?.trim();
  if (asked !== undefined && asked !== '') {
    if (sameSpaceName(asked, PERSONAL_KEY)) return { ok: true, space: null, explicit: true };
    if (session.space !== null && sameSpaceName(asked, session.space)) {
      return { ok: true, space: session.space, explicit: true };
    }
    return { ok: false, refusal: { code: 'unknown-space', space: asked } };
  }
  for (const id of targets) {
    const target = view.item(id);
    if (target) return { ok: true, space: target.space, explicit: false };
  }
  return { ok: true, space: session.space, explicit: false };
}

/** Rule 2: what is never kept. Dates are read from the text alone, so code in back quotes is left out by the finder. */
function whyUnfit(text: string, request: RememberRequest, context: RememberContext): Refusal | null {
  const fit = checkFit(text);
  if (!fit.ok) return fit.reason === 'empty' ? { code: 'empty' } : { code: 'too-long', characters: fit.codePoints };
  const tooMuch = whyTooMuch(request);
  if (tooMuch !== null) return { code: 'too-much', ...tooMuch };
  const [secret] = context.secrets;
  if (secret !== undefined) return { code: 'secret', rule: secret };
  for (const [argument, value] of [
    ['until', request.until],
    ['as_of', request.asOf],
  ] as const) {
    if (value !== undefined && !isCalendarDay(value)) return { code: 'bad-date', argument, value };
  }
  const deictic = findDeicticDate(text, context.now);
  return deictic === null ? null : { code: 'deictic-date', phrase: deictic.phrase, absolute: deictic.absolute };
}

/** A kind that is not given is the superseded item's, else a fact. */
function kindOf(request: RememberRequest, targets: readonly string[], view: View): string {
  if (request.kind !== undefined && request.kind.trim() !== '') return request.kind.trim().toLowerCase();
  for (const id of targets) {
    const target = view.item(id);
    if (target) return target.kind;
  }
  return 'fact';
}

function namedIn(request: RememberRequest): ReadonlySet<Said> {
  const isNamed: Readonly<Record<Said, boolean>> = {
    kind: isGiven(request.kind),
    until: isGiven(request.until),
    as_of: isGiven(request.asOf),
    target: isGiven(request.target),
    tags: (request.tags ?? []).some(isGiven),
  };
  return new Set((Object.keys(isNamed) as Said[]).filter((said) => isNamed[said]));
}

function isGiven(value: string | undefined): boolean {
  return value !== undefined && value.trim() !== '';
}

/** A statement that is made again, to replace something, keeps its days, target and tags where the call names none. */
function unlessNamed(request: RememberRequest, known: Item): RememberRequest {
  const named = namedIn(request);
  return {
    ...request,
    ...(named.has('until') || known.until === undefined ? {} : { until: known.until }),
    ...(named.has('as_of') || known.asOf === undefined ? {} : { asOf: known.asOf }),
    ...(named.has('target') || known.target === undefined ? {} : { target: known.target }),
    ...(named.has('tags') ? {} : { tags: known.tags }),
  };
}

function draftOf(
  text: string,
  kind: Kind,
  space: Space,
  supersedes: readonly string[],
  request: RememberRequest,
  context: RememberContext,
): Draft {
  const byUser = context.session.agent === USER;
  const waits =
    !byUser &&
    ((kind === 'instruction' && context.review.instructions) ||
      (supersedes.some((id) => context.view.item(id)?.kind === 'instruction') && context.review.instructions));
  const personalFromSpace = !byUser && space === null && context.session.space !== null;
  const review =
    waits || (personalFromSpace && context.review.personal) ? 'waiting' : personalFromSpace ? 'unseen' : undefined;
  return {
    kind,
    space,
    supersedes,
    ...(request.until === undefined ? {} : { until: request.until }),
    ...(request.asOf === undefined ? {} : { asOf: request.asOf }),
    ...(request.target === undefined || request.target.trim() === '' ? {} : { target: request.target.trim() }),
    tags: [...new Set((request.tags ?? []).map((tag) => tag.trim()).filter((tag) => tag !== ''))],
    ...(request.origin === undefined ? {} : { origin: request.origin }),
    ...(review === undefined ? {} : { review }),
    text,
    statement: statementOf(text),
  };
}

/** The agent name of the person at the command line, to whom reviews and policies do not apply. */
export const USER = 'user';

/** Duplicates are looked for among current items of the same space, and personal ones while in a space. */
function scopeOf(space: Space, kind: string, view: View): (id: string) => Item | undefined {
  return (id) => {
    const item = view.current(id);
    if (!item) return undefined;
    const sameScope = spaceKeyOf(item.space) === spaceKeyOf(space) || (item.space === null && space !== null);
    const sameClass = (item.kind === 'instruction') === (kind === 'instruction');
    return sameScope && sameClass ? item : undefined;
  };
}

/** Rule 5: a target must be visible, current, and in the new item's scope (or personal, shadowed explicitly). */
function checkTarget(
  id: string,
  place: { space: Space; explicit: boolean },
  context: Pick<RememberContext, 'view' | 'personalView'>,
): { ok: true; item: Item } | { ok: false; refusal: Refusal } {
  const item = context.view.item(id);
  if (!item) return { ok: false, refusal: { code: 'unknown-id', id } };
  const view = item.space === null && place.space === null ? context.personalView : context.view;
  const outdated = view.outdated(item);
  if (outdated) {
    switch (outdated.reason) {
      case 'superseded':
        return { ok: false, refusal: { code: 'already-superseded', id, heads: view.heads(id) } };
      case 'expired':
        return { ok: false, refusal: { code: 'expired-target', id, until: outdated.until } };
      case 'waiting':
        return { ok: false, refusal: { code: 'waiting-target', id } };
    }
  }
  const sameScope = spaceKeyOf(item.space) === spaceKeyOf(place.space);
  const shadows = item.space === null && place.space !== null && place.explicit;
  if (sameScope || shadows) return { ok: true, item };
  const named = (space: Space) => space ?? PERSONAL_KEY;
  return {
    ok: false,
    refusal: { code: 'other-scope', id, targetSpace: named(item.space), space: named(place.space) },
  };
}

/** The first of the names that stands in the text as a whole word, case and width folded; null when none does. */
function nameIn(text: string, names: readonly string[]): string | null {
  const folded = text.normalize('NFKC').toLowerCase();
  for (const name of names) {
    const wanted = name.normalize('NFKC').toLowerCase();
    if (wanted === '') continue;
    for (let at = folded.indexOf(wanted); at >= 0; at = folded.indexOf(wanted, at + 1)) {
      const end = at + wanted.length;
      if (isEdge(folded.slice(0, at), wanted) && isEdge(wanted, folded.slice(end))) return name;
    }
  }
  return null;
}

/** Whether a word can end between the two texts; scripts without blanks between words have an edge everywhere. */
function isEdge(before: string, after: string): boolean {
  const spaceless = /[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmr}]/u;
  const last = /[\p{L}\p{N}]$/u.exec(before)?.[0];
  const first = /^[\p{L}\p{N}]/u.exec(after)?.[0];
  return last === undefined || first === undefined || spaceless.test(last) || spaceless.test(first);
}

function warningsOf({ text, until, asOf }: Draft, today: string): readonly string[] {
  const warnings: string[] = [];
  if (until !== undefined && until < today) {
    warnings.push(`until ${until} is past, so no recall gives it; for the day of a claim there is as_of.`);
  }
  const currency = asOf === undefined ? findUndatedCurrency(text) : null;
  if (currency !== null) {
    warnings.push(`"${currency.phrase}" will go stale: pass as_of with the day on which this was true.`);
  }
  const relative = findRelativeWording(text);
  if (relative !== null) {
    warnings.push(`"${relative.phrase}" is relative: if it means a day, store the day instead.`);
  }
  const sentences = countSentences(text);
  if (sentences > 1)
    warnings.push(`${sentences} sentences in one item: one statement each is found and replaced better.`);
  return warnings;
}

function refused(refusal: Refusal): RememberDecision {
  return { verdict: 'refused', refusal };
}
