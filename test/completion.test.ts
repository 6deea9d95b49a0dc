// Completion, asked for as real shells ask. zsh and fish take part where they are installed; the README says so.
import { execFile, execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { InProcessMemory } from './in-process-memory.ts';
import { ENTRY, run } from './temporary-memory.ts';

/** What each shell has to say about the line that ends here: the words that it offers. */
const ASK: Readonly<Record<string, (words: readonly string[]) => string>> = {
  bash: (words) => `
    source <(stet completion bash)
    COMP_WORDS=(${words.map(quote).join(' ')}); COMP_CWORD=$((\${#COMP_WORDS[@]} - 1))
    _stet_complete
    printf '%s\\n' "\${COMPREPLY[@]}"`,
  fish: (words) => `
    stet completion fish | source
    complete -C ${quote(words.join(' '))} | string replace -r "\\t.*" ""; true`,
  // zsh completes at a terminal only: a pseudo-terminal gets the key, and is read until the word has come.
  zsh: (words) => `
    zmodload zsh/zpty
    zpty z zsh -f -i
    zpty -w z "PROMPT=''; autoload -Uz compinit; compinit -u -D; source <(stet completion zsh); print REA''DY"
    zpty -r -m z seen '*READY*'
    zpty -w -n z ${quote(words.join(' '))}$'\\t'
    zpty -r -m z seen "*$WANTED*" && print -r -- "$WANTED"
    zpty -d z`,
};

const installed = process.platform === 'win32' ? [] : Object.keys(ASK).filter((shell) => isInstalled(shell));

describe.each(installed)('%s', (shell) => {
  it('offers commands, options, ids and spaces', async () => {
    await using memory = await InProcessMemory.make();
    await memory.space('acme');
    const session = await memory.app.userSession({ space: 'acme' });
    const stored = await memory.app.remember(session, { text: 'Acme signs users in with Auth0.' });
    if (stored.status !== 'stored') throw new Error(stored.status);
    const ask = (wanted: string, ...words: string[]) => askShell(memory, shell, wanted, ['stet', ...words]);
    expect(await ask('status', 'stat')).toContain('status');
    expect(await ask('--forgotten', 'list', '--forg')).toContain('--forgotten');
    expect(await ask('acme', 'list', '--space', 'ac')).toEqual(['acme']);
    expect(await ask(stored.item.id, 'show', stored.item.id.slice(0, 3))).toEqual([stored.item.id]);
  });
});

describe.runIf(process.platform !== 'win32')('the script for bash', () => {
  it('completes a value behind an equals sign, and runs nothing that is only typed', async () => {
    await using memory = await InProcessMemory.make();
    await memory.space('acme');
    expect(await askShell(memory, 'bash', '', ['stet', 'list', '--space', '=', 'ac'])).toEqual(['acme']);
    await askShell(memory, 'bash', '', ['stet', 'remember', `"$(touch ${memory.path('typed')})"`, '']);
    expect(memory.exists('typed')).toBe(false);
  });
});

it('offers each kind of name where it belongs', async () => {
  await using memory = await InProcessMemory.make();
  await memory.space('acme');
  await memory.edit('personal/by-hand.md', '---\nid: "k3v9q2m7"\n---\nStandups are at nine.\n');
  const offered = async (...words: string[]) => {
    const outcome = await run(process.execPath, [ENTRY, 'complete', '--', ...words], {
      env: { STET_HOME: memory.root },
    });
    const lines = outcome.stdout.trim().split('\n');
    return { words: lines.slice(0, -1).map((line) => line.split('\t')[0]), files: lines.at(-1) === ':0' };
  };
  expect(await offered('show', '')).toEqual({ words: ['k3v9q2m7'], files: false });
  expect(await offered('mv', 'k3v9q2m7', '')).toEqual({ words: ['personal', 'acme'], files: false });
  expect(await offered('space', 'rename', '')).toEqual({ words: ['personal', 'acme'], files: false });
  expect((await offered('space', '')).words).toEqual(['add', 'list', 'rename', 'remove']);
  expect((await offered('setup', 'cur')).words).toEqual(['cursor']);
  expect((await offered('list', '--kind', 'out')).words).toEqual(['outcome']);
  expect((await offered('config', 'embed')).words).toEqual(['embedder']);
  expect(await offered('init', '')).toEqual({ words: [], files: true });
  expect(await offered('show', '--memory', '/no/such/memory', '')).toEqual({ words: [], files: false });
  expect((await offered('')).words).not.toContain('complete');
}, 120_000);

it.each(['bash', 'zsh', 'fish'])('prints the script for %s, whatever --json says', async (shell) => {
  const plain = await run(process.execPath, [ENTRY, 'completion', shell]);
  expect(plain.stdout).toContain('stet complete -- ');
  expect(await run(process.execPath, [ENTRY, 'completion', shell, '--json'])).toEqual(plain);
});

async function askShell(
  memory: InProcessMemory,
  shell: string,
  wanted: string,
  words: readonly string[],
): Promise<readonly string[]> {
  const programs = join(memory.folder, 'programs');
  mkdirSync(programs, { recursive: true });
  writeFileSync(join(programs, 'stet'), `#!/bin/sh\nexec ${quote(process.execPath)} ${quote(ENTRY)} "$@"\n`);
  chmodSync(join(programs, 'stet'), 0o755);
  const env = {
    ...process.env,
    PATH: `${programs}${delimiter}${process.env['PATH'] ?? ''}`,
    STET_HOME: memory.root,
    WANTED: wanted,
    HOME: memory.folder,
  };
  const line = ASK[shell]?.(words) ?? '';
  const args = { bash: ['--norc', '--noprofile', '-c', line], zsh: ['-f', '-c', line] }[shell] ?? ['-N', '-c', line];
  const stdout = await new Promise<string>((resolve, reject) => {
    execFile(shell, args, { env, timeout: 30_000 }, (error, out) => (error ? reject(error) : resolve(out)));
  });
  return stdout.split('\n').filter((each) => each !== '');
}

function isInstalled(program: string): boolean {
  try {
    execFileSync(program, ['--version'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

function quote(word: string): string {
  return `'${word.replaceAll("'", `'\\''`)}'`;
}
