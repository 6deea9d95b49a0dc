import { describe, expect, it } from 'vitest';
import { planInstructions, planNoInstructions } from './instructions-block.ts';
import type { PlannedChange } from './plan-change.ts';

function done(planned: ReturnType<typeof planInstructions>): PlannedChange {
  if (!planned.ok) throw new Error(planned.problems[0]?.message);
  return planned.value;
}

const add = (text: string) => done(planInstructions(text)).text;
const remove = (text: string) => done(planNoInstructions(text)).text;

describe('the block of instructions', () => {
  it('is short, marked, and names the tools', () => {
    const block = add('');
    expect(block.split('\n').length).toBeLessThan(15);
    expect(block).toMatch(/^<!-- stet:start .*-->\n[\s\S]*\n<!-- stet:end -->\n$/);
    for (const tool of ['recall', 'remember', 'supersedes']) expect(block).toContain(`\`${tool}\``);
  });

  it.each(['', '# Rules\n', '# Rules\n\n', '# Rules', '# Rules\r\n\r\nBe kind.\r\n', '\uFEFF# Rules\n'])(
    'added to %j and taken out again leaves the bytes that were there, but for a missing line end',
    (text) => {
      const after = add(text);
      expect(after.startsWith(text)).toBe(true);
      expect(remove(after).replace(/\n$/, '')).toBe(text.replace(/\n$/, ''));
      expect(done(planInstructions(after))).toEqual({ status: 'unchanged', text: after, names: [] });
    },
  );

  it('has a blank line before it, and the line ends of the file', () => {
    expect(add('# Rules\n')).toMatch(/^# Rules\n\n<!--/);
    expect(add('a\r\nb\r\n').replaceAll('\r\n', '')).not.toContain('\n');
  });

  it('is brought up to date where it stands, and what the user wrote around it stays', () => {
    const before = 'Above.\n\n<!-- stet:start v0 -->\nold words\n<!-- stet:end -->\n\nBelow.\n';
    const after = add(before);
    expect(after).toMatch(/^Above\.\n\n<!-- stet:start/);
    expect(after).toMatch(/<!-- stet:end -->\n\nBelow\.\n$/);
    expect(after).not.toContain('old words');
    expect(remove(after)).toBe('Above.\n\nBelow.\n');
  });

  it.each([
    ['a start without an end', 'x\n<!-- stet:start -->\ny\n', 2],
    ['an end without a start', '<!-- stet:end -->\n', 1],
    ['the end first', '<!-- stet:end -->\n<!-- stet:start -->\n', 2],
    ['two blocks', '<!-- stet:start -->\n<!-- stet:end -->\n<!-- stet:start -->\n<!-- stet:end -->\n', 1],
  ])('is refused, with the line, for %s', (_, text, line) => {
    for (const plan of [planInstructions, planNoInstructions]) {
      expect(plan(text)).toMatchObject({ ok: false, problems: [{ line }] });
    }
  });

  it('that is not there is absent', () => {
    expect(done(planNoInstructions('# Rules\n'))).toEqual({ status: 'absent', text: '# Rules\n', names: [] });
  });
});
