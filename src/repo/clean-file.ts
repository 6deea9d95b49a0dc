// What git stores of a file in the working tree: line ends as the attributes and `core.autocrlf` ask (git's convert.c).
// Invariant: an attribute that would run a program or change the text otherwise (filter, ident, encoding) is refused.
import { StetError } from '../memory/failure.ts';
import type { AttributeValue } from './attributes.ts';

/** What is done with line ends on the way into git. */
export type LineEndRule = 'keep' | 'convert' | 'convert-if-text';

export interface LineEndConfig {
  /** `core.autocrlf`. */
  readonly autocrlf: boolean;
}

/** Throws `unsupported-repository` when the attributes ask for more than line ends. */
export function checkAttributes(path: string, attributes: ReadonlyMap<string, AttributeValue>): void {
  for (const name of ['filter', 'working-tree-encoding', 'ident']) {
    const value = attributes.get(name);
    if (value === undefined || value === false) continue;
    const words = value === true ? name : `${name}=${value}`;
    throw new StetError({
      code: 'unsupported-repository',
      feature: `the attribute "${words}" on ${path}`,
      remedy: `Take it off in .gitattributes with a last line such as \`*.md -${name}\`.`,
    });
  }
}

/** As git derives it from `text`, `crlf` (its old name), `eol` and `core.autocrlf` (convert.c, `convert_attrs`). */
export function findLineEndRule(
  attributes: ReadonlyMap<string, AttributeValue>,
  { autocrlf }: LineEndConfig,
): LineEndRule {
  const text = readTextAttribute(attributes.get('text')) ?? readTextAttribute(attributes.get('crlf'));
  if (text === 'keep') return 'keep';
  const eol = attributes.get('eol');
  const hasEol = eol === 'lf' || eol === 'crlf';
  if (text === 'convert-if-text') return 'convert-if-text';
  if (text === 'convert' || hasEol) return 'convert';
  return autocrlf ? 'convert-if-text' : 'keep';
}

function readTextAttribute(value: AttributeValue | undefined): LineEndRule | null {
  if (value === true || value === 'input') return 'convert';
  if (value === false) return 'keep';
  return value === 'auto' ? 'convert-if-text' : null;
}

/**
 * The bytes that git stores. `stored` are those in the index, asked for only where it matters: a file that has CRLF there
 * is left alone by the automatic conversion.
 */
export async function convertLineEnds(
  bytes: Buffer,
  rule: LineEndRule,
  stored: () => Promise<Uint8Array | null>,
): Promise<Buffer> {
  if (rule === 'keep' || !bytes.includes('\r\n')) return bytes;
  if (rule === 'convert-if-text') {
    if (looksBinary(bytes)) return bytes;
    const before = await stored();
    const old = before === null ? null : Buffer.from(before);
    if (old !== null && old.includes('\r\n') && !looksBinary(old)) return bytes;
  }
  return Buffer.from(bytes.toString('latin1').replaceAll('\r\n', '\n'), 'latin1');
}

/** git's guess: a lone CR, a NUL, or more than one control character in 128 printable ones. */
function looksBinary(bytes: Buffer): boolean {
  let printable = 0;
  let others = 0;
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at] ?? 0;
    if (byte === 0x0d) {
      if (bytes[at + 1] !== 0x0a) return true;
    } else if (byte === 0) {
      return true;
    } else if (byte === 0x0a) {
      continue;
    } else if (byte === 0x7f || (byte < 0x20 && !PRINTABLE_CONTROLS.has(byte))) {
      others++;
    } else {
      printable++;
    }
  }
  // A final ^Z ends a file of old DOS.
  if (bytes.at(-1) === 0x1a) others--;
  return printable >> 7 < others;
}

/** Backspace, tab, form feed, escape. */
const PRINTABLE_CONTROLS = new Set([0x08, 0x09, 0x0c, 0x1b]);
