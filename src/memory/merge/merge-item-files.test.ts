import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseItemFile } from '../item-file.ts';
import { makeConflictingItem } from './conflicting-item.ts';
import { mergeItemFiles } from './merge-item-files.ts';

const PATH = 'personal/2026-09/tea.k3v9q2m7.md';
const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
const text = (data: Uint8Array): string => new TextDecoder('utf-8', { ignoreBOM: true }).decode(data);

/** Merges both ways round, checks that they agree, and gives the merged text; throws what could not be merged. */
function merge(base: string | null, ours: string, theirs: string, path = PATH): string {
  const merged = mergeBoth(base, ours, theirs, path);
  if (merged.outcome === 'both') throw new Error(merged.reasons.join('; '));
  return text(merged.bytes);
}

function mergeBoth(base: string | null, ours: string, theirs: string, path = PATH) {
  const versions = { base: base === null ? null : bytes(base), ours: bytes(ours), theirs: bytes(theirs), path };
  const merged = mergeItemFiles(versions);
  expect(mergeItemFiles({ ...versions, ours: versions.theirs, theirs: versions.ours })).toEqual(merged);
  return merged;
}

const file = (keys: string, body = 'Tea is at four.\n') => `---\nid: "k3v9q2m7"\n${keys}---\n${body}`;

