import { describe, expect, it } from 'vitest';
import { mergeSettingsFiles } from './merge-settings-files.ts';

function merge(base: string | null, ours: string | null, theirs: string | null) {
  const merged = mergeSettingsFiles({ base, ours, theirs });
  expect(mergeSettingsFiles({ base, ours: theirs, theirs: ours })).toEqual(merged);
  return merged;
}

const BASE = '# shared\nversion: 1\nx: y\n';

describe('settings that both sides changed', () => {
  it('are those of both, with the comments of both', () => {
    expect(merge(BASE, `deliveries:\n  keep: 3m # ours\n${BASE}`, `${BASE}# theirs\ncommit: { hand: off }\n`)).toEqual({
      text: `deliveries:\n  keep: 3m # ours\n${BASE}# theirs\ncommit: { hand: off }\n`,
      disputed: [],
      broken: false,
    });
  });

  it('are those of both where both added one at the same place, known to stet or not', () => {
    const merged = merge(
      BASE,
      `${BASE}commit: { hand: off }\n`,
      `${BASE}commit: { quiet: 9s }\nlater: { a: [1, 2] }\n`,
    );
    expect(merged.text).toContain('# shared');
    expect(merged.text).toMatch(/hand: off/);
    expect(merged.text).toMatch(/quiet: 9s/);
    expect(merged.text).toMatch(/later/);
    expect(merged.disputed).toEqual([]);
  });

  it('lose one that one side took out', () => {
    const merged = merge(
      `${BASE}commit: { hand: off }\n`,
      `${BASE}later: 1\n`,
      `${BASE}commit: { hand: off }\nnew: 2\n`,
    );
    expect(merged.text).not.toContain('hand');
    expect(merged.text).toMatch(/later: 1/);
    expect(merged.text).toMatch(/new: 2/);
  });

  it.each(['instructions', 'personal'])('ask for a review of %s if one side does', (what) => {
    const merged = merge(
      `${what}: { review: off }
`,
      `${what}: { review: on }\n`,
      `${what}: { review: no }\n`,
    );
    expect(merged.text).toBe(`${what}: { review: on }\n`);
  });

  it('are one of two values that disagree, and say which', () => {
    const merged = merge('commit: { quiet: 5s }\n', 'commit: { quiet: 9s }\n', 'commit: { quiet: 7s }\n');
    expect(merged).toEqual({
      text: 'commit: { quiet: 7s }\n',
      disputed: [{ name: 'commit.quiet', kept: '7s', dropped: '9s' }],
      broken: false,
    });
  });

  it('are those of the side that can be read', () => {
    expect(merge(BASE, 'commit: { quiet: soon }\n', `${BASE}z: 1\n`)).toMatchObject({
      text: `${BASE}z: 1\n`,
      broken: true,
    });
    expect(merge(BASE, null, `${BASE}z: 1\n`)).toMatchObject({ text: `${BASE}z: 1\n`, broken: false });
  });
});
