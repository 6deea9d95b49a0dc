// `stet doctor`: each thing that can be wrong is found, and found only where it is.
import { chmodSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Finding } from '../src/app.ts';
import { OwnServerNote, type Following } from '../src/repo/server-notes.ts';
import { FakeEmbedder } from './fake-embedder.ts';
import { InProcessMemory } from './in-process-memory.ts';
import { TemporaryMemory, until } from './temporary-memory.ts';

const SECRET = ['ghp', 'x9Kq2mV7tR4wZ8nB3cF6hJ1lP5sD0aGyEuTi'].join('_');

/** What is found, without what depends on the machine that the test runs on. */
async function diagnose(memory: InProcessMemory, history = false): Promise<readonly Finding[]> {
  return (await memory.app.diagnose({ history })).filter(({ finding }) => !finding.startsWith('git does not know'));
}

async function keep(memory: InProcessMemory, text: string): Promise<string> {
  const stored = await memory.app.remember(await memory.app.userSession({ space: 'personal' }), { text });
  if (stored.status !== 'stored') throw new Error(stored.status);
  return stored.path;
}

/** Without settings of git and of clients. */
function newHome({ folder }: TemporaryMemory): Readonly<Record<string, string>> {
  return {
    HOME: folder,
    USERPROFILE: folder,
    APPDATA: folder,
    LOCALAPPDATA: folder,
    GIT_CONFIG_GLOBAL: join(folder, '.gitconfig'),
    XDG_CONFIG_HOME: '',
    CLAUDE_CONFIG_DIR: '',
    CODEX_HOME: '',
    GEMINI_CLI_HOME: '',
  };
}

