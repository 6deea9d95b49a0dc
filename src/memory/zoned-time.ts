// A time as git records it: a second, and how far the clock that showed it was from UTC. Invariant: what is printed is read
// back as the same second and the same zone.

export interface ZonedTime {
  /** Since 1970. */
  readonly seconds: number;
  /** `±hhmm`. */
  readonly zone: string;
}

/** The last second of the year 9999: ISO 8601 writes later years otherwise. */
const LAST_SECOND = 253_402_300_799;

const ISO = /^(\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2})(?:\.\d+)?(Z|[-+]\d{2}:\d{2})$/;

/** ISO 8601 with the zone: `2026-11-30T10:31:04+01:00`; `Z` where it is UTC. */
export function printZonedTime({ seconds, zone }: ZonedTime): string {
  const shown = Math.min(Math.max(seconds + offsetSeconds(zone), 0), LAST_SECOND);
  const wall = new Date(shown * 1_000).toISOString().slice(0, 19);
  return zone === '+0000' ? `${wall}Z` : `${wall}${zone.slice(0, 3)}:${zone.slice(3)}`;
}

/** The inverse of {@link printZonedTime}; fractions of a second are dropped. Null for what is no time from 1970 on. */
export function parseZonedTime(text: string): ZonedTime | null {
  const [, wall = '', offset = ''] = ISO.exec(text) ?? [];
  const zone = offset === 'Z' ? '+0000' : offset.replace(':', '');
  const shown = Date.parse(`${wall}Z`);
  // `Date` takes 31 February for 3 March.
  if (Number.isNaN(shown) || new Date(shown).toISOString().slice(0, 19) !== wall) return null;
  const seconds = shown / 1_000 - offsetSeconds(zone);
  return seconds < 0 ? null : { seconds, zone };
}

function offsetSeconds(zone: string): number {
  const minutes = Number(zone.slice(1, 3)) * 60 + Number(zone.slice(3));
  return (zone.startsWith('-') ? -60 : 60) * minutes;
}
