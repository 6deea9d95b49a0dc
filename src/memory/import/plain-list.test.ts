import { describe, expect, it } from 'vitest';
import { readPlainList } from './plain-list.ts';
import type { ReadMemory } from './imported-statement.ts';

const texts = ({ statements }: ReadMemory) => statements.map(({ text }) => text);

describe('a plain list', () => {
  it('is a statement a line, whatever its bullets', () => {
    expect(
      texts(
        readPlainList(
          '\uFEFF- Likes tea.\n* Lives in Bern.\r\n3. Has two cats.\n• Speaks Latin.\n\nWorks at Acme.\n---\n',
        ),
      ),
    ).toEqual(['Likes tea.', 'Lives in Bern.', 'Has two cats.', 'Speaks Latin.', 'Works at Acme.']);
  });

  it('reads the dates and sections in which assistants write their memories down', () => {
    const { statements } = readPlainList(
      '```\n## Preferences\n[2025-03-01] - Prefers tabs.\n[unknown] - Prefers dark mode.\n\n# Work:\n- [2025-02-31] is no day\n  and goes on.\n```\n',
    );
    expect(statements).toMatchObject([
      { text: 'Prefers tabs.', created: '2025-03-01T00:00:00Z', tags: ['preferences'], line: 3 },
      { text: 'Prefers dark mode.', created: null, tags: ['preferences'] },
      { text: '[2025-02-31] is no day and goes on.', created: null, tags: ['work'] },
    ]);
  });
});
