// What in an item breaks the storing policy, each with what to do about it. Pure: what was delivered when is given.
// Imports the date library (some 45 ms), so import this when it is first needed.
import { localDay } from './calendar-day.ts';
import { findDeicticDate } from './deictic-dates.ts';
import type { Item } from './item.ts';
import { findOwnedValue } from './owned-value.ts';
import { countSentences } from './sentences.ts';
import { findRelativeWording, findUndatedCurrency } from './undated-wording.ts';

/** Every rule, with what it is about. */
export const LINT_RULES = {
  'deictic-date': 'a date that only the day of writing can tell: tomorrow, last week',
  'relative-wording': 'a wording that counts from the day of writing: soon, in two weeks',
  'undated-currency': '"currently" and its like, without `as_of`',
  'several-statements': 'several sentences in one item',
  'stale-plan': 'a plan that is over, or older than 90 days without a last day',
  'owned-value': 'a value that some system probably owns: a status, a price, a version, a count',
  'never-delivered': 'given to nobody in 90 days',
} as const;

export type LintRule = keyof typeof LINT_RULES;

export interface LintFinding {
  readonly rule: LintRule;
  /** What is wrong, in one sentence. */
  readonly finding: string;
  /** What to do, in one sentence. */
  readonly advice: string;
}

export interface LintContext {
  readonly now: Date;
  /** Whether the item went into any answer since `now` - 90 days; null where deliveries do not reach back that far. */
  readonly delivered: boolean | null;
}

/** How long a plan without a last day, or an item that nobody got, may stand before it is asked about. */
export const STALE_DAYS = 90;

const DAY_MS = 86_400_000;

/** What breaks the policy in one item that is current, or in a plan that is over. In the order of {@link LINT_RULES}. */
export function lintItem(item: Item, { now, delivered }: LintContext): readonly LintFinding[] {
  const created = new Date(item.created);
  const isDated = !Number.isNaN(created.getTime());
  const written = isDated ? created : now;
  const day = localDay(written);
  const edit = `stet edit ${item.id}`;
  const findings: LintFinding[] = [];

  const deictic = findDeicticDate(item.text, written);
  if (deictic !== null) {
    findings.push({
      rule: 'deictic-date',
      finding: `"${deictic.phrase}" meant ${deictic.absolute} when it was stored.`,
      advice: `Write the date instead: \`${edit}\`.`,
    });
  }
  const relative = deictic === null ? findRelativeWording(item.text) : null;
  if (relative !== null) {
    findings.push({
      rule: 'relative-wording',
      finding: `"${relative.phrase}" counts from ${day}, if it means a day.`,
      advice: `If it does, write the day instead: \`${edit}\`.`,
    });
  }
  const currency = item.asOf === undefined ? findUndatedCurrency(item.text) : null;
  if (currency !== null) {
    findings.push({
      rule: 'undated-currency',
      finding: `"${currency.phrase}" does not say when.`,
      advice: `Add the line \`as_of: ${day}\` if it was true then: \`${edit}\`.`,
    });
  }
  const sentences = countSentences(item.text);
  if (sentences > 1) {
    findings.push({
      rule: 'several-statements',
      finding: `${sentences} sentences in one item are found and replaced together.`,
      advice: `Keep one (\`${edit}\`), and store the others by \`stet remember\`.`,
    });
  }
  findings.push(...lintPlan(item, localDay(now), isDated ? ageDays(created, now) : null));
  // Of what was decided, or how something came out, the value of then is the point.
  const owned = ['fact', 'plan', 'vocabulary'].includes(item.kind) && item.asOf === undefined;
  const value = owned ? findOwnedValue(item.text) : null;
  if (value !== null) {
    findings.push({
      rule: 'owned-value',
      finding: `"${value.phrase}" is probably kept by ${value.owner}, and changes there.`,
      advice: `Store where to look instead (\`--kind pointer --target …\`), or add \`as_of: ${day}\`: \`${edit}\`.`,
    });
  }
  if (delivered === false && isDated && ageDays(created, now) >= STALE_DAYS) {
    findings.push({
      rule: 'never-delivered',
      finding: `It is ${ageDays(created, now)} days old, and nobody was given it in ${STALE_DAYS} days.`,
      advice: `Forget it if nobody needs it (\`stet forget ${item.id}\`), or word it as it is asked for.`,
    });
  }
  return findings;
}

function lintPlan(item: Item, today: string, age: number | null): readonly LintFinding[] {
  if (item.until !== undefined && item.until < today) {
    return [
      {
        rule: 'stale-plan',
        finding: `It ended on ${item.until}, and is given to nobody since.`,
        advice: `Store what came of it (\`stet remember "…" --kind outcome\`), then \`stet forget ${item.id}\`.`,
      },
    ];
  }
  if (item.kind !== 'plan' || item.until !== undefined || age === null || age < STALE_DAYS) return [];
  return [
    {
      rule: 'stale-plan',
      finding: `A plan of ${age} days ago, without a last day.`,
      advice: `Add a line \`until: YYYY-MM-DD\` (\`stet edit ${item.id}\`), or replace it by what came of it.`,
    },
  ];
}

function ageDays(created: Date, now: Date): number {
  return Math.floor((now.getTime() - created.getTime()) / DAY_MS);
}
