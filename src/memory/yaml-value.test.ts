import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';

import { yamlValue } from './yaml-value.ts';

describe('yamlValue', () => {
  test.each([
    ['source', 'Claude Code', 'Claude Code'],
    ['id', 'k3v9q2m7', '"k3v9q2m7"'],
    ['created', '2026-09-15T10:31:04Z', '"2026-09-15T10:31:04Z"'],
    ['until', '2026-06-30', '2026-06-30'],
    ['source', '2026-06-30', '"2026-06-30"'],
    ['target', 'https://example.com/a?b=c&d', 'https://example.com/a?b=c&d'],
    ['space', 'счёт', 'счёт'],
    ['space', 'null', '"null"'],
    ['space', 'No', '"No"'],
    ['space', '1e5', '"1e5"'],
    ['space', '', '""'],
    ['source', 'a: b', '"a: b"'],
    ['source', 'a #b', '"a #b"'],
    ['source', 'say "hi"', '"say \\"hi\\""'],
    ['source', 'a\u2028b\u202e', '"a\\u2028b\\u202e"'],
    ['source', 'trailing ', '"trailing "'],
    ['source', 'colon:', '"colon:"'],
    ['tags', ['auth', 'a, b'], '[auth, "a, b"]'],
    ['supersedes', ['k3v9q2m7', 'h7wq2c9d'], '["k3v9q2m7", "h7wq2c9d"]'],
    ['tags', [], '[]'],
  ])('%s %j is written %s', (key, value, yaml) => expect(yamlValue(key, value)).toBe(yaml));

  test('comes back as the same text, for readers of YAML 1.2 and 1.1, alone or in a list', () => {
    const word = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc
        .array(fc.constantFrom('a', 'E', '1', ' ', ':', '#', '-', '/', ',', '[', '"', '\n', '~', 'no', '.'))
        .map((c) => c.join('')),
    );
    fc.assert(
      fc.property(word, fc.constantFrom('source', 'id', 'until'), (text, key) => {
        fc.pre(!/^\d{4}-\d{2}-\d{2}$/.test(text));
        for (const version of ['1.1', '1.2'] as const) {
          expect(parse(`k: ${yamlValue(key, text)}\nl: 1\n`, { version })).toEqual({ k: text, l: 1 });
          expect(parse(`k: ${yamlValue(key, [text, 'b'])}\n`, { version })).toEqual({ k: [text, 'b'] });
          expect(parse(`{ k: ${yamlValue(key, text, true)}, l: 1 }`, { version })).toEqual({ k: text, l: 1 });
        }
      }),
      { numRuns: 2_000 },
    );
  });
});
