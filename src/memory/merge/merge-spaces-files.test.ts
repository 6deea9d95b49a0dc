import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { findSpace, parseSpaces, type Spaces } from '../spaces-file.ts';
import { mergeSpacesFiles } from './merge-spaces-files.ts';

const space = (name: string, { aliases = [] as string[], remotes = [] as string[], comment = '' } = {}) =>
  `  ${name}:${comment}\n    aliases: [${aliases.join(', ')}]\n    remotes: [${remotes.join(', ')}]\n`;
const file = (...spaces: string[]) => (spaces.length === 0 ? 'spaces: {}\n' : `spaces:\n${spaces.join('')}`);

/** Merges both ways round, and checks that they agree. */
function merge(base: string | null, ours: string | null, theirs: string | null) {
  const merged = mergeSpacesFiles({ base, ours, theirs });
  const turned = mergeSpacesFiles({ base, ours: theirs, theirs: ours });
  expect({
    ...turned,
    ...(!turned.ok && { clashes: turned.clashes.map(({ name, were: [a, b] }) => ({ name, were: [b, a] })) }),
  }).toEqual(merged);
  return merged;
}

function mergeOk(base: string | null, ours: string | null, theirs: string | null): { text: string; spaces: Spaces } {
  const merged = merge(base, ours, theirs);
  if (!merged.ok) throw new Error(JSON.stringify(merged.clashes));
  const parsed = parseSpaces(merged.text ?? '');
  if (!parsed.ok) throw new Error(merged.text ?? '');
  expect(parsed.value.entries.map(({ name }) => name).sort()).toEqual(
    merged.spaces.entries.map(({ name }) => name).sort(),
  );
  return { text: merged.text ?? '', spaces: parsed.value };
}

const entry = ({ spaces }: { spaces: Spaces }, name: string) => spaces.entries.find((each) => each.name === name);

describe('spaces that both sides changed', () => {
  it('are those of both, with the comments of both', () => {
    const base = file(space('m'), space('n'));
    const ours = file(space('a', { comment: ' # ours' }), space('m'), space('n'));
    const theirs = file(space('m'), space('n'), space('z', { comment: ' # theirs' }));
    expect(mergeOk(base, ours, theirs).text).toBe(
      file(space('a', { comment: ' # ours' }), space('m'), space('n'), space('z', { comment: ' # theirs' })),
    );
  });

  it('are those of both where both added one at the same place', () => {
    const base = file(space('m', { comment: ' # stays' }));
    const merged = mergeOk(base, base + space('a'), base + space('b'));
    expect(merged.spaces.entries.map(({ name }) => name).sort()).toEqual(['a', 'b', 'm']);
    expect(merged.text).toContain('# stays');
    expect(mergeOk(file(), file(space('a')), file(space('b'))).spaces.entries).toHaveLength(2);
  });

  it('have the remotes of both, each once however it is written', () => {
    const acme = (...remotes: string[]) => file(space('acme', { remotes }));
    const merged = mergeOk(
      acme('"git@h.org:a/old.git"'),
      acme('"git@h.org:a/old.git"', '"git@h.org:a/b.git"'),
      acme('"https://h.org/a/b"', '"https://h.org/a/c"'),
    );
    expect(entry(merged, 'acme')?.remotes.toSorted()).toEqual(['git@h.org:a/b.git', 'https://h.org/a/c']);
  });

  it('follow a rename of one side, and keep what the other added', () => {
    const merged = mergeOk(
      file(space('acme')),
      file(space('apex', { aliases: ['acme'] })),
      file(space('acme', { remotes: ['"https://h.org/a/b"'] })),
    );
    expect(merged.spaces.entries).toEqual([{ name: 'apex', aliases: ['acme'], remotes: ['https://h.org/a/b'] }]);
  });

  it('have one name where both renamed one, and the other as an alias', () => {
    const merged = mergeOk(
      file(space('acme')),
      file(space('apex', { aliases: ['acme'] })),
      file(space('zenith', { aliases: ['acme'] })),
    );
    expect(merged.spaces.entries.map(({ name }) => name)).toEqual(['apex']);
    expect(findSpace(merged.spaces, 'zenith')).toBe('apex');
    expect(findSpace(merged.spaces, 'acme')).toBe('apex');
  });

  it('lose one that one side removed and the other left alone, and keep one that the other changed', () => {
    const base = file(space('a'), space('b'), space('c'));
    expect(
      mergeOk(
        base,
        file(space('b'), space('c')),
        file(space('a'), space('b'), space('c'), space('d')),
      ).spaces.entries.map(({ name }) => name),
    ).toEqual(['b', 'c', 'd']);
    const changed = file(space('a', { remotes: ['"https://h.org/x/y"'] }), space('b'), space('c'));
    expect(entry(mergeOk(base, file(space('b'), space('c')), changed), 'a')).toBeDefined();
  });

  it('are one where both sides added the same name', () => {
    const merged = mergeOk(file(), file(space('acme', { remotes: ['"https://h.org/x/y"'] })), file(space('ACME')));
    expect(merged.spaces.entries).toHaveLength(1);
  });

  it.each([
    {
      why: 'renamed to one name',
      base: file(space('a'), space('b')),
      ours: file(space('c', { aliases: ['a'] }), space('b')),
      theirs: file(space('a'), space('c', { aliases: ['b'] })),
      were: ['a', 'b'],
    },
    {
      why: 'one new, one renamed to its name',
      base: file(space('b')),
      ours: file(space('b'), space('c')),
      theirs: file(space('c', { aliases: ['b'] })),
      were: [null, 'b'],
    },
  ])('are never made one of two: $why', ({ base, ours, theirs, were }) => {
    expect(merge(base, ours, theirs)).toEqual({ ok: false, clashes: [{ name: 'c', were }] });
  });

  it('are those of the side that can be read', () => {
    expect(merge(file(), file(space('a')), 'spaces: [')).toMatchObject({
      ok: true,
      text: file(space('a')),
      broken: true,
    });
    expect(merge(file(), null, file(space('a')))).toMatchObject({ ok: true, text: file(space('a')), broken: false });
  });
});

describe('merging spaces, whatever they are', () => {
  const spaces = fc
    .uniqueArray(
      fc.record({
        name: fc.constantFrom('a', 'b', 'c'),
        alias: fc.constantFrom('', '1', '2'),
        remotes: fc.subarray(['"https://h.org/x/y"', '"https://h.org/x/z"']),
      }),
      { selector: ({ name }) => name },
    )
    .map((list) =>
      file(
        ...list.map(({ name, alias, remotes }) =>
          space(name, { aliases: alias === '' ? [] : [`${name}${alias}`], remotes }),
        ),
      ),
    );

  it('gives a file that can be read, the same whichever side is ours, and takes the side that alone changed', () => {
    fc.assert(
      fc.property(spaces, spaces, spaces, (base, ours, theirs) => {
        mergeOk(base, ours, theirs);
        expect(mergeOk(base, ours, base).text).toBe(ours);
      }),
      { numRuns: 60 },
    );
  });

  it('keeps every space that was added, and every remote that was', () => {
    fc.assert(
      fc.property(spaces, spaces, (ours, theirs) => {
        const merged = mergeOk(file(), ours, theirs);
        for (const side of [ours, theirs]) {
          const parsed = parseSpaces(side);
          for (const { name, remotes } of parsed.ok ? parsed.value.entries : []) {
            expect(entry(merged, name)?.remotes).toEqual(expect.arrayContaining([...remotes]));
          }
        }
      }),
      { numRuns: 60 },
    );
  });
});
