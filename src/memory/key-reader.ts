// Reads single keys of a frontmatter strictly. Invariant: a value of another form than asked for becomes a problem with its
// line, never a guess.
import { isCalendarDay } from './calendar-day.ts';
import { excerpt } from './excerpt.ts';
import type { FrontmatterKeys, FrontmatterValue } from './frontmatter-yaml.ts';
import { isId } from './id.ts';
import type { Problem } from './item.ts';

/** Takes a problem of the key that it is about. */
export type ReportProblem = (key: string, problem: Problem) => void;

export class KeyReader {
  readonly #keys: FrontmatterKeys;
  readonly #report: ReportProblem;

  constructor(keys: FrontmatterKeys, report: ReportProblem) {
    this.#keys = keys;
    this.#report = report;
  }

  value(key: string): FrontmatterValue {
    return this.#keys.get(key)?.value ?? { shape: 'empty' };
  }

  problem(key: string, message: string): void {
    this.#report(key, { line: this.#keys.get(key)?.line ?? 1, message });
  }

  /** A scalar on one line, or null where there is none. `what`: what it must be, for the message. */
  text(key: string, what: string): string | null {
    const value = this.value(key);
    if (value.shape === 'empty' || isBlankText(value)) return null;
    if (value.shape === 'text') {
      const text = value.text.trim();
      if (!/[\r\n]/.test(text)) return text;
    }
    this.problem(key, `\`${key}\` must be ${what}.`);
    return null;
  }

  /** A calendar day that exists. */
  day(key: string): string | null {
    const text = this.text(key, 'a day, like 2026-09-30');
    if (text === null || isCalendarDay(text)) return text;
    this.problem(key, `\`${key}\` is not a day ("${excerpt(text)}"): write it like 2026-09-30.`);
    return null;
  }

  /** One id or a list, each once; empty entries of a list say nothing and are left out. */
  ids(key: string): readonly string[] {
    const value = this.value(key);
    if (value.shape === 'empty' || isBlankText(value)) return [];
    const texts = value.shape === 'text' ? [value.text] : value.shape === 'list' ? value.texts : null;
    if (texts === null) this.problem(key, `\`${key}\` must be an id or a list of ids.`);
    const ids = (texts ?? []).filter((text) => text.trim() !== '');
    const wrong = ids.find((text) => !isId(text));
    if (wrong !== undefined)
      this.problem(key, `\`${key}\` names "${excerpt(wrong)}", which is not an id (like "k3v9q2m7").`);
    return [...new Set(ids)];
  }
}

/** Nothing but white space: as good as no value. */
export function isBlankText(value: FrontmatterValue): boolean {
  return value.shape === 'text' && value.text.trim() === '';
}
