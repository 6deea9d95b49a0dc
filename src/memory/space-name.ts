// What a space may be called, and when two names are one space.
// Invariant: a name that passes is safe as a folder's name on every file system that stet runs on.

/** The most code points that a space's name may have. */
const MAX_SPACE_CODE_POINTS = 64;
/** Of a folder's name in UTF-8, on most file systems. */
const MAX_NAME_BYTES = 255;

/** `name` is NFC; `reason` is a clause without a full stop: what is wrong, and what names look like. */
export type SpaceNameCheck = { ok: true; name: string } | { ok: false; reason: string };

// Windows opens a device, not a file, under these names.
const DEVICE_NAME = /^(?:con|prn|aux|nul|com\d|lpt\d)$/u;

/**
 * Letters of any script with their marks, decimal digits, `-` and `_`, of which the first is a letter or a digit; at
 * most 64 code points. Refused: `personal` (it stands for no space), `*` (every space), and
 * names of Windows devices.
 */
export function checkSpaceName(given: string): SpaceNameCheck {
  const name = given.normalize('NFC');
  if (name === '') return refuse('a space needs a name');
  if (name === '*') return refuse('* stands for every space and cannot be the name of one');
  const foreign = name.match(/[^\p{L}\p{M}\p{Nd}_-]/u);
  if (foreign) {
    return refuse(`a space is named with letters, digits, - and _, and this has ${showCharacter(foreign[0])}`);
  }
  if (!/^[\p{L}\p{Nd}]/u.test(name)) return refuse('the name of a space starts with a letter or a digit');
  const length = Array.from(name).length;
  if (length > MAX_SPACE_CODE_POINTS) {
    return refuse(`the name of a space has at most ${MAX_SPACE_CODE_POINTS} characters, and this has ${length}`);
  }
  if (Buffer.byteLength(name) > MAX_NAME_BYTES) {
    return refuse(
      `the name of a space takes at most ${MAX_NAME_BYTES} bytes, and this takes ${Buffer.byteLength(name)}`,
    );
  }
  const key = spaceKey(name);
  if (key === 'personal') return refuse('personal is what belongs to no space, and cannot be the name of one');
  if (DEVICE_NAME.test(key)) return refuse(`${name} is the name of a device on Windows and cannot be a folder there`);
  return { ok: true, name };
}

/**
 * What is equal for names of the same space, and only for those: NFC and case folded. (Upper case first, so that ß is
 * ss and a final sigma a sigma, as in Unicode's full case folding.)
 */
export function spaceKey(name: string): string {
  return name.normalize('NFC').toUpperCase().toLowerCase().replaceAll('ς', 'σ').normalize('NFC');
}

export function sameSpaceName(a: string, b: string): boolean {
  return spaceKey(a) === spaceKey(b);
}

function refuse(reason: string): SpaceNameCheck {
  return { ok: false, reason };
}

function showCharacter(character: string): string {
  if (character === ' ') return 'a blank';
  if (/[\p{L}\p{N}\p{P}\p{S}]/u.test(character)) return `“${character}”`;
  return `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`;
}
