// The one name by which an AI client is known in policies, deliveries and commits, whatever it calls itself.
// Invariant: a name normalises to itself, is never empty and never `*`, which in a rule stands for every agent.

/** The name of a client that gives none that can be used. */
export const UNKNOWN_AGENT = 'unknown';

/** The most code points that an agent's name keeps. */
export const MAX_AGENT_CODE_POINTS = 64;

// A client may send megabytes: what lies beyond this is not looked at.
const MAX_READ_UNITS = 512;

// What clients send as `clientInfo.name`, or people call them, after folding: the name that stet uses.
const ALIASES: ReadonlyMap<string, string> = new Map([
  ['claude-desktop', 'claude-ai'],
  ['claudecode', 'claude-code'],
  ['codex-mcp-client', 'codex'],
  ['codex-cli', 'codex'],
  ['openai-codex', 'codex'],
  ['cursor-vscode', 'cursor'],
  ['visual-studio-code', 'vscode'],
  ['visual-studio-code-insiders', 'vscode'],
  ['vs-code', 'vscode'],
  ['vscode-insiders', 'vscode'],
  ['gemini-cli-mcp-client', 'gemini-cli'],
  ['open-code', 'opencode'],
  ['windsurf-client', 'windsurf'],
  ['roo-cline', 'roo-code'],
  ['continue-client', 'continue'],
  ['continue-cli-client', 'continue'],
  ['inspector-client', 'mcp-inspector'],
  ['zed-editor', 'zed'],
]);

/** The agents that stet knows by name, normalised; any other name is as good, and may be a typing mistake in a rule. */
export const KNOWN_AGENTS: readonly string[] = [
  ...new Set([...ALIASES.values(), 'cline', 'goose', 'kilo-code', 'claude-ai', 'claude-code', 'opencode']),
].sort();

/**
 * The normalised name of a client: NFC, lower case, control and other invisible characters out, a proxy's
 * "(via mcp-remote 0.1.29)" and a version at the end off, every run of other characters than letters, digits and `.`
 * one hyphen, known aliases resolved, at most {@link MAX_AGENT_CODE_POINTS} code points. Nothing left, or nothing
 * given: {@link UNKNOWN_AGENT}. (`*` leaves nothing.)
 */
export function normaliseAgent(clientName: string | undefined): string {
  const folded = (clientName ?? '')
    .slice(0, MAX_READ_UNITS)
    .replace(/[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Cn}]/gu, (character) => (/\s/u.test(character) ? ' ' : ''))
    .toLowerCase()
    .normalize('NFC')
    .replace(/(?:\s*\((?:via|through)\s[^()]*\))+\s*$/u, '')
    .replace(/[\s/@]+v?\d+(?:\.\d+)+[\w.+-]*\s*$/u, '')
    .replace(/[^\p{L}\p{M}\p{N}.]+/gu, '-');
  const bounded = Array.from(folded.replace(/^[-.]+/u, ''))
    .slice(0, MAX_AGENT_CODE_POINTS)
    .join('')
    .replace(/[-.]+$/u, '');
  return bounded === '' ? UNKNOWN_AGENT : (ALIASES.get(bounded) ?? bounded);
}
