// A moment in a memory's history, by the words of a person: a commit, a tag, a day, `3 days ago`.

import { isCalendarDay } from '../memory/calendar-day.ts';
import { StetError } from '../memory/failure.ts';
import type { GitRepository } from '../repo/repository.ts';

export interface Moment {
  readonly commit: string;
  /** The time that was asked for, else the commit's own; currency is judged at it. */
  readonly time: Date;
}

/** Where a moment was written, which messages name. */
export type MomentArgument = '--at' | '--since' | '--until' | 'RANGE';

/**
 * The first-parent commit of that time. A day means its end in this machine's zone. Throws `bad-argument` for what is
 * neither a commit nor a time, and for a time before the first commit.
 */
export async function findMoment(
  repository: GitRepository,
  text: string,
  now: Date,
  argument: MomentArgument = '--at',
): Promise<Moment> {
  const { commit, time } = await readMoment(repository, text, now, { argument, day: 'end' });
  const at = commit ?? (await repository.firstParentAt(time));
  if (at === null) throw refusal(text, argument, 'the memory has no commit that old', 'Name a later time.');
  return { commit: at, time };
}

/**
 * The time of a commit or of words, which may lie before the first commit: the bound of a period. A day means its start
 * where the period begins with it, its end where it ends with it. Throws `bad-argument` as {@link findMoment} does.
 */
export async function findBound(
  repository: GitRepository,
  text: string,
  now: Date,
  argument: '--since' | '--until',
): Promise<Date> {
  const day = argument === '--since' ? 'start' : 'end';
  return (await readMoment(repository, text, now, { argument, day })).time;
}

async function readMoment(
  repository: GitRepository,
  text: string,
  now: Date,
  { argument, day }: { readonly argument: MomentArgument; readonly day: 'start' | 'end' },
): Promise<{ readonly commit: string | null; readonly time: Date }> {
  const commit = isCalendarDay(text.trim()) ? null : await repository.findCommit(text);
  if (commit !== null) return { commit, time: await repository.committedAt(commit) };
  const time = await parseTime(text.trim(), now, day);
  if (time !== null) return { commit: null, time };
  const reason = 'it is neither a commit, a tag nor a time';
  throw refusal(text, argument, reason, 'Write a commit, a tag, 2026-06-01 or "3 days ago".');
}

async function parseTime(text: string, now: Date, day: 'start' | 'end'): Promise<Date | null> {
  if (isCalendarDay(text)) return new Date(`${text}T${day === 'start' ? '00:00:00.000' : '23:59:59.999'}`);
  const chrono = await import('chrono-node');
  const [found] = chrono.parse(text, now);
  // A date inside other words is a misunderstanding, not a moment.
  if (!found || found.text.length < text.length) return null;
  return found.date();
}

function refusal(text: string, argument: MomentArgument, reason: string, hint: string): StetError {
  return new StetError({ code: 'bad-argument', argument: `${argument} ${text}`, reason, hint });
}
