// The difference of two texts in unified form, for a preview: one hunk from the first line that differs to the last.
// An edit of a configuration file is one or two neighbouring places, for which no smaller diff is worth a library.

const CONTEXT_LINES = 2;

/** Lines with ` `, `-`, `+` in front, under a header as `diff -u` has it; empty for equal texts. */
export function unifiedDiff(path: string, before: string, after: string): readonly string[] {
  if (before === after) return [];
  const old = linesOf(before);
  const fresh = linesOf(after);
  const shorter = Math.min(old.length, fresh.length);
  let head = 0;
  while (head < shorter && old[head] === fresh[head]) head += 1;
  let tail = 0;
  while (tail < shorter - head && old.at(-1 - tail) === fresh.at(-1 - tail)) tail += 1;
  const start = Math.max(0, head - CONTEXT_LINES);
  const lead = old.slice(start, head);
  const removed = old.slice(head, old.length - tail);
  const added = fresh.slice(head, fresh.length - tail);
  const trail = old.slice(old.length - tail, Math.min(old.length, old.length - tail + CONTEXT_LINES));
  const range = (lines: number) => `${lines === 0 ? start : start + 1},${lines}`;
  const around = lead.length + trail.length;
  return [
    `--- ${path}`,
    `+++ ${path}`,
    `@@ -${range(around + removed.length)} +${range(around + added.length)} @@`,
    ...lead.map((line) => ` ${line}`),
    ...removed.map((line) => `-${line}`),
    ...added.map((line) => `+${line}`),
    ...trail.map((line) => ` ${line}`),
  ];
}

/** Without line ends; a last line that has none says so, because that is a difference too. */
function linesOf(text: string): readonly string[] {
  if (text === '') return [];
  const lines = text.split(/\r?\n/);
  const last = lines.pop() ?? '';
  return last === '' ? lines : [...lines, `${last} (no line end)`];
}
