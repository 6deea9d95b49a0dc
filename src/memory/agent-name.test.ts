import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { KNOWN_AGENTS, MAX_AGENT_CODE_POINTS, normaliseAgent } from './agent-name.ts';

describe('an agent is known by one name', () => {
  test.each([
    ['claude-code', 'claude-code'],
    ['Claude Code', 'claude-code'],
    ['CLAUDE_CODE', 'claude-code'],
    ['claude-ai', 'claude-ai'],
    ['Claude Desktop', 'claude-ai'],
    ['codex-mcp-client', 'codex'],
    ['Codex', 'codex'],
    ['cursor-vscode', 'cursor'],
    ['Cursor', 'cursor'],
    ['Visual Studio Code', 'vscode'],
    ['Visual Studio Code - Insiders', 'vscode'],
    ['Visual Studio Code Insiders', 'vscode'],
    ['gemini-cli-mcp-client', 'gemini-cli'],
    ['opencode', 'opencode'],
    ['Zed', 'zed'],
    ['windsurf-client', 'windsurf'],
    ['Claude Code (via mcp-remote 0.1.29)', 'claude-code'],
    ['claude-ai (via mcp-remote 0.1.18)', 'claude-ai'],
    ['cursor-vscode (via mcp-remote 0.1.18) (via mcp-proxy)', 'cursor'],
    ['claude-code/2.0.14', 'claude-code'],
    ['Zed 0.199.4', 'zed'],
    ['  my   own client ', 'my-own-client'],
    ['Агент Смит', 'агент-смит'],
  ])('%j is %s', (given, name) => {
    expect(normaliseAgent(given)).toBe(name);
  });

  test.each([undefined, '', ' ', '*', ' * ', '**', '\u200b', '\u202e*', '(via mcp-remote 0.1.29)', '...', '--'])(
    '%j is nobody that is known',
    (given) => {
      expect(normaliseAgent(given)).toBe('unknown');
    },
  );

  test('control, bidi and zero-width characters do not make another agent', () => {
    expect(normaliseAgent('clau\u0000de-\u202ecode\u200b')).toBe('claude-code');
    expect(normaliseAgent('claude\ncode')).toBe('claude-code');
  });

  test('composed and decomposed names are one', () => {
    expect(normaliseAgent('Cafe\u0301')).toBe(normaliseAgent('Caf\u00e9'));
  });

  test('a name of a megabyte is cut', () => {
    expect(normaliseAgent('ab'.repeat(500_000))).toHaveLength(MAX_AGENT_CODE_POINTS);
  });

  test('a normalised name normalises to itself, and is never empty or every agent', () => {
    const name = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc
        .array(fc.constantFrom('Claude', 'code', ' ', '-', '*', '_', '(via x)', '/1.2', '.', 'İ', 'e\u0301'))
        .map((p) => p.join('')),
    );
    fc.assert(
      fc.property(name, (given) => {
        const once = normaliseAgent(given);
        expect(normaliseAgent(once)).toBe(once);
        expect(once).not.toBe('');
        expect(once).not.toContain('*');
        expect(Array.from(once).length).toBeLessThanOrEqual(MAX_AGENT_CODE_POINTS);
      }),
      { numRuns: 1000 },
    );
  });

  test.each(KNOWN_AGENTS)('the known agent %s goes by that name', (name) => {
    expect(normaliseAgent(name)).toBe(name);
  });
});