describe('an item that both sides edited', () => {
  it('gets the keys of one side and the text of the other', () => {
    expect(merge(file('kind: fact\n'), file('kind: decision\n'), file('kind: fact\n', 'Tea is at five.\n'))).toBe(
      file('kind: decision\n', 'Tea is at five.\n'),
    );
  });

  it('gets the keys that each side added, changed and took out', () => {
    const base = file('kind: plan\nuntil: 2026-10-01\ntopic: "tea"\n');
    const ours = file('kind: plan\nuntil: 2026-11-01\ntopic: "tea"\nowner: Ann\n');
    const theirs = file('kind: plan\nuntil: 2026-10-01\n');
    expect(merge(base, ours, theirs)).toBe(file('kind: plan\nuntil: 2026-11-01\nowner: Ann\n'));
  });

  it('keeps comments, quotes, order and mappings of the user byte for byte', () => {
    const keys = '# mine\nkind:   "fact" # as it was\n\nmap:\n  a: 1\n  # inside\n  b: [x,y]\n# the end\n';
    const ours = file(`until: 2026-10-01\n${keys}`);
    expect(merge(file(keys), ours, file(keys, 'Tea is at five.\n'))).toBe(
      file(`until: 2026-10-01\n${keys}`, 'Tea is at five.\n'),
    );
  });

  it('keeps comments that both sides wrote', () => {
    const merged = merge(file('kind: fact\n'), file('# ours\nkind: fact\n'), file('# theirs\nkind: fact\nx: y\n'));
    expect(merged).toBe(file('# ours\n# theirs\nkind: fact\nx: y\n'));
  });

  it('follows the side that changed the order of the keys', () => {
    const base = file('kind: fact\na: 1\nb: 2\n');
    expect(merge(base, file('b: 2\nkind: fact\na: 1\n'), file('kind: fact\na: 1\nnew: 3\nb: 2\n'))).toBe(
      file('b: 2\nkind: fact\na: 1\nnew: 3\n'),
    );
  });

  it.each([
    {
      key: 'tags',
      base: 'tags: a, b\n',
      ours: 'tags: [a, b, d]\n',
      theirs: 'tags: [b, c]\n',
      merged: 'tags: [b, c, d]\n',
    },
    {
      key: 'supersedes',
      base: '',
      ours: 'supersedes: "aaaaaaaa"\n',
      theirs: 'supersedes: "bbbbbbbb"\n',
      merged: 'supersedes: ["aaaaaaaa", "bbbbbbbb"]\n',
    },
    {
      key: 'supersedes, taken out on one side',
      base: 'supersedes: ["aaaaaaaa", "bbbbbbbb"]\n',
      ours: 'supersedes: ["bbbbbbbb"]\n',
      theirs: 'supersedes: ["aaaaaaaa", "bbbbbbbb", "cccccccc"]\n',
      merged: 'supersedes: ["bbbbbbbb", "cccccccc"]\n',
    },
    {
      key: 'supersedes, taken out on both',
      base: 'supersedes: ["aaaaaaaa", "bbbbbbbb"]\n',
      ours: 'supersedes: "aaaaaaaa"\n',
      theirs: 'supersedes: "bbbbbbbb"\n',
      merged: '',
    },
    {
      key: "a user's list",
      base: 'x: [a]\n',
      ours: 'x:\n  - a\n  - b\n',
      theirs: 'x: [a, c]\n',
      merged: 'x: [a, b, c]\n',
    },
  ])('merges $key as a set', ({ base, ours, theirs, merged }) => {
    expect(merge(file(base), file(ours), file(theirs))).toBe(file(merged));
  });

  it('takes the later of two dates that an editor stamps on each save', () => {
    const stamp = (at: string) => file(`modified: ${at}\n`);
    expect(merge(stamp('2026-09-01 10:00'), stamp('2026-09-03 10:00'), stamp('2026-09-02T23:00:00Z'))).toBe(
      stamp('2026-09-03 10:00'),
    );
  });

  it('keeps a key that one side changed and the other took out', () => {
    expect(merge(file('x: 1\n'), file('x: 2\n'), file('y: 3\n'))).toBe(file('y: 3\nx: 2\n'));
  });

  it.each([
    { review: ['waiting', 'unseen'], merged: 'waiting' },
    { review: ['', 'unseen'], merged: 'unseen' },
    { review: ['', 'waiting'], merged: 'waiting' },
  ])('holds back what one side holds back: $review', ({ review: [ours, theirs], merged }) => {
    const at = (value = '') => file(value === '' ? 'kind: fact\n' : `review: ${value}\nkind: fact\n`);
    expect(merge(file('review: "x"\nkind: fact\n'), at(ours), at(theirs))).toBe(at(merged));
  });

  it('merges the form of the file apart from what it says', () => {
    const base = file('kind: fact\n');
    const crlf = `\uFEFF${base.replaceAll('\n', '\r\n')}`;
    expect(merge(base, crlf, file('kind: fact\n', 'Tea is at five.\n'))).toBe(
      `\uFEFF${file('kind: fact\n', 'Tea is at five.\n').replaceAll('\n', '\r\n')}`,
    );
  });

  it('counts a side whose editor dropped the frontmatter as having left it alone', () => {
    expect(merge(file('kind: plan\n'), 'Tea is at five.\n', file('kind: decision\n'))).toBe(
      file('kind: decision\n', 'Tea is at five.\n'),
    );
  });

  it('keeps the keys that say where it is with the folder, whoever moved it', () => {
    const path = 'spaces/acme/tea.k3v9q2m7.md';
    expect(merge(file(''), file('space: acme\n'), file('space: personal\n', 'Tea is at five.\n'), path)).toBe(
      file('space: acme\n', 'Tea is at five.\n'),
    );
  });
});

describe('a file that both sides made', () => {
  const adopted = (created: string, source = 'hand') =>
    `---\nid: "k3v9q2m7"\nsource: ${source}\ncreated: "${created}"\n---\nTea is at four.\n`;

  it('is one item, with the earlier date, when both adopted it', () => {
    const merged = merge(null, adopted('2026-09-15T10:00:00Z'), adopted('2026-09-14T10:00:00Z'));
    expect(merged).toBe(adopted('2026-09-14T10:00:00Z'));
    expect(merge('Tea is at four.\n', adopted('2026-09-15T10:00:00Z'), adopted('2026-09-14T10:00:00Z'))).toBe(merged);
  });

  it('is adopted when only one side did', () => {
    expect(merge(null, adopted('2026-09-15T10:00:00Z'), 'Tea is at four.\n')).toBe(adopted('2026-09-15T10:00:00Z'));
  });

  it('names who stored it, where one side only knows that it was a hand', () => {
    const at = '2026-09-14T10:00:00Z';
    expect(merge(null, adopted(at), adopted(at, 'Codex'))).toBe(adopted(at, 'Codex'));
  });
});

