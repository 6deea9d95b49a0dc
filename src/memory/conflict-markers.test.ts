import { expect, test } from 'vitest';

import { conflictLine } from './conflict-markers.ts';

const ours = '<'.repeat(7);
const theirs = '>'.repeat(7);

test.each([
  ['a conflict', `a\n${ours} HEAD\nb\n=======\nc\n${theirs} x\n`, 2],
  ['a conflict without labels', `${ours}\nb\n=======\nc\n${theirs}`, 1],
  ['a conflict with CRLF', `a\r\n${ours} HEAD\r\nb\r\n`, 2],
  ['its end alone', `a\n${theirs} x\n`, 2],
  ['a conflict behind a code block', `\`\`\`\na\n\`\`\`\n${ours} HEAD\n`, 4],
  ['a conflict that tears a fence', `${ours} HEAD\n\`\`\`\n=======\n~~~\n${theirs} x\n`, 1],
  ['a fence too short to close', `~~~~\n~~~\n${ours} HEAD\n~~~~\n${theirs} x`, 5],
  ['inline code that looks like a fence', `\`\`\`a\`\`\`\n${ours} HEAD\n`, 2],
])('finds %s', (_, text, line) => expect(conflictLine(text)).toBe(line));

test.each([
  ['an underlined heading', 'Title\n=======\n\ntext'],
  ['markers in a code block', `~~~ diff\n${ours} HEAD\n=======\n${theirs} x\n~~~\n`],
  ['markers in a code block of backticks', `text\n\n  \`\`\`\`sh\n${ours} HEAD\n\`\`\`\n${theirs} x\n\`\`\`\`\n`],
  ['markers inside a line', `git writes ${ours} HEAD and ${theirs} x`],
  ['indented markers', `    ${ours} HEAD\n`],
  ['eight arrows', `${ours}< HEAD\n`],
  ['a word behind the arrows', `${ours}HEAD\n`],
])('leaves alone %s', (_, text) => expect(conflictLine(text)).toBeNull());
