import { expect, test } from 'vitest';
import { parseExport } from './export-line.ts';

const version = {
  type: 'version',
  commit: 'c0ffee',
  time: '2026-09-15T10:31:04Z',
  author: 'Ann',
  subject: 'init: x',
  path: 'personal/Zu\u0308rich.md',
  content: 'Trams.\n',
};

function parse(text: string, platform: NodeJS.Platform) {
  return parseExport('memory.jsonl', Buffer.from(text), platform);
}

test('paths come as git spells them: composed on macOS, as they stand elsewhere', () => {
  const item = { type: 'item', path: version.path, id: '', content: 'Trams.\n' };
  const text = `${JSON.stringify(version)}\n${JSON.stringify(item)}\n`;
  for (const [platform, path] of [
    ['darwin', 'personal/Z\u00fcrich.md'],
    ['linux', 'personal/Zu\u0308rich.md'],
  ] as const) {
    const { commits, files } = parse(text, platform);
    expect(files.map((file) => file.path)).toEqual([path]);
    expect([...(commits[0]?.files.keys() ?? [])]).toEqual([path]);
    expect(commits[0]?.lines.get(path)).toBe(1);
  }
  const both = `${JSON.stringify(version)}\n${JSON.stringify({ ...version, path: 'personal/Z\u00fcrich.md' })}\n`;
  expect(() => parse(both, 'darwin')).toThrow('memory.jsonl:2: the commit c0ffee has "personal/Zürich.md" twice');
  expect(parse(both, 'linux').commits[0]?.files.size).toBe(2);
});

test('lines of blanks are passed over, and counted', () => {
  const { files } = parse('\n \t\r\n{"type":"item","path":"personal/a.md","id":"","content":"A."}\r\n  \n', 'linux');
  expect(files).toMatchObject([{ line: 3, path: 'personal/a.md' }]);
  expect(() => parse('\n \u00a0\n', 'linux')).toThrow('memory.jsonl:2: this is no line of an export');
});