describe('stet doctor', () => {
  it('finds nothing in a memory that is as it should be', async () => {
    await using memory = await InProcessMemory.make();
    await keep(memory, 'Standups are at nine.');
    expect(await diagnose(memory, true)).toEqual([]);
  });

  it('finds a file in quarantine, and names the command that repairs it', async () => {
    await using memory = await InProcessMemory.make();
    const path = await keep(memory, 'Standups are at nine.');
    await memory.edit(path, memory.read(path).replace('kind: fact', 'kind: rumour'));
    const [found, ...more] = await diagnose(memory);
    expect(more).toEqual([]);
    expect(found).toMatchObject({ area: 'quarantine', fix: expect.stringMatching(/^`stet edit \w{8}`\.$/) as string });
    expect(found?.finding).toContain(`${path}:3: "rumour"`);
  });

  it('finds a link to what never was, and none to what was forgotten', async () => {
    await using memory = await InProcessMemory.make();
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
    await using memory = await InProcessMemory.make();
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
    await using memory = await InProcessMemory.make();
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

  it('is content with a new memory in a new home', async () => {
    await using memory = await TemporaryMemory.make();
    await memory.write('machine.yaml', 'embedder: none\n');
    const outcome = await memory.stetWith({ env: newHome(memory) }, 'doctor', '--json');
    const { findings } = JSON.parse(outcome.stdout) as { findings: readonly Finding[] };
    expect(findings.filter(({ level }) => level === 'problem')).toEqual([]);
    expect(outcome.code).toBe(0);
  });

  const following: Following = {
    state: 'watching',
    reason: null,
    watchedFolders: 7,
    lookedAt: '2026-09-15T10:30:00Z',
    problem: null,
  };

  it.each([
    { as: 'watches', note: following, found: [] },
    {
      as: 'polls',
      note: { ...following, state: 'polling', reason: 'this system has no file watches left' },
      found: [{ level: 'advice', finding: expect.stringContaining('no file watches left') as string }],
    },
    {
      as: 'stopped watching',
      note: { ...following, state: 'stopped' },
      found: [{ level: 'problem', finding: expect.stringContaining('does not follow the files any more') as string }],
    },
    {
      as: 'has not looked for an hour',
      note: { ...following, lookedAt: '2026-09-15T09:30:00Z' },
      found: [{ level: 'problem', finding: expect.stringContaining('last looked at 2026-09-15T09:30:00Z') as string }],
    },
    {
      as: 'cannot take a change in',
      note: { ...following, problem: 'EACCES: personal/a.md' },
      found: [{ level: 'problem', finding: expect.stringContaining('EACCES: personal/a.md') as string }],
    },
  ])('says of a server that $as what that means', async ({ note, found }) => {
    await using memory = await InProcessMemory.make();
    const own = new OwnServerNote(memory.path('.stet'));
    own.write(note);
    expect(await diagnose(memory)).toMatchObject(found.map((each) => ({ area: 'watcher', ...each })));
    own.remove();
    expect(await diagnose(memory)).toEqual([]);
  });

  it('lists running servers, and clients that are not connected', async () => {
    await using memory = await TemporaryMemory.make();
    await memory.write('machine.yaml', 'embedder: none\n');
    const agent = await memory.connect();
    await agent.recall('Is anybody here?');
    await mkdir(join(memory.folder, '.cursor'));
    await writeFile(join(memory.folder, '.cursor/mcp.json'), '{}\n');
    const outcome = await until(
      () => memory.stetWith({ env: newHome(memory) }, 'doctor'),
      ({ stdout }) => stdout.includes(`A server is running: process ${agent.transport.pid}, `),
    );
    expect(outcome.code).toBe(0);
    expect(outcome.stdout).toMatch(
      /clients \(advice\): Cursor is installed and not connected\.\n.*\n {2}→ `stet setup cursor`\.\n/,
    );
  });
});

describe('stet doctor on what a person may have done', () => {
  /** Findings of one area. */
  async function findIn(memory: InProcessMemory, area: Finding['area']): Promise<readonly Finding[]> {
    return (await diagnose(memory)).filter((each) => each.area === area);
  }

  it('finds files that are missing', async () => {
    await using memory = await InProcessMemory.make();
    const paths: string[] = [];
    for (const day of ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday']) {
      paths.push(await keep(memory, `The office closes at a different hour on ${day}.`));
    }
    for (const path of paths) rmSync(memory.path(path));
    await memory.edit('personal/other.md', 'Something else happens.\n');
    const app = await memory.open();
    const missing = (await app.diagnose({ history: false })).filter(({ area }) => area === 'files');
    expect(missing).toMatchObject([
      { level: 'problem', finding: expect.stringMatching(/^6 of \d files are missing\./) as string },
    ]);
    expect(missing[0]?.fix).toContain('stet doctor --forget-missing');
    await app.restoreMissing();
    expect((await app.diagnose({ history: false })).filter(({ area }) => area === 'files')).toEqual([]);
  });

  it('finds a merge that git is in the middle of, and the commit that waits for it', async () => {
    await using memory = await InProcessMemory.make();
    writeFileSync(memory.path('.git/MERGE_HEAD'), memory.git('rev-parse', 'HEAD'));
    await keep(memory, 'Standups are at nine.');
    const found = (await findIn(memory, 'git')).map(({ finding }) => finding);
    expect(found).toEqual([
      expect.stringMatching(/^personal\/.* is not committed: its commit waits: a merge is in progress\.$/),
      expect.stringMatching(/^A commit waits for git \(remember: Standups are at nine\.\): .*merge/),
      expect.stringMatching(/^No commit can be made: .*merge/),
    ]);
    rmSync(memory.path('.git/MERGE_HEAD'));
    await (await memory.open()).close();
    expect(await findIn(memory, 'git')).toEqual([]);
  });

  it('finds a change by hand that is held back, with the reason', async () => {
    await using memory = await InProcessMemory.make();
    const path = await keep(memory, 'The token is kept in the vault.');
    await memory.edit(path, memory.read(path).replace('kept in the vault', SECRET));
    await memory.open();
    expect(await findIn(memory, 'git')).toMatchObject([
      { finding: expect.stringMatching(new RegExp(`^${path} is not committed: .*secret`)) as string },
    ]);
  });

  it.each([
    ['policies.yaml', 'policies:\n  - agent: codex\n    space: acme\n    effect: perhaps\n', /^policies\.yaml:2: /],
    ['spaces.yaml', 'spaces: [\n', /^spaces\.yaml:\d: /],
    ['stet.yaml', 'version: 1\ninstructions:\n  review: perhaps\n', /^stet\.yaml:\d: /],
    ['machine.yaml', 'folders:\n  acme: acme\n', /^machine\.yaml:2: acme is not a whole path/],
  ])('finds what is wrong in %s, with its line', async (path, text, finding) => {
    await using memory = await InProcessMemory.make();
    await memory.edit(path, text);
    const found = await findIn(memory, 'config');
    expect(found[0]?.finding).toMatch(finding);
    expect(found[0]).toMatchObject({ level: 'problem', fix: 'Correct the file that is named.' });
  });

  it('finds that work in the background failed', async () => {
    await using memory = await InProcessMemory.make();
    // No trace of a recall can be left.
    rmSync(memory.path('deliveries'), { recursive: true, force: true });
    writeFileSync(memory.path('deliveries'), '');
    await memory.app.recallTraced(await memory.session(null), { question: 'Is anybody here?' });
    await expect.poll(() => findIn(memory, 'index')).toMatchObject([{ fix: 'If it stays, `stet index rebuild`.' }]);
  });

  it('finds that the model does not load', async () => {
    const embedder = new FakeEmbedder();
    embedder.broken = 'the model is not installed';
    await using memory = await InProcessMemory.make({ embedder });
    await keep(memory, 'Standups are at nine.');
    await expect
      .poll(() => findIn(memory, 'vectors'))
      .toMatchObject([{ level: 'problem', finding: 'the model is not installed' }]);
  });

  it('finds a client that starts another memory, and one whose file cannot be used', async () => {
    await using memory = await TemporaryMemory.make();
    await memory.write('machine.yaml', 'embedder: none\n');
    await mkdir(join(memory.folder, '.cursor'));
    const entry = {
      mcpServers: { stet: { command: 'node', args: ['/elsewhere/stet-memory/dist/cli/main.js', 'mcp'] } },
    };
    await writeFile(join(memory.folder, '.cursor/mcp.json'), JSON.stringify(entry));
    const doctor = () => memory.stetWith({ env: newHome(memory) }, 'doctor');
    const other = await doctor();
    expect(other.code).toBe(1);
    expect(other.stdout).toMatch(/^clients: Cursor starts another stet or memory than this one\.$/m);
    await writeFile(join(memory.folder, '.cursor/mcp.json'), '{ "mcpServers": \n');
    const broken = await doctor();
    expect(broken.code).toBe(1);
    expect(broken.stdout).toMatch(/^clients: Cursor: .*mcp\.json/m);
  });
});

describe('a space that was renamed', () => {
  async function makeRenamed(): Promise<InProcessMemory> {
    const memory = await InProcessMemory.make();
    await memory.space('acme');
    await memory.app.renameSpace('acme', 'acme-corp');
    await memory.app.changePolicy('codex', 'acme-corp', 'deny');
    // What another machine, which had not heard of it, wrote.
    await memory.edit('policies.yaml', memory.read('policies.yaml').replace('acme-corp', 'acme'));
    await memory.edit('machine.yaml', memory.read('machine.yaml').replaceAll('acme-corp', 'acme'));
    await memory.edit('spaces/acme/a.k3v9q2m7.md', '---\nid: "k3v9q2m7"\nspace: acme\n---\nAcme uses Auth0.\n');
    return memory;
  }

  it('is found where an earlier name is left, as advice', async () => {
    await using memory = await makeRenamed();
    const [found, ...more] = await diagnose(memory);
    expect(more).toEqual([]);
    expect(found).toMatchObject({ level: 'advice', area: 'config' });
    expect(found?.finding).toMatch(
      /^acme-corp is still called acme in policies\.yaml:\d, machine\.yaml \(.*acme\), spaces\/acme\/a\.k3v9q2m7\.md\.$/,
    );
  });

  it('is called by its present name everywhere with --fix, in one commit, and nobody sees more or less', async () => {
    await using memory = await makeRenamed();
    const seen = async () =>
      (await memory.app.list({ space: 'acme-corp', outdated: false })).map(({ item }) => item.id);
    const policy = () => memory.app.explainPolicy('codex', 'acme-corp');
    expect(await seen()).toEqual(['k3v9q2m7']);
    expect(await policy()).toMatchObject({ allowed: false });
    const { done, commit } = await memory.app.followNames();
    expect(done).toEqual([
      expect.stringMatching(/^policies\.yaml:\d says acme-corp now\.$/),
      expect.stringMatching(/^machine\.yaml \(.*\) says acme-corp now\.$/),
      'spaces/acme/a.k3v9q2m7.md says acme-corp now.',
    ]);
    expect(commit?.status).toBe('committed');
    expect(memory.items()).toEqual(['spaces/acme-corp/a.k3v9q2m7.md']);
    expect(memory.read('spaces/acme-corp/a.k3v9q2m7.md')).toContain('space: acme-corp\n');
    expect(memory.read('policies.yaml')).not.toMatch(/space: acme$/m);
    expect(memory.read('machine.yaml')).not.toMatch(/: acme$/m);
    expect(memory.git('status', '--porcelain')).toBe('');
    expect(await seen()).toEqual(['k3v9q2m7']);
    expect(await policy()).toMatchObject({ allowed: false });
    expect(await diagnose(memory)).toEqual([]);
    expect(await memory.app.followNames()).toEqual({ done: [], commit: null });
  });

  it('is one space for a file whose folder and key have its two names', async () => {
    await using memory = await makeRenamed();
    await memory.app.followNames();
    await memory.edit('spaces/acme-corp/b.h7wq2c9d.md', '---\nid: "h7wq2c9d"\nspace: acme\n---\nAcme has a dog.\n');
    expect((await diagnose(memory)).map(({ area }) => area)).toEqual(['quarantine', 'config']);
    expect((await memory.app.followNames()).done).toEqual(['spaces/acme-corp/b.h7wq2c9d.md says acme-corp now.']);
    expect(memory.read('spaces/acme-corp/b.h7wq2c9d.md')).toContain('space: acme-corp\n');
    expect(await diagnose(memory)).toEqual([]);
  });

  it('is not followed by a file that seems to hold a secret, which would be committed', async () => {
    await using memory = await makeRenamed();
    const path = 'spaces/acme/a.k3v9q2m7.md';
    await memory.edit(path, memory.read(path).replace('uses Auth0', `uses ${SECRET}`));
    await memory.app.followNames();
    expect(memory.items()).toEqual([path]);
    expect(memory.git('log', '--all', '-p')).not.toContain(SECRET);
    expect((await diagnose(memory)).filter(({ area }) => area === 'config')).toMatchObject([
      {
        finding: `acme-corp is still called acme in ${path}, which \`--fix\` leaves: it seems to hold a secret, which would be committed.`,
        fix: 'Take the secret out; then `stet doctor --fix` writes the present name.',
      },
    ]);
  });

  it('leaves a file where it is whose place is taken', async () => {
    await using memory = await makeRenamed();
    await memory.edit('spaces/acme-corp/a.k3v9q2m7.md', '---\nid: "h7wq2c9d"\n---\nAcme has a dog.\n');
    await memory.app.followNames();
    expect(memory.items()).toEqual(['spaces/acme-corp/a.k3v9q2m7.md', 'spaces/acme/a.k3v9q2m7.md']);
    expect((await diagnose(memory)).map(({ finding, fix }) => [finding, fix])).toEqual([
      [
        'acme-corp is still called acme in spaces/acme/a.k3v9q2m7.md, which `--fix` leaves: spaces/acme-corp/a.k3v9q2m7.md is another file.',
        'Give one of the two another file name; then `stet doctor --fix` writes the present name.',
      ],
    ]);
  });

  it.each([
    ['broken', 'policies:\n  - agent: codex\n    space: [\n', 'the file is broken', 'Correct policies.yaml'],
    ['gone', null, 'the file is missing', 'Bring policies.yaml back'],
  ])('is followed elsewhere while policies.yaml is %s', async (_, text, why, settle) => {
    await using memory = await makeRenamed();
    memory.git('commit', '-qam', 'by hand');
    await memory.edit('policies.yaml', text);
    expect((await memory.app.followNames()).done).toEqual([
      expect.stringMatching(/^machine\.yaml \(.*\) says acme-corp now\.$/),
      'spaces/acme/a.k3v9q2m7.md says acme-corp now.',
    ]);
    expect(memory.exists('policies.yaml') ? memory.read('policies.yaml') : null).toBe(text);
    expect(memory.git('status', '--porcelain')).toMatch(/^ [MD] policies\.yaml\n$/);
    const found = await diagnose(memory);
    expect(found.filter(({ level }) => level === 'problem')[0]?.finding).toContain('policies.yaml');
    expect(found.filter(({ level }) => level === 'advice')).toMatchObject([
      {
        finding: expect.stringMatching(
          `^acme-corp is still called acme in policies.yaml:.*, which .* leaves: ${why}`,
        ) as string,
        fix: `${settle}; then \`stet doctor --fix\` writes the present name.`,
      },
    ]);
  });

  it('is followed elsewhere while policies.yaml is broken, whose rules in force say the present name', async () => {
    await using memory = await makeRenamed();
    await memory.edit('policies.yaml', 'policies:\n  agent: codex\n');
    const outcome = await memory.app.followNames();
    expect(outcome.done).toHaveLength(2);
    expect(memory.read('machine.yaml')).not.toMatch(/: acme$/m);
    expect((await diagnose(memory)).filter(({ area }) => area === 'config')).toMatchObject([
      { level: 'problem', finding: expect.stringContaining('policies.yaml:') as string },
      { level: 'problem', finding: 'The last valid committed version of policies.yaml stays in force.' },
    ]);
  });
});
