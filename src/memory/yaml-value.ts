// How stet writes YAML: one line a key. Invariant: every YAML reader, of version 1.1 too, gets the same text back.

/** Keys whose values are always in double quotes: some ids and all times look like numbers or dates to YAML readers. */
const QUOTED_KEYS = new Set(['id', 'created', 'supersedes', 'forgotten']);

/** The value of a key: a scalar, or a flow list for several (and for none). Never contains a line end. */
export function yamlValue(key: string, value: string | readonly string[], quoteAll = false): string {
  const quoted = quoteAll || QUOTED_KEYS.has(key);
  const scalar = (text: string) => (quoted || !isPlain(text) ? quote(text) : text);
  return typeof value === 'string' ? scalar(value) : `[${value.map(scalar).join(', ')}]`;
}

/** A calendar day and a URL stay bare; of the rest only what starts with a letter and reads as nothing else. */
function isPlain(text: string): boolean {
  if (/^\d{4}-\d{2}-\d{2}$/.test(text)) return true;
  return (
    /^\p{L}(?:[\p{L}\p{M}\p{N}_./@+()=?&%~-]|[ ](?=[\p{L}\p{N}_./@+(-])|:(?=[\p{L}\p{N}/]))*$/u.test(text) &&
    !/^(?:null|true|false|yes|no|on|off|y|n)$/i.test(text) &&
    !/[\p{L}\p{N}]:$/u.test(text)
  );
}

/** JSON's quoting is YAML's, but for characters that YAML counts as breaks or as not printable: those are escaped. */
function quote(text: string): string {
  return JSON.stringify(text).replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Co}\p{Cn}]/gu, (character) => {
    const code = character.codePointAt(0) ?? 0;
    return code > 0xffff ? `\\U${code.toString(16).padStart(8, '0')}` : `\\u${code.toString(16).padStart(4, '0')}`;
  });
}
