// `stet doctor`: each thing that can be wrong is found, and found only where it is.
import { chmodSync, statSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Finding } from '../src/app.ts';
import { InProcessMemory } from './in-process-memory.ts';
import { TemporaryMemory, until } from './temporary-memory.ts';

const SECRET = ['ghp', 'x9Kq2mV7tR4wZ8nB3cF6hJ1lP5sD0aGyEuTi'].join('_');

/** What is found, without what depends on the machine that the test runs on. */
async function diagnose(memory: InProcessMemory, history = false): Promise<readonly Finding[]> {
  return (await memory.app.diagnose({ history })).filter(({ finding }) => !finding.startsWith('git does not know'));
}

async function makeClosed(): Promise<InProcessMemory> {
  const memory = await InProcessMemory.make();
  chmodSync(memory.root, 0o700);
  return memory;
}

async function keep(memory: InProcessMemory, text: string): Promise<string> {
  const stored = await memory.app.remember(await memory.app.userSession({ space: 'personal' }), { text });
  if (stored.status !== 'stored') throw new Error(stored.status);
  return stored.path;
}

describe('stet doctor', () => {
  it('finds nothing in a memory that is as it should be', async () => {
    await using memory = await makeClosed();
    await keep(memory, 'Standups are at nine.');
    expect(await diagnose(memory, true)).toEqual([]);
  });

  it('finds a file in quarantine, and names the command that repairs it', async () => {
    await using memory = await makeClosed();
    const path = await keep(memory, 'Standups are at nine.');
    await memory.edit(path, memory.read(path).replace('kind: fact', 'kind: rumour'));
    const [found, ...more] = await diagnose(memory);
    expect(more).toEqual([]);
    expect(found).toMatchObject({ area: 'quarantine', fix: expect.stringMatching(/^`stet edit \w{8}`\.$/) as string });
    expect(found?.finding).toContain(`${path}:3: "rumour"`);
  });

  it('finds a link to what never was, and none to what was forgotten', async () => {
    await using memory = await makeClosed();
    const gone = await keep(memory, 'Standups are at eight.');
    const goneId = gone.slice(-11, -3);
    await memory.edit(
      'personal/a.md',
      `---\nid: "k3v9q2m7"\nsupersedes: ["${goneId}", "zzzz2222"]\n---\nStandups are at nine.\n`,
    );
    await memory.app.forget(await memory.app.userSession({ space: 'personal' }), goneId);
    const links = (await diagnose(memory)).filter(({ area }) => area === 'links');
    expect(links.map(({ finding }) => finding)).toEqual([
      'personal/a.md replaces zzzz2222, and there is no such item.',
    ]);
  });

  it('finds the later of two items that say the same in one space', async () => {
    await using memory = await makeClosed();
    await memory.space('acme');
    const text = (id: string, day: string) =>
      `---\nid: "${id}"\ncreated: "2026-09-${day}"\n---\nStandups are at nine.\n`;
    await memory.edit('personal/a.md', text('k3v9q2m7', '01'));
    await memory.edit('spaces/acme/b.md', text('h7wq2c9d', '02'));
    expect(await diagnose(memory)).toEqual([]);
    await memory.edit('personal/c.md', text('b2n8r4ts', '03'));
    expect(await diagnose(memory)).toMatchObject([
      { area: 'duplicates', finding: 'b2n8r4ts says the same as k3v9q2m7.', fix: '`stet forget b2n8r4ts`.' },
    ]);
  });

  it('finds a secret in a file with its line, and in an old version only when asked', async () => {
    await using memory = await makeClosed();
    const path = await keep(memory, 'The token is kept in the vault.');
    const clean = memory.read(path);
    await memory.edit(path, clean.replace('kept in the vault', SECRET));
    const secrets = (await diagnose(memory)).filter(({ area }) => area === 'secrets');
    expect(secrets).toHaveLength(1);
    expect(secrets[0]?.finding).toContain(`${path}:7: `);
    expect(JSON.stringify(secrets)).not.toContain(SECRET);
    memory.git('commit', '-qam', 'by hand');
    await memory.edit(path, clean);
    memory.git('commit', '-qam', 'taken out');
    expect((await diagnose(memory)).filter(({ area }) => area === 'secrets')).toEqual([]);
    expect((await diagnose(memory, true)).filter(({ area }) => area === 'secrets')).toMatchObject([
      { finding: expect.stringContaining(`${path} in commit `) as string },
    ]);
  });

  it.runIf(process.platform !== 'win32')('finds a folder that others can look into, and closes it', async () => {
    await using memory = await InProcessMemory.make();
    chmodSync(memory.root, 0o755);
    expect(await diagnose(memory)).toMatchObject([
      { area: 'modes', finding: expect.stringContaining('(mode 755)') as string },
    ]);
    expect(await memory.app.closeMemory()).toHaveLength(1);
    expect(statSync(memory.root).mode & 0o777).toBe(0o700);
    expect(await diagnose(memory)).toEqual([]);
    expect(await memory.app.closeMemory()).toEqual([]);
  });

  it('lists running servers, and clients that are not connected', async () => {
    await using memory = await TemporaryMemory.make();
    await memory.write('machine.yaml', 'embedder: none\n');
    const agent = await memory.connect();
    await agent.recall('Is anybody here?');
    await mkdir(join(memory.folder, '.cursor'));
    await writeFile(join(memory.folder, '.cursor/mcp.json'), '{}\n');
    const env = { HOME: memory.folder, USERPROFILE: memory.folder, XDG_CONFIG_HOME: '', CLAUDE_CONFIG_DIR: '' };
    const outcome = await until(
      () => memory.stetWith({ env }, 'doctor'),
      ({ stdout }) => stdout.includes(`A server is running: process ${agent.transport.pid}, `),
    );
    expect(outcome.code).toBe(1);
    expect(outcome.stdout).toMatch(
      /clients: Cursor is installed and not connected\.\n.*\n {2}→ `stet setup cursor`\.\n/,
    );
  });
});
