// A moment in a memory's history, by the words of a person: a commit, a tag, a day, `3 days ago`.

import { isCalendarDay } from '../memory/calendar-day.ts';
import { StetError } from '../memory/failure.ts';
import type { GitRepository } from '../repo/repository.ts';

export interface Moment {
  readonly commit: string;
  /** The time that was asked for, else the commit's own; currency is judged at it. */
  readonly time: Date;
}

/**
 * The first-parent commit of that time. A day means its end in this machine's zone. Throws `bad-argument` for what is
 * neither a commit nor a time, and for a time before the first commit.
 */
export async function findMoment(repository: GitRepository, text: string, now: Date): Promise<Moment> {
  const commit = isCalendarDay(text.trim()) ? null : await repository.findCommit(text);
  if (commit !== null) return { commit, time: await repository.committedAt(commit) };
  const time = await parseTime(text.trim(), now);
  if (time === null) {
    throw refusal(
      text,
      'it is neither a commit, a tag nor a time',
      'Write a commit, a tag, 2026-06-01 or "3 days ago".',
    );
  }
  const at = await repository.firstParentAt(time);
  if (at === null) throw refusal(text, 'the memory has no commit that old', 'Name a later time.');
  return { commit: at, time };
}

async function parseTime(text: string, now: Date): Promise<Date | null> {
  if (isCalendarDay(text)) return new Date(`${text}T23:59:59.999`);
  const chrono = await import('chrono-node');
  const [found] = chrono.parse(text, now);
  // A date inside other words is a misunderstanding, not a moment.
  if (!found || found.text.length < text.length) return null;
  return found.date();
}

function refusal(text: string, reason: string, hint: string): StetError {
  return new StetError({ code: 'bad-argument', argument: `--at ${text}`, reason, hint });
}
