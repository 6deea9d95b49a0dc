import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { markdownBlocks } from './markdown-blocks.ts';

describe('Markdown as blocks', () => {
  const blocks = (text: string) => markdownBlocks(text).map((block) => block.text);

  it('puts the heading in front of what needs it, but not the title of the file', () => {
    expect(blocks('# Shop\n\nA shop.\n\n## Style ##\n\nTwo blanks.\nNo tabs.\n\n### Names:\n- short\n')).toEqual([
      'A shop.',
      'Style: Two blanks. No tabs.',
      'Names: short',
    ]);
  });

  it('puts a lead-in in front of each entry of its list', () => {
    expect(blocks('Always:\n- test\n\n* lint\n\nThen rest.\n\n- alone')).toEqual([
      'Always: test',
      'Always: lint',
      'Then rest.',
      'alone',
    ]);
    expect(blocks('A colon at the end:')).toEqual(['A colon at the end:']);
  });

  it('keeps sub-entries, further lines and code with their entry', () => {
    expect(
      blocks(
        '- Deploy:\n  1. tag\n     and sign\n  2. push\n- Run it\n  twice\n\n  ```sh\n  # not a heading\n  npm test\n  ```\n',
      ),
    ).toEqual(['Deploy:\n1. tag\n   and sign\n2. push', 'Run it twice\n\n```sh\n# not a heading\nnpm test\n```']);
  });

  it('keeps code with the paragraph above it, or with its heading', () => {
    expect(blocks('Run this:\n\n```\na\n\nb\n```\n\n## Test\n~~~\nc\n~~~\n')).toEqual([
      'Run this:\n\n```\na\n\nb\n```',
      'Test:\n\n~~~\nc\n~~~',
    ]);
    expect(blocks('```\nnever closed\n# x')).toEqual(['```\nnever closed\n# x']);
  });

  it('knows quotes, tick boxes, rules and comments', () => {
    expect(
      blocks('> [!NOTE]\n> Ask before\n> you delete.\n\n---\n\n- [ ] open\n- [x] done\n\n<!-- not\n\nthis -->\nEnd.'),
    ).toEqual(['Ask before you delete.', 'open', 'done', 'End.']);
  });

  it('says on which line each begins', () => {
    expect(markdownBlocks('# T\n\none\ntwo\n\n- a\n- b\n').map(({ line }) => line)).toEqual([3, 6, 7]);
  });

  it('leaves no word out, whatever the lines are', () => {
    const line = fc.constantFrom(
      '',
      '# h1',
      '## h2',
      'w1 w2',
      '- e1',
      '  - e2',
      '* e3',
      '1. n1',
      '```',
      '> q1',
      'lead:',
      '| t1 |',
      '    c1',
      '***',
    );
    fc.assert(
      fc.property(fc.array(line, { maxLength: 14 }), (lines) => {
        const said = lines.flatMap((each) => each.match(/[a-z]\w*/g) ?? []).filter((word) => !word.startsWith('h'));
        const all = blocks(lines.join('\n')).join('\n');
        for (const word of said) expect(all).toContain(word);
      }),
    );
  });
});
