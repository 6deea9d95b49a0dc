import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { headsOf, resolveSupersession, type Link } from './supersession.ts';

const link = (from: string, ...to: string[]): Link => ({ from, to });

describe('supersession', () => {
  it('is derived from the newer item', () => {
    const supersession = resolveSupersession([link('b', 'a')]);
    expect(supersession.by('a')).toEqual(['b']);
    expect(supersession.by('b')).toEqual([]);
  });

  it('follows a chain to its head, and forks to both', () => {
    const chain = resolveSupersession([link('b', 'a'), link('c', 'b')]);
    expect(headsOf(chain, 'a')).toEqual(['c']);
    expect(headsOf(chain, 'c')).toEqual(['c']);
    const fork = resolveSupersession([link('c', 'a'), link('b', 'a')]);
    expect(headsOf(fork, 'a')).toEqual(['b', 'c']);
  });

  it('ignores an item that supersedes itself', () => {
    const supersession = resolveSupersession([link('a', 'a')]);
    expect(supersession.by('a')).toEqual([]);
    expect(supersession.cyclic).toEqual(['a']);
  });

  it('of an id that nobody has changes nothing else', () => {
    const supersession = resolveSupersession([link('b', 'nobody', 'a')]);
    expect(supersession.by('a')).toEqual(['b']);
    expect(headsOf(supersession, 'nobody')).toEqual(['b']);
    expect(supersession.cyclic).toEqual([]);
  });

  it('ignores and flags the links of a cycle, and keeps the others', () => {
    const supersession = resolveSupersession([link('a', 'b'), link('b', 'c', 'old'), link('c', 'a')]);
    expect(supersession.cyclic).toEqual(['a', 'b', 'c']);
    for (const id of ['a', 'b', 'c']) expect(supersession.by(id)).toEqual([]);
    expect(supersession.by('old')).toEqual(['b']);
  });

  it('walks a chain of 20,000 without running out of stack', () => {
    const links = Array.from({ length: 20_000 }, (_, n) => link(`i${n + 1}`, `i${n}`));
    expect(headsOf(resolveSupersession(links), 'i0')).toEqual(['i20000']);
  });

  it('never leaves a set of items without one that nothing supersedes', () => {
    const id = fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f');
    fc.assert(
      fc.property(fc.array(fc.record({ from: id, to: fc.array(id, { maxLength: 3 }) }), { maxLength: 12 }), (links) => {
        const supersession = resolveSupersession(links);
        for (const start of ['a', 'b', 'c', 'd', 'e', 'f']) expect(headsOf(supersession, start)).not.toEqual([]);
      }),
    );
  });

  it('agrees with the obvious definition: a link counts unless its source can be reached from its target', () => {
    const id = fc.constantFrom<string[]>('a', 'b', 'c', 'd', 'e');
    fc.assert(
      fc.property(fc.array(fc.record({ from: id, to: fc.array(id, { maxLength: 3 }) }), { maxLength: 10 }), (links) => {
        const reaches = (start: string, goal: string): boolean => {
          const seen = new Set<string>();
          const stack: string[] = [start];
          for (let node = stack.pop(); node !== undefined; node = stack.pop()) {
            if (node === goal) return true;
            if (seen.has(node)) continue;
            seen.add(node);
            for (const each of links) if (each.from === node) stack.push(...each.to);
          }
          return false;
        };
        const supersession = resolveSupersession(links);
        for (const target of ['a', 'b', 'c', 'd', 'e']) {
          const expected = new Set(
            links.filter((each) => each.to.includes(target) && !reaches(target, each.from)).map((each) => each.from),
          );
          expect(supersession.by(target)).toEqual([...expected].sort());
        }
      }),
    );
  });
});