describe('what cannot be merged', () => {
  it.each([
    {
      why: 'the text',
      base: file(''),
      ours: file('', 'At five.\n'),
      theirs: file('', 'At six.\n'),
      says: 'same lines',
    },
    {
      why: 'the kind',
      base: file('kind: fact\n'),
      ours: file('kind: plan\n'),
      theirs: file('kind: decision\n'),
      says: '`kind`',
    },
    {
      why: 'a day',
      base: file(''),
      ours: file('until: 2026-10-01\n'),
      theirs: file('until: 2026-10-02\n'),
      says: '`until`',
    },
    { why: "a user's key", base: file('x: 1\n'), ours: file('x: 2\n'), theirs: file('x: 3\n'), says: '`x`' },
    {
      why: 'a mapping',
      base: file('x: {a: 1}\n'),
      ours: file('x: {a: 2}\n'),
      theirs: file('x: {a: 3}\n'),
      says: '`x`',
    },
    {
      why: 'an end that one side took out',
      base: file('until: 2026-10-01\n'),
      ours: file('kind: fact\n'),
      theirs: file('until: 2026-10-02\n'),
      says: '`until`',
    },
  ])('keeps both versions whole: $why', ({ base, ours, theirs, says }) => {
    const merged = mergeBoth(base, ours, theirs);
    if (merged.outcome === 'merged') throw new Error(text(merged.bytes));
    expect(merged.reasons).toEqual([expect.stringContaining(says)]);
    expect([text(merged.first), text(merged.second)].sort()).toEqual([ours, theirs].sort());
  });

  it('never lets a version that is no item stand for the item', () => {
    const broken = '---\nid: "k3v9q2m7"\nkind: [\n---\nAaa.\n';
    const merged = mergeBoth(file(''), file('', 'Zzz.\n'), broken);
    expect(merged).toMatchObject({ outcome: 'both', first: bytes(file('', 'Zzz.\n')), second: bytes(broken) });
  });

  it('never merges to a file that is no item', () => {
    const emptied = mergeBoth('One.\n\nTwo.\n', 'One.\n\n', '\nTwo.\n', 'personal/x.md');
    expect(emptied.outcome).toBe('both');
  });

  it('never leaves a marker', () => {
    const versions = fc.constantFrom(
      file(''),
      file('', 'At five.\n'),
      file('kind: plan\n'),
      file('kind: fact\n', 'Six.\n'),
    );
    fc.assert(
      fc.property(fc.option(versions), versions, versions, (base, ours, theirs) => {
        const merged = mergeBoth(base, ours, theirs);
        const all = merged.outcome === 'merged' ? [merged.bytes] : [merged.first, merged.second];
        for (const each of all) expect(text(each)).not.toMatch(/^(<{7}|={7}|>{7})/m);
      }),
    );
  });

  it('takes anchors that would point elsewhere for a conflict, not for a value', () => {
    const merged = mergeBoth(
      file('a: &x one\nb: two\nc: three\n'),
      file('a: &x one\nb: two\nc: *x\n'),
      file('a: one\nb: two\nc: three\n'),
    );
    expect(merged.outcome).toBe('both');
  });
});

