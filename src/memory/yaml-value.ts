// How stet writes YAML: one line a key. Invariant: every YAML reader, of version 1.1 too, gets the same text back; days
// alone (`until`, `as_of`) stay bare, so that other tools may see dates.

/** Keys whose values are always in double quotes: times look like dates to YAML readers, and ids go with them. */
const QUOTED_KEYS = new Set(['id', 'created', 'supersedes', 'conflicts_with', 'forgotten']);
const DAY_KEYS = new Set(['until', 'as_of']);

/** The value of a key: a scalar, or a flow list for several (and for none). Never contains a line end. */
export function yamlValue(key: string, value: string | readonly string[], quoteAll = false): string {
  const quoted = quoteAll || QUOTED_KEYS.has(key);
  const isDay = (text: string) => DAY_KEYS.has(key) && /^\d{4}-\d{2}-\d{2}$/.test(text);
  const scalar = (text: string) => (!quoted && (isDay(text) || isPlain(text)) ? text : quote(text));
  return typeof value === 'string' ? scalar(value) : `[${value.map(scalar).join(', ')}]`;
}

/** What starts with a letter, has nothing that means something in YAML, and reads as nothing but text. */
function isPlain(text: string): boolean {
  return (
    /^\p{L}(?:[\p{L}\p{M}\p{N}_./@+()=?&%~-]|[ ](?=[\p{L}\p{N}_./@+(-])|:(?=[\p{L}\p{N}/]))*$/u.test(text) &&
    // `e1` is a number to some readers of YAML 1.1.
    !/^(?:null|true|false|yes|no|on|off|y|n|e[+-]?\d+)$/i.test(text)
  );
}

/** JSON's quoting is YAML's, but for characters that YAML counts as breaks or as not printable: those are escaped. */
function quote(text: string): string {
  return JSON.stringify(text).replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Co}\p{Cn}]/gu, (character) => {
    const code = character.codePointAt(0) ?? 0;
    return code > 0xffff ? `\\U${code.toString(16).padStart(8, '0')}` : `\\u${code.toString(16).padStart(4, '0')}`;
  });
}
