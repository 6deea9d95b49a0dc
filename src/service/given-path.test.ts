import { resolve, join } from 'node:path';
import { expect, test } from 'vitest';
import { givenPath } from './given-path.ts';

test('a path that somebody gave is one of the memory, as git spells it on this system', () => {
  const root = resolve('memory');
  for (const given of ['personal/Zu\u0308rich.md', join(root, 'personal', 'Zu\u0308rich.md')]) {
    expect(givenPath(root, given, 'darwin')).toBe('personal/Z\u00fcrich.md');
    expect(givenPath(root, given, 'linux')).toBe('personal/Zu\u0308rich.md');
  }
  expect(givenPath(root, './personal/x/../a.md')).toBe('personal/a.md');
  expect(givenPath(root, '../outside.md')).toBe('../outside.md');
});
