// Finds what a merge that nobody finished leaves in a file.

/**
 * The line, from 1, of the first conflict marker of git, or null. `=======` alone underlines a heading, and what stands in
 * fenced code is about markers: neither counts. `text` has no lone CRs.
 */
export function conflictLine(text: string): number | null {
  if (!text.includes('<<<<<<<') && !text.includes('>>>>>>>')) return null;
  let fence: string | null = null;
  let line = 0;
  for (const content of text.split('\n')) {
    line++;
    if (fence !== null) {
      const closing = /^ {0,3}(`{3,}|~{3,})\s*$/.exec(content)?.[1];
      if (closing !== undefined && closing.startsWith(fence)) fence = null;
      continue;
    }
    if (/^(?:<{7}|>{7})(?:\s|$)/.test(content)) return line;
    // An info string with a backtick makes it inline code.
    fence =
      /^ {0,3}(?:(`{3,})[^`]*|(~{3,}).*)$/
        .exec(content)
        ?.slice(1)
        .find((mark) => mark !== undefined) ?? null;
  }
  return null;
}
