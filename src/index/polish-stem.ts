// Polish words without their endings: Snowball's Polish is not in the library. Invariant: at least three letters stay, and
// the forms of one noun or adjective that differ by ending alone meet; sounds that change in the stem (ręka, ręce) do not.

// Cases and numbers of nouns and adjectives, persons of verbs, and no more: "księgowa" and "księgowość" are two things. The
// longest that fits goes.
const ENDINGS =
  'iami iach iego iemu owych owego owemu owymi ymi imi ego emu ych ich ami ach owie owi amy emy imy ymy acie ecie ują uje ał ały ało ała ów om em ie ią ię iu ia io ej ym im ą ę a e i o u y'
    .split(' ')
    .toSorted((a, b) => b.length - a.length);

const SHORTEST_STEM = 3;

/** The stem of a word in lower case. */
export function stemPolish(word: string): string {
  const ending = ENDINGS.find((each) => word.endsWith(each) && word.length - each.length >= SHORTEST_STEM);
  return ending === undefined ? word : word.slice(0, -ending.length);
}
