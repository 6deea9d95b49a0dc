// Merges whole texts: byte order mark, line ends and final line end apart from the lines, so that an editor that changed
// those on one side does not make every line of the other a conflict.
import { findRegions, mergeLines } from './merge-lines.ts';
import { lesser, threeWay } from './three-way.ts';

/** How a text is written, apart from what it says. `lineEnd` is null for a text on one line, `mixed` for both kinds. */
interface TextForm {
  readonly mark: string;
  readonly lineEnd: '\n' | '\r\n' | 'mixed' | null;
}

/** Three versions of a text in one form, and the form that the merged one gets. */
export interface LevelTexts {
  /** Null where there was no common version. */
  readonly base: string | null;
  readonly ours: string;
  readonly theirs: string;
  /** Puts the merged text into its form. */
  restore(merged: string): string;
}

/** Takes the forms off the texts: no byte order mark, and LF, unless one of them mixes line ends. */
export function levelTexts(base: string | null, ours: string, theirs: string): LevelTexts {
  const [b, o, t] = [base ?? ours, ours, theirs].map(formOf) as [TextForm, TextForm, TextForm];
  const isMixed = [b, o, t].some(({ lineEnd }) => lineEnd === 'mixed');
  const mark = threeWay(base === null ? '' : b.mark, o.mark, t.mark, (here, there) => (here === there ? here : ''));
  // What a text on one line does not tell the base tells, else the sides, which are interchangeable.
  const sides = [o.lineEnd, t.lineEnd].filter((lineEnd) => lineEnd !== null);
  const known = (form: TextForm): string => form.lineEnd ?? b.lineEnd ?? sides.toSorted()[0] ?? '\n';
  const lineEnd =
    base === null
      ? lesser(known(o), known(t))
      : threeWay(known(b), known(o), known(t), (here, there) => lesser(here, there));
  const level = (text: string): string => {
    const plain = text.replace(/^\uFEFF/, '');
    return isMixed ? plain : plain.replaceAll('\r\n', '\n');
  };
  return {
    base: base === null ? null : level(base),
    ours: level(ours),
    theirs: level(theirs),
    restore: (merged) => mark + (isMixed || lineEnd === '\n' ? merged : merged.replaceAll('\n', '\r\n')),
  };
}

/** The merged text, or null where both sides changed the same lines in different ways. Without a base: if they agree. */
export function mergeText(base: string | null, ours: string, theirs: string): string | null {
  const level = levelTexts(base, ours, theirs);
  const merged = mergeLevelText(level.base, level.ours, level.theirs);
  return merged === null ? null : level.restore(merged);
}

/** {@link mergeText} for texts of one form. */
export function mergeLevelText(base: string | null, ours: string, theirs: string): string | null {
  if (ours === theirs || theirs === base) return ours;
  if (ours === base) return theirs;
  const [b, o, t] = [base ?? '', ours, theirs].map(linesOf) as [Lines, Lines, Lines];
  const lines = mergeLines(b.lines, o.lines, t.lines);
  if (lines === null) return null;
  const isClosed = threeWay(b.isClosed, o.isClosed, t.isClosed, () => true);
  return lines.join('\n') + (isClosed && lines.length > 0 ? '\n' : '');
}

/**
 * The text as `git merge` leaves it where it cannot decide: both versions between marker lines. For git itself alone,
 * which asks the user to choose; never for a file that stet writes.
 */
export function markConflicts(
  base: string | null,
  ours: string,
  theirs: string,
  labels: { readonly ours: string; readonly theirs: string },
): string {
  const level = levelTexts(base, ours, theirs);
  const [b, o, t] = [level.base ?? '', level.ours, level.theirs].map(linesOf) as [Lines, Lines, Lines];
  const whole = [{ settled: null, base: b.lines, ours: o.lines, theirs: t.lines }] as const;
  const lines = (findRegions(b.lines, o.lines, t.lines) ?? whole).flatMap(
    (region) =>
      region.settled ?? [
        '<<<<<<< ' + labels.ours,
        ...region.ours,
        '=======',
        ...region.theirs,
        '>>>>>>> ' + labels.theirs,
      ],
  );
  return level.restore(`${lines.join('\n')}\n`);
}

interface Lines {
  readonly lines: readonly string[];
  /** Whether the last line has its end. */
  readonly isClosed: boolean;
}

function linesOf(text: string): Lines {
  if (text === '') return { lines: [], isClosed: true };
  const isClosed = text.endsWith('\n');
  return { lines: (isClosed ? text.slice(0, -1) : text).split('\n'), isClosed };
}

function formOf(text: string): TextForm {
  const mark = text.startsWith('\uFEFF') ? '\uFEFF' : '';
  const ends = text.split('\n').length - 1;
  const pairs = text.split('\r\n').length - 1;
  const lineEnd = ends === 0 ? null : pairs === 0 ? '\n' : pairs === ends ? '\r\n' : 'mixed';
  return { mark, lineEnd };
}
