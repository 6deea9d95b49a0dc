// Text from a file inside a message of stet's. Invariant: one short line that can neither steer a terminal nor look like
// something else.

/** `text` in one line of at most `limit` characters (UTF-16 units, `…` included); control and format characters become `?`. */
export function excerpt(text: string, limit = 60): string {
  const line = text.slice(0, limit + 1).replace(/[\p{C}\p{Zl}\p{Zp}]/gu, '?');
  return text.length <= limit ? line : `${line.slice(0, limit - 1).replace(/\p{Cs}$/u, '')}…`;
}
