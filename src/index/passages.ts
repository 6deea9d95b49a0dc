// Cuts a long text into passages that a model reads whole and a person can be shown. Invariant: passages are verbatim
// slices in order, each of at most PASSAGE_CHARACTERS, and every character that is not white space is in exactly one.

/** What one passage holds at most, in UTF-16 units: about the 256 tokens that MiniLM reads of code and names. */
export const PASSAGE_CHARACTERS = 600;

// Where to cut, best first. Each pattern matches up to and including the place.
const BREAKS = [/\n[ \t]*\n/g, /\n/g, /[.!?…。！？]["'”’)\]]*(?:\s|(?<=[。！？]))/g, /\s/g];

/** The passages of a text, in order; a text that fits is one passage. */
export function splitPassages(text: string): string[] {
  const passages: string[] = [];
  let rest = text.trim();
  while (rest.length > PASSAGE_CHARACTERS) {
    const cut = placeToCut(rest);
    passages.push(rest.slice(0, cut).trimEnd());
    rest = rest.slice(cut).trimStart();
  }
  if (rest !== '') passages.push(rest);
  return passages;
}

function placeToCut(text: string): number {
  const window = text.slice(0, PASSAGE_CHARACTERS);
  for (const pattern of BREAKS) {
    let cut = 0;
    for (const match of window.matchAll(pattern)) cut = match.index + match[0].length;
    // A cut in the first third would leave crumbs: the next kind of place is better.
    if (cut >= PASSAGE_CHARACTERS / 3) return cut;
  }
  const last = window.charCodeAt(PASSAGE_CHARACTERS - 1);
  const splitsPair = last >= 0xd800 && last <= 0xdbff;
  return splitsPair ? PASSAGE_CHARACTERS - 1 : PASSAGE_CHARACTERS;
}
