import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { markConflicts, mergeText } from './merge-text.ts';

describe('texts of two sides', () => {
  it('merge although an editor changed every line end on one of them', () => {
    expect(mergeText('a\nb\nc\n', 'a\r\nb\r\nc\r\n', 'a\nb\nx\n')).toBe('a\r\nb\r\nx\r\n');
    expect(mergeText('a\r\nb\r\nc\r\n', 'a\nb\nc\n', 'x\r\nb\r\nc\r\n')).toBe('x\nb\nc\n');
  });

  it('keep line ends that are mixed, byte for byte', () => {
    expect(mergeText('a\r\nb\nc\nd\n', 'a\r\nb\nc\nx\n', 'y\r\nb\nc\nd\n')).toBe('y\r\nb\nc\nx\n');
  });

  it('keep, add and drop a byte order mark as one side did', () => {
    expect(mergeText('\uFEFFa\nb\nc\n', '\uFEFFa\nb\nx\n', '\uFEFFy\nb\nc\n')).toBe('\uFEFFy\nb\nx\n');
    expect(mergeText('a\nb\nc\n', '\uFEFFa\nb\nc\n', 'a\nb\nx\n')).toBe('\uFEFFa\nb\nx\n');
    expect(mergeText('\uFEFFa\nb\nc\n', 'a\nb\nc\n', '\uFEFFa\nb\nx\n')).toBe('a\nb\nx\n');
  });

  it('close the last line if one side closed it', () => {
    expect(mergeText('a\nb\nc', 'a\nb\nc\n', 'x\nb\nc')).toBe('x\nb\nc\n');
    expect(mergeText('a\nb\nc\n', 'a\nb\nc', 'x\nb\nc\n')).toBe('x\nb\nc');
  });

  it('made on both sides merge only if they say the same', () => {
    expect(mergeText(null, 'a\n', 'a\r\n')).toBe('a\n');
    expect(mergeText(null, 'a\n', 'b\n')).toBeNull();
  });

  it('do not merge where both changed a line', () => {
    expect(mergeText('a\n', 'b\n', 'c\n')).toBeNull();
  });
});

describe('merging texts, whatever they are', () => {
  const text = fc
    .tuple(
      fc.boolean(),
      fc.constantFrom('\n', '\r\n'),
      fc.array(fc.constantFrom('a', 'b', 'c', ''), { maxLength: 8 }),
      fc.boolean(),
    )
    .map(
      ([mark, end, lines, closed]) =>
        (mark ? '\uFEFF' : '') + lines.join(end) + (closed && lines.length > 0 ? end : ''),
    );

  it('gives the same whichever side is ours, also where the base has no line end', () => {
    expect(mergeText('', 'a\n', 'a\r\n')).toBe(mergeText('', 'a\r\n', 'a\n'));
  });

  it('gives the same whichever side is ours', () => {
    fc.assert(
      fc.property(fc.option(text), text, text, (base, ours, theirs) => {
        expect(mergeText(base, ours, theirs)).toBe(mergeText(base, theirs, ours));
      }),
    );
  });

  it('takes the side that alone changed, byte for byte', () => {
    fc.assert(
      fc.property(text, text, (base, ours) => {
        expect(mergeText(base, ours, base)).toBe(ours);
        expect(mergeText(base, ours, ours)).toBe(ours);
      }),
    );
  });
});

describe('what git asks the user about', () => {
  it('stands between marker lines, the rest merged', () => {
    expect(markConflicts('a\nb\nc\nd\n', 'a\nx\nc\nD\n', 'a\ny\nc\nd\n', { ours: 'HEAD', theirs: 'main' })).toBe(
      'a\n<<<<<<< HEAD\nx\n=======\ny\n>>>>>>> main\nc\nD\n',
    );
  });

  it('is the whole text where it cannot be compared', () => {
    const many = (line: string) => `${line}\n`.repeat(20_000);
    const text = markConflicts(many(''), `x\n${many('')}`, `y\n${many('')}`, { ours: 'o', theirs: 't' });
    expect(text.startsWith('<<<<<<< o\nx\n=======\ny\n>>>>>>> t\n')).toBe(true);
    expect(markConflicts(null, 'a\n', 'b\n', { ours: 'o', theirs: 't' })).toBe('<<<<<<< o\na\n=======\nb\n>>>>>>> t\n');
  });
});
