// How many of something, in words.

/** `1 file`, `2 files`, `0 files`; `what` is one of them, and takes an `s` for more. */
export function counted(count: number, what: string): string {
  return `${count} ${what}${count === 1 ? '' : 's'}`;
}
