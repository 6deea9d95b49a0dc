import { describe, expect, it } from 'vitest';
import { displayWidth } from './display-width.ts';
import { layOut, type Column } from './table.ts';

const STATEMENT = { title: 'Statement', flexible: 'cut' } as const;
const COLUMNS: readonly Column[] = [{ title: 'Id' }, { title: 'Items', align: 'right', yields: 1 }, STATEMENT];

describe('a table', () => {
  const rows = [
    ['k3v9q2m7', '1', 'Acme signs users in with Auth0.'],
    ['h7wq2c9d', '12', '東京オフィスは九時に開きます。'],
  ];

  it('is as wide as what is in it, without blanks at the end of a line', () => {
    expect(layOut(COLUMNS, rows, null)).toEqual([
      'Id        Items  Statement',
      'k3v9q2m7      1  Acme signs users in with Auth0.',
      'h7wq2c9d     12  東京オフィスは九時に開きます。',
    ]);
  });

  it('cuts the flexible column to the terminal, by the columns that characters take', () => {
    expect(layOut(COLUMNS, rows, 42)).toEqual([
      'Id        Items  Statement',
      'k3v9q2m7      1  Acme signs users in with…',
      'h7wq2c9d     12  東京オフィスは九時に開き…',
    ]);
  });

  it('goes on in the next line where nothing shall be lost', () => {
    expect(
      layOut(
        [{ title: 'Id' }, { title: 'Statement', flexible: 'wrap' }],
        rows.map(([id, , text]) => [id ?? '', text ?? '']),
        34,
      ),
    ).toEqual([
      'Id        Statement',
      'k3v9q2m7  Acme signs users in with',
      '          Auth0.',
      'h7wq2c9d  東京オフィスは九時に開き',
      '          ます。',
    ]);
  });

  it('leaves columns out before the flexible one cannot be read', () => {
    expect(layOut(COLUMNS, rows, 34)).toEqual([
      'Id        Statement',
      'k3v9q2m7  Acme signs users in wit…',
      'h7wq2c9d  東京オフィスは九時に開…',
    ]);
  });

  it('leaves a column out that has nothing to say', () => {
    expect(layOut(COLUMNS, [['k3v9q2m7', '', 'Tea is at four.']], 80)).toEqual([
      'Id        Statement',
      'k3v9q2m7  Tea is at four.',
    ]);
    expect(layOut(COLUMNS, [], 80)).toEqual(['Id  Items  Statement']);
  });

  it.each([40, 30, 20, 16])('fits into %i columns, whatever is in it', (width) => {
    const wide = [['k3v9q2m7', '1234567', 'Acme signs users in with Auth0.', 'a-space-with-a-long-name-of-its-own']];
    for (const line of layOut([...COLUMNS, { title: 'Space' }], [...wide, ...rows], width)) {
      expect(displayWidth(line)).toBeLessThanOrEqual(width);
    }
  });
});
