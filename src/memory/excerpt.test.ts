import { expect, test } from 'vitest';

import { excerpt } from './excerpt.ts';

test('is the text itself where that is short and tame', () => {
  expect(excerpt('next friday')).toBe('next friday');
  expect(excerpt('x'.repeat(60))).toBe('x'.repeat(60));
});

test('cuts, never inside a character', () => {
  expect(excerpt('x'.repeat(61))).toBe(`${'x'.repeat(59)}…`);
  expect(excerpt(`${'x'.repeat(58)}🎉🎉`)).toBe(`${'x'.repeat(58)}…`);
});

test('neither line ends nor escapes nor bidi marks get through', () => {
  expect(excerpt('a\nb\u001b[31m\u202ec\u2028d')).toBe('a?b?[31m?c?d');
});
