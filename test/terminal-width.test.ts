// Everything that prints a list, on terminals of several widths and in a pipe, with the characters that are counted wrongly
// most easily.
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { displayWidth } from '../src/cli/display-width.ts';
import { runCommand } from './command-runner.ts';
import { InProcessMemory } from './in-process-memory.ts';

const LONG = 'The shop signs users in with Auth0, and has a tenant of its own for each of its many brands.';
const JAPANESE = '東京オフィスは朝九時に開き、夜八時に閉まり、土曜日と日曜日は休みです。受付は一階にあります。';
const EMOJI =
  'The release song is 👩‍👩‍👧🏳️‍🌈👍🏽 and then 🎸🎸🎸🎸🎸🎸🎸🎸🎸🎸🎸🎸🎸🎸🎸🎸🎸🎸🎸🎸🎸🎸 for the whole of the evening.';
const COMBINING = `Ame\u0301lie's café is called Le Zèbre a\u0300 Carreaux, and opens tomorrow at nine o'clock for all of us.`;

let memory: InProcessMemory;

beforeAll(async () => {
  memory = await InProcessMemory.make();
  const project = await memory.space('東京-office');
  await memory.app.addSpace({
    name: '東京-office',
    remote: 'https://git.example.com/a-team-with-a-long-name/tokyo.git',
  });
  await memory.space('acme');
  await memory.app.renameSpace('acme', 'acme-corporation-of-the-north');
  const session = await memory.app.userSession({ space: 'acme-corporation-of-the-north' });
  const keep = async (text: string, more = {}) => {
    const stored = await memory.app.remember(session, { text, keepBoth: true, ...more });
    if (stored.status !== 'stored') throw new Error(stored.status);
    return stored.item.id;
  };
  const first = await keep(LONG, { kind: 'decision', space: 'personal' });
  await keep(`${LONG} Since March.`, { kind: 'decision', space: 'personal', supersedes: [first] });
  await keep(JAPANESE, { space: 'personal', kind: 'preference' });
  await keep(EMOJI, { space: 'acme-corporation-of-the-north' });
  await keep(`Answer in one paragraph. ${LONG}`, { kind: 'instruction', space: 'personal' });
  await memory.app.forget(session, await keep('The office dog is called Rex.', { space: 'personal' }));
  await memory.app.changePolicy('claude-code', '東京-office', 'deny');
  // By hand: what waits for somebody.
  await memory.edit('personal/cafe.md', `---\nid: "b2n8r4ts"\nsupersedes: "zzzz2222"\n---\n${COMBINING}\n`);
  await memory.edit('personal/broken.md', `---\nid: "d9e6j7kp"\nkind: 噂\n---\n${JAPANESE}\n`);
  await memory.connect({ project }).then((agent) => agent.recall(`When does 東京オフィス open? ${LONG}`));
  await vi.waitUntil(() => memory.app.listDeliveries().length === 1, { timeout: 30_000 });
  mkdirSync(join(memory.folder, '.cursor'));
});
afterAll(() => memory[Symbol.asyncDispose]());

// Where clients are looked for.
beforeEach(() => {
  for (const name of ['HOME', 'USERPROFILE', 'APPDATA', 'LOCALAPPDATA']) vi.stubEnv(name, memory.folder);
  for (const name of ['XDG_CONFIG_HOME', 'CLAUDE_CONFIG_DIR', 'CODEX_HOME', 'GEMINI_CLI_HOME']) vi.stubEnv(name, '');
});
afterEach(() => vi.unstubAllEnvs());

/** What a pipe has to have whole. */
const COMMANDS = [
  { argv: ['list', '--all'], whole: [LONG, JAPANESE, EMOJI, COMBINING] },
  { argv: ['list', '--forgotten'], whole: ['forgotten by user'] },
  { argv: ['recall', LONG], whole: [LONG] },
  { argv: ['recall', '東京オフィスは何時に開きますか'], whole: [JAPANESE] },
  { argv: ['show', 'b2n8r4ts'], whole: [COMBINING] },
  { argv: ['digest'], whole: [JAPANESE, EMOJI, COMBINING] },
  { argv: ['log'], whole: ['space  rename acme to acme-corporation-of-the-north'] },
  { argv: ['deliveries'], whole: [`When does 東京オフィス open? ${LONG}`] },
  { argv: ['why'], whole: [`When does 東京オフィス open? ${LONG}`] },
  { argv: ['policy', 'list'], whole: ['deny  claude-code  東京-office'] },
  { argv: ['space', 'list'], whole: ['https://git.example.com/a-team-with-a-long-name/tokyo.git', 'was: acme'] },
  { argv: ['review'], whole: ['personal/broken.md:3'] },
  {
    argv: ['doctor'],
    whole: ['personal/cafe.md replaces zzzz2222, and there is no such item.', 'Cursor is installed'],
  },
  { argv: ['lint'], whole: ['deictic-date: "tomorrow" meant '] },
  { argv: ['status'], whole: ['personal/broken.md:3'] },
  { argv: ['stats'], whole: ['acme-corporation-of-the-north'] },
  { argv: ['config'], whole: ['instructions.review'] },
] as const;

describe.each(COMMANDS)('stet $argv', ({ argv, whole }) => {
  it.each([40, 80, 200])('fits into %i columns', async (width) => {
    const { lines } = await runCommand(memory, argv, width);
    const shown = lines.flatMap((line) => line.split('\n'));
    expect(shown.length).toBeGreaterThan(0);
    const tooLong = shown.filter((line) => displayWidth(line) > width && !isOneWord(line));
    // What a person wrote is shown as it was written.
    expect(tooLong.filter((line) => argv[0] !== 'show' || line !== COMBINING)).toEqual([]);
  });

  it('is whole where it is piped', async () => {
    const { lines } = await runCommand(memory, argv);
    const text = lines.join('\n');
    for (const each of whole) expect(text).toContain(each);
  });
});

/** Nothing that could be broken without becoming something else: a path, an address. */
function isOneWord(line: string): boolean {
  return /^\s*\S+$/.test(line);
}
