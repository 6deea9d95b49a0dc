// What a deictic phrase means on a given day. Days come from chrono-node; spans are calendar weeks from Monday,
// months, quarters and years. Invariant: everything is counted in the zone of this machine, as `now` is read.
import { parse } from 'chrono-node/en';
import type { Day, Span, Unit, Weekday } from './deictic-languages.ts';

/** Which one, seen from today: `coming` is the nearest one ahead, `next` may be that or the one of next week. */
export type Which = 'last' | 'this' | 'coming' | 'next';

export type Meaning =
  | { kind: 'day'; day: Day }
  | { kind: 'span'; which: Which; span: Span }
  | { kind: 'weekday'; which: Which; weekday: Weekday }
  | { kind: 'weekday-of-week'; which: Which; weekday: Weekday }
  | { kind: 'ago'; count: number | 'few'; unit: Unit };

/** `2026-09-16`, `2026-09-14 to 2026-09-20`, or `2026-09-18 or 2026-09-25` where people mean either. */
export function resolveMeaning(meaning: Meaning, now: Date): string {
  switch (meaning.kind) {
    case 'day':
      return chronoDay(meaning.day, now);
    case 'span':
      return spanAround(meaning.span, shiftOf(meaning.which), now);
    case 'weekday':
      return weekday(meaning.which, meaning.weekday, now);
    case 'weekday-of-week':
      return weekdayOfWeek(meaning.which, meaning.weekday, now);
    case 'ago':
      return ago(meaning.count, meaning.unit, now);
  }
}

function weekday(which: Which, name: Weekday, now: Date): string {
  // Chrono's `this` is today or the nearest ahead, its `next` that of next week; the nearest ahead is never today.
  const nearest = chronoDay(`this ${name}`, startOfDay(now, 1));
  switch (which) {
    case 'last':
    case 'this':
      return chronoDay(`${which} ${name}`, now);
    case 'coming':
      return nearest;
    case 'next': {
      const ofNextWeek = chronoDay(`next ${name}`, now);
      return nearest === ofNextWeek ? nearest : `${nearest} or ${ofNextWeek}`;
    }
  }
}

const FROM_MONDAY: readonly Weekday[] = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'];

function weekdayOfWeek(which: Which, name: Weekday, now: Date): string {
  return isoDate(startOfDay(monday(now), shiftOf(which) * 7 + FROM_MONDAY.indexOf(name)));
}

function ago(count: number | 'few', unit: Unit, now: Date): string {
  if (count === 'few') return `${ago(5, unit, now).slice(0, 10)} to ${ago(2, unit, now).slice(-10)}`;
  if (unit === 'month' || unit === 'year') return spanAround(unit, -count, now);
  return chronoDay(`${count} ${unit}s ago`, now);
}

function shiftOf(which: Which): number {
  switch (which) {
    case 'last':
      return -1;
    case 'this':
      return 0;
    case 'coming':
    case 'next':
      return 1;
  }
}

/** The first and the last day of the span that lies `shift` spans from the one that holds `now`. */
function spanAround(span: Span, shift: number, now: Date): string {
  const [year, month] = [now.getFullYear(), now.getMonth()];
  switch (span) {
    case 'week':
      return range(startOfDay(monday(now), shift * 7), startOfDay(monday(now), shift * 7 + 6));
    case 'weekend':
      return range(startOfDay(monday(now), shift * 7 + 5), startOfDay(monday(now), shift * 7 + 6));
    case 'month':
      return range(new Date(year, month + shift, 1), new Date(year, month + shift + 1, 0));
    case 'quarter': {
      const first = Math.floor(month / 3) * 3 + shift * 3;
      return range(new Date(year, first, 1), new Date(year, first + 3, 0));
    }
    case 'year':
      return range(new Date(year + shift, 0, 1), new Date(year + shift, 11, 31));
  }
}

function chronoDay(english: string, now: Date): string {
  const start = parse(english, now)[0]?.start;
  const [year, month, day] = [start?.get('year'), start?.get('month'), start?.get('day')];
  if (typeof year !== 'number' || typeof month !== 'number' || typeof day !== 'number') {
    throw new Error(`chrono-node does not read “${english}”`);
  }
  return isoDate(new Date(year, month - 1, day));
}

function startOfDay(date: Date, shiftDays: number): Date {
  return new Date(date.getFullYear(), date.getMonth(), date.getDate() + shiftDays);
}

function monday(date: Date): Date {
  return startOfDay(date, -((date.getDay() + 6) % 7));
}

function range(first: Date, last: Date): string {
  return `${isoDate(first)} to ${isoDate(last)}`;
}

function isoDate(date: Date): string {
  const [month, day] = [date.getMonth() + 1, date.getDate()].map((part) => String(part).padStart(2, '0'));
  return `${String(date.getFullYear()).padStart(4, '0')}-${month}-${day}`;
}
