import { describe, expect, it } from 'vitest';
import { readRules } from './rules.ts';
import type { ReadMemory } from './imported-statement.ts';

const texts = ({ statements }: ReadMemory) => statements.map(({ text }) => text);

describe('a file of rules', () => {
  it('becomes instructions', () => {
    const read = readRules('# AGENTS.md\n\n- Test first.\n\n## Style\nTwo blanks.\n');
    expect(read.statements).toMatchObject([
      { text: 'Test first.', kind: 'instruction', line: 3 },
      { text: 'Style: Two blanks.', kind: 'instruction', line: 6 },
    ]);
  });

  it('says of a rule for some files which they are', () => {
    const rule = (keys: string) => texts(readRules(`---\n${keys}\n---\n- Use types.\n`));
    expect(rule('description: x\nglobs: *.ts, src/**/*.{a,b}\nalwaysApply: false')).toEqual([
      'In *.ts, src/**/*.{a,b}: Use types.',
    ]);
    expect(rule('globs: ["a/*", "b/*"]')).toEqual(['In a/*, b/*: Use types.']);
    expect(rule('paths:\n  - "api/**"\n  - web/**')).toEqual(['In api/**, web/**: Use types.']);
    expect(rule('globs:\nalwaysApply: true')).toEqual(['Use types.']);
    expect(rule('globs: *.ts\nalwaysApply: true')).toEqual(['Use types.']);
    expect(rule('globs: **/*')).toEqual(['Use types.']);
    expect(readRules('---\nglobs: *.ts\n---\n- Use types.\n').statements[0]?.line).toBe(4);
  });

  it('leaves out what is no rule, and says why', () => {
    const read = readRules(
      'This file provides guidance to Claude Code (claude.ai/code) when working with code here.\n\n@AGENTS.md\n\n' +
        '<!-- stet:start -->\n## Memory\n- Call recall.\n<!-- stet:end -->\n\nhttps://x.example/y\n\nBe kind.\n',
    );
    expect(texts(read)).toEqual(['Be kind.']);
    expect(read.leftOut.map(({ line }) => line)).toEqual([1, 3, 10]);
  });
});
