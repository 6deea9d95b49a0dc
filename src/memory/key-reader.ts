// Reads single keys of a frontmatter strictly. Invariant: a value of another form than asked for becomes a problem with its
// line, never a guess.
import type { FrontmatterKeys, FrontmatterValue } from './frontmatter-yaml.ts';
import { isId } from './id.ts';
import type { Problem } from './item.ts';

export class KeyReader {
  readonly #keys: FrontmatterKeys;
  readonly #problems: Problem[];

  constructor(keys: FrontmatterKeys, problems: Problem[]) {
    this.#keys = keys;
    this.#problems = problems;
  }

  value(key: string): FrontmatterValue {
    return this.#keys.get(key)?.value ?? { shape: 'empty' };
  }

  problem(key: string, message: string): void {
    this.#problems.push({ line: this.#keys.get(key)?.line ?? 1, message });
  }

  /** A scalar on one line, or null where there is none. */
  text(key: string, what: string): string | null {
    const value = this.value(key);
    if (value.shape === 'empty' || isBlankText(value)) return null;
    if (value.shape === 'text') {
      const text = value.text.trim();
      if (!/[\r\n]/.test(text)) return text;
    }
    this.problem(key, `\`${key}\` must be ${what} on one line.`);
    return null;
  }

  /** A calendar day that exists. */
  day(key: string): string | null {
    const text = this.text(key, 'a day, like 2026-09-30,');
    if (text === null || isDay(text)) return text;
    this.problem(key, `\`${key}\` is not a day ("${text}"): write it like 2026-09-30.`);
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
    if (wrong !== undefined) this.problem(key, `\`${key}\` names "${wrong}", which is not an id (like "k3v9q2m7").`);
    return [...new Set(ids)];
  }
}

/** Whether a text is `YYYY-MM-DD` and that day is in the calendar. */
export function isDay(text: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return false;
  const day = new Date(`${text}T00:00:00Z`);
  return !Number.isNaN(day.getTime()) && day.toISOString().startsWith(text);
}

/** Nothing but white space: as good as no value. */
export function isBlankText(value: FrontmatterValue): boolean {
  return value.shape === 'text' && value.text.trim() === '';
}
