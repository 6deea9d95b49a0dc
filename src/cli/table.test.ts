import { describe, expect, it } from 'vitest';
import { cut, displayWidth, layOut } from './table.ts';

const COLUMNS = [{ title: 'Id' }, { title: 'Items', align: 'right' }, { title: 'Statement', flexible: true }] as const;

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
    const lines = layOut(COLUMNS, rows, 34);
    expect(lines).toEqual([
      'Id        Items  Statement',
      'k3v9q2m7      1  Acme signs users…',
      'h7wq2c9d     12  東京オフィスは九…',
    ]);
    for (const line of lines) expect(displayWidth(line)).toBeLessThanOrEqual(34);
  });

  it('keeps ten columns of it however narrow the terminal is', () => {
    expect(layOut(COLUMNS, rows, 5)[1]).toBe('k3v9q2m7      1  Acme sign…');
  });
});

it('counts what a terminal shows, not code units', () => {
  expect(displayWidth('é')).toBe(1);
  expect(displayWidth('e\u0301')).toBe(1);
  expect(displayWidth('東京')).toBe(4);
  expect(displayWidth('👩‍👩‍👧')).toBe(2);
  expect(cut('👩‍👩‍👧👩‍👩‍👧', 3)).toBe('👩‍👩‍👧…');
});
