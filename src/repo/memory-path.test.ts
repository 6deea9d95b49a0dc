import { describe, expect, it } from 'vitest';
import { checkMemoryPath, composeName } from './memory-path.ts';

describe('a path within the memory', () => {
  it.each([
    ['personal/2026-09/tea.k3v9q2m7.md', 'linux'],
    ['personal/2026-09/tea.k3v9q2m7.md', 'win32'],
    ['spaces/東京/a.md', 'darwin'],
    // A file of another system: git tells there that it cannot be checked out.
    ['personal/CON.md', 'win32'],
    ['personal/back\\slash.md', 'linux'],
    ['personal/at 10:30.md', 'darwin'],
    ['personal/gitignore.md', 'win32'],
    ['personal/git~2/a.md', 'win32'],
  ] as const)('may be %j on %s', (path, platform) => {
    expect(() => checkMemoryPath(path, platform)).not.toThrow();
  });

  it.each([
    ['/etc/passwd', 'linux', 'no plain relative path'],
    ['personal/../../x', 'linux', 'no plain relative path'],
    ['personal//a.md', 'linux', 'no plain relative path'],
    ['./a.md', 'linux', 'no plain relative path'],
    ['', 'linux', 'no plain relative path'],
    ['personal/a\0.md', 'linux', 'NUL'],
    ['personal\\..\\..\\x', 'win32', 'backslash'],
    ['C:\\x', 'win32', 'backslash or a colon'],
    ['personal/a.md:stream', 'win32', 'colon'],
    ['.git/config', 'linux', '`.git`'],
    ['spaces/.GIT/hooks/x', 'linux', '`.git`'],
    ['.git./config', 'linux', '`.git`'],
    ['.git /config', 'linux', '`.git`'],
    ['GIT~1/config', 'linux', '`.git`'],
    ['.g\u200cit/config', 'linux', '`.git`'],
    ['.git::$INDEX_ALLOCATION/config', 'linux', '`.git`'],
  ] as const)('may not be %j on %s', (path, platform, reason) => {
    expect(() => checkMemoryPath(path, platform)).toThrow(reason);
  });
});

it('is composed where a name may come in both forms', () => {
  expect(composeName('Zu\u0308rich', 'darwin')).toBe('Z\u00fcrich');
  expect(composeName('Zu\u0308rich', 'linux')).toBe('Zu\u0308rich');
  expect(composeName('Zu\u0308rich', 'win32')).toBe('Zu\u0308rich');
});