describe('the version that lost its place', () => {
  const item = (content: string) => {
    const parsed = parseItemFile({ path: PATH, bytes: bytes(content), modified: new Date(0) });
    if (!parsed.ok) throw new Error('no item');
    return parsed.value.item;
  };

  it('becomes an item of its own that names the other, in the same folder', () => {
    const stays = item(file('created: "2026-09-14T10:00:00Z"\n', 'At five.\n'));
    const made = makeConflictingItem({
      bytes: bytes(file('kind: plan\n', 'Tea is at six.\n')),
      path: PATH,
      item: stays,
    });
    expect(made?.path).toBe(`personal/2026-09/tea-is-at-six.${made?.id}.md`);
    expect(text(made?.bytes ?? bytes(''))).toBe(
      `---\nid: "${made?.id}"\nkind: plan\nsource: hand\ncreated: "2026-09-14T10:00:00Z"\nconflicts_with: "k3v9q2m7"\n---\nTea is at six.\n`,
    );
    expect(item(text(made?.bytes ?? bytes('')))).toMatchObject({ id: made?.id, conflictsWith: ['k3v9q2m7'] });
  });

  it('is the same on every machine, another for another version, and never the item itself', () => {
    const stays = item(file(''));
    const make = (body: string) => makeConflictingItem({ bytes: bytes(file('', body)), path: PATH, item: stays });
    expect(make('At six.\n')).toEqual(make('At six.\n'));
    expect(make('At six.\n')?.id).not.toBe(make('At seven.\n')?.id);
    expect(make('Tea is at four.\n')?.id).not.toBe(stays.id);
  });

  it('has back the keys that an editor dropped, links above all', () => {
    const stays = item(file('kind: plan\nsupersedes: "aaaaaaaa"\n', 'At five.\n'));
    const made = makeConflictingItem({ bytes: bytes('At six.\n'), path: PATH, item: stays });
    expect(item(text(made?.bytes ?? bytes('')))).toMatchObject({ kind: 'plan', supersedes: ['aaaaaaaa'] });
  });

  it('is none where it is no item', () => {
    expect(
      makeConflictingItem({ bytes: bytes('---\nkind: [\n---\nx\n'), path: PATH, item: item(file('')) }),
    ).toBeNull();
  });
});

describe('merging items, whatever they hold', () => {
  const keys = fc
    .record({
      kind: fc.constantFrom('', 'kind: plan\n', 'kind: decision\n'),
      tags: fc.constantFrom('', 'tags: a\n', 'tags: [a, b]\n', 'tags:\n  - c\n  - b\n'),
      links: fc.constantFrom('', 'supersedes: "aaaaaaaa"\n', 'supersedes: ["aaaaaaaa", "bbbbbbbb"]\n'),
      own: fc.constantFrom('', '# mine\nx: 1\n', 'x: 2 # yes\n', 'x:\n  y: 1\n'),
    })
    .map(({ kind, tags, links, own }) => kind + tags + links + own);
  const body = fc.array(fc.constantFrom('One.', 'Two.', 'Three.', 'Four.', ''), { minLength: 1, maxLength: 6 });
  const item = fc.tuple(keys, body).map(([k, lines]) => file(k, `Always.\n${lines.join('\n')}\n`));

  it('gives the same whichever side is ours, and takes the side that alone changed byte for byte', () => {
    fc.assert(
      fc.property(fc.option(item), item, item, (base, ours, theirs) => {
        mergeBoth(base, ours, theirs);
        expect(merge(base, ours, base ?? ours)).toBe(ours);
        expect(merge(base, ours, ours)).toBe(ours);
      }),
    );
  });

  it('is done once: merging a side again into what came out changes nothing', () => {
    fc.assert(
      fc.property(item, item, item, (base, ours, theirs) => {
        const merged = mergeBoth(base, ours, theirs);
        if (merged.outcome === 'both') return;
        const again = mergeBoth(base, text(merged.bytes), theirs);
        expect(again.outcome === 'merged' && text(again.bytes)).toBe(text(merged.bytes));
      }),
    );
  });

  it('is an item that has every link either side has, unless one took it out', () => {
    const read = (content: string) => {
      const parsed = parseItemFile({ path: PATH, bytes: bytes(content), modified: new Date(0) });
      return parsed.ok ? parsed.value.item : null;
    };
    fc.assert(
      fc.property(item, item, item, (base, ours, theirs) => {
        const merged = mergeBoth(base, ours, theirs);
        if (merged.outcome === 'both') return;
        const [b, o, t, m] = [base, ours, theirs, text(merged.bytes)].map(read);
        const everyone = new Set([...(o?.supersedes ?? []), ...(t?.supersedes ?? [])]);
        for (const link of everyone) {
          const wasTakenOut =
            b?.supersedes.includes(link) && !(o?.supersedes.includes(link) && t?.supersedes.includes(link));
          expect(m?.supersedes.includes(link)).toBe(!wasTakenOut);
        }
      }),
    );
  });
});
