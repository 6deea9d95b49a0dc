// Exports with history that are not taken, and imports of them that are cut short. Oracle: the git program.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { text as readAll } from 'node:stream/consumers';
import { setImmediate } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { commitByHand, linesOf, writeBytes, writeLines } from './export-scene.ts';
import { InProcessMemory } from './in-process-memory.ts';
import { ENTRY, TemporaryMemory } from './temporary-memory.ts';

describe('an export with history', () => {
  it('overwrites no file that somebody changed or made', async () => {
    await using from = await InProcessMemory.make();
    await using to = await InProcessMemory.make();
    writeBytes(from, 'notes.txt', Buffer.from('Theirs.\n'));
    commitByHand(from, 1, 'Notes');
    writeBytes(to, 'notes.txt', Buffer.from('Mine.\n'));
    const head = to.git('rev-parse', 'HEAD');
    const file = await writeLines(to, await linesOf(from));
    await expect(to.app.importLines({ file })).rejects.toThrow(
      /notes\.txt: this file is in the way \(in the way\).*Nothing was imported\. Import into a new memory\.$/,
    );
    expect([to.git('rev-parse', 'HEAD'), to.read('notes.txt')]).toEqual([head, 'Mine.\n']);
  });

  it('is refused with a secret in any version, unless the user says that it is none', async () => {
    await using from = await InProcessMemory.make();
    await using to = await InProcessMemory.make();
    const token = `ghp_${'a1B2c3D4e5F6'.repeat(3)}`;
    await from.edit('personal/a.md', `Tea.\n\nThe token is ${token}\n`);
    commitByHand(from, 1, 'Oops');
    await from.edit('personal/a.md', 'Tea is at four.\n');
    commitByHand(from, 2, 'Take it out');
    const lines = await linesOf(from);
    const file = await writeLines(to, lines);
    const line = lines.findIndex(({ content }) => content?.includes(token)) + 1;
    const head = to.git('count-objects');
    await expect(to.app.importLines({ file })).rejects.toMatchObject({
      failure: {
        code: 'bad-file',
        path: file,
        line,
        reason: expect.stringMatching(
          /^line 3 of personal\/a\.md in the commit [0-9a-f]{8} looks like a secret \(GitHub .*\)$/,
        ) as string,
      },
    });
    expect(to.git('count-objects')).toBe(head);
    expect(await to.app.importLines({ file, noSecrets: true })).toMatchObject({ history: { status: 'taken' } });
    expect([...(await (await to.repository()).sync.state.confirmed())]).toHaveLength(1);
  });

  const version = {
    type: 'version',
    commit: 'c0ffee',
    time: '2026-09-15T10:31:04Z',
    author: 'Ann',
    subject: 'init: x',
    path: 'stet.yaml',
    content: 'version: 1\n',
  };
  const other = { ...version, commit: 'beef' };
  it.each([
    ['its path "../outside.md" is none in a memory: it is no plain relative path', { ...other, path: '../outside.md' }],
    ['its path "/etc/passwd" is none in a memory: it is no plain relative path', { ...other, path: '/etc/passwd' }],
    ['its path ".git/config" is none in a memory: it leads into `.git`', { ...other, path: '.git/config' }],
    ['its path "a/.GIT/config" is none in a memory: it leads into `.git`', { ...other, path: 'a/.GIT/config' }],
    ['its path ".git\\\\config" is none in a memory: it ', { ...other, path: '.git\\config' }],
    ['its path "a\\u0000b" is none in a memory: it holds a NUL character', { ...other, path: 'a\0b' }],
    ['its path is missing, or no text', { ...other, path: 7 }],
    ['"spaces.yaml" is no path of a line of type item', { type: 'item', path: 'spaces.yaml', content: '' }],
    ['"machine.yaml" is no path of a line of type config', { type: 'config', path: 'machine.yaml', content: '' }],
    ['"forgotten/x.yaml" is no path of a line of type', { type: 'tombstone', path: 'forgotten/x.yaml', content: '' }],
    ['"link" is no type of a line', { type: 'link', path: 'personal/a.md', content: '' }],
    ['this is no line of an export', { path: 'personal/a.md', content: '' }],
    ['this is no line of an export', ['version']],
    ['its content is no base64', { ...other, encoding: 'base64', content: 'no base64' }],
    ['its encoding "rot13" is unknown', { ...other, encoding: 'rot13' }],
    ['its content is missing, or no text', { ...other, content: 7 }],
    ['its time, "yesterday", is no time', { ...other, time: 'yesterday' }],
    ['its authored, "2026-02-31T10:00:00Z", is no time', { ...other, authored: '2026-02-31T10:00:00Z' }],
    ['its message holds a NUL character', { ...other, message: 'a\0b' }],
    ['its author is missing, or no text', { ...other, author: null }],
    ['the commit c0ffee has "stet.yaml" twice', version],
    ['it tells of the commit c0ffee what its other lines do not', { ...version, path: 'a.txt', author: 'Eve' }],
  ])('is refused, and nothing is written, since %s', async (reason, line) => {
    await using to = await InProcessMemory.make();
    const before = [to.git('rev-parse', 'HEAD'), to.git('count-objects'), to.git('status', '--porcelain')];
    const file = await writeLines(to, [version, line]);
    await expect(to.app.importLines({ file })).rejects.toMatchObject({
      failure: {
        code: 'bad-file',
        path: file,
        line: 2,
        reason: expect.stringContaining(reason) as string,
      },
    });
    expect([to.git('rev-parse', 'HEAD'), to.git('count-objects'), to.git('status', '--porcelain')]).toEqual(before);
  });

  it('is refused where bytes are no text, lines of a commit are apart, or no memory comes of it', async () => {
    await using to = await InProcessMemory.make();
    const file = join(to.folder, 'memory.jsonl');
    await writeFile(
      file,
      Buffer.concat([Buffer.from('{"type":"config","path":"'), Buffer.from([0xff]), Buffer.from('"}\n')]),
    );
    await expect(to.app.importLines({ file })).rejects.toThrow('memory.jsonl:1: this is no line of an export');
    await writeLines(to, [version, other, { ...version, path: 'b.txt' }]);
    await expect(to.app.importLines({ file })).rejects.toThrow(
      ':3: the lines of the commit c0ffee do not stand together',
    );
    await writeLines(to, [version, { ...other, path: 'stet.yaml', content: null }]);
    await expect(to.app.importLines({ file })).rejects.toThrow(':2: this is no whole history of a memory');
    expect(to.git('rev-list', '--count', 'HEAD')).toBe('1\n');
  });
});

describe('an import of a history', () => {
  it('stops when it is asked to, with nothing imported', async () => {
    await using from = await InProcessMemory.make();
    await using to = await InProcessMemory.make();
    await from.app.remember(await from.session(null), { text: 'Tea is at four.' });
    const file = await writeLines(to, await linesOf(from));
    const head = to.git('rev-parse', 'HEAD');
    for (const step of [1, 2]) {
      const stop = new AbortController();
      const onProgress = (done: number) => {
        if (done === step) stop.abort();
      };
      await expect(to.app.importLines({ file, onProgress, signal: stop.signal })).rejects.toMatchObject({
        name: 'AbortError',
      });
    }
    expect([to.git('rev-parse', 'HEAD'), to.items()]).toEqual([head, []]);
    expect(await to.app.importLines({ file })).toMatchObject({ imported: 4, history: { status: 'taken' } });
    expect(await to.app.importLines({ file })).toMatchObject({
      imported: 0,
      unchanged: 4,
      history: { status: 'same' },
    });
  });

  const CRASHES: ReadonlyArray<[string, (root: string, head: string) => boolean]> = [
    ['while commits are written', (root) => readdirSync(join(root, '.git', 'objects')).length > 100],
    ['while files are put in place', (root) => existsSync(join(root, '.git', 'stet', 'merge.json'))],
    ['when HEAD has moved', (root, head) => readFileSync(join(root, '.git', 'refs', 'heads', 'main'), 'utf8') !== head],
  ];
  it.runIf(process.platform !== 'win32')('ends with 130 at Ctrl-C, and nothing is imported', async () => {
    await using from = await InProcessMemory.make();
    for (let at = 0; at < 60; at++) {
      await from.app.remember(await from.session(null), {
        text: `Shelf ${at} holds ${at * 7} jars of ${at * 3} kinds.`,
      });
    }
    const file = await writeLines(from, await linesOf(from));
    await using to = await TemporaryMemory.make();
    const env = { ...process.env, STET_HOME: to.root };
    const child = spawn(process.execPath, [ENTRY, 'import', 'jsonl', file], { env, stdio: ['ignore', 'pipe', 'pipe'] });
    const ended = once(child, 'exit');
    const said = Promise.all([readAll(child.stdout), readAll(child.stderr)]);
    while (child.exitCode === null && readdirSync(to.path('.git/objects')).length < 60) await setImmediate();
    child.kill('SIGINT');
    expect(await ended).toEqual([130, null]);
    expect(await said).toEqual(['', 'stet: Stopped. Nothing was imported.\n']);
    expect(await to.items()).toEqual([]);
    expect(await to.git('rev-list', '--count', 'HEAD')).toBe('1\n');
    expect(await to.git('fsck', '--strict', '--no-dangling')).toBe('');
  });

  it.runIf(process.platform !== 'win32').each(CRASHES)(
    'is ended by the same command after kill -9 %s, also without git',
    async (_, isThere) => {
      await using from = await InProcessMemory.make();
      for (let at = 0; at < 60; at++) {
        await from.app.remember(await from.session(null), {
          text: `Shelf ${at} holds ${at * 7} jars of ${at * 3} kinds.`,
        });
      }
      writeBytes(from, 'personal/by-hand.md', Buffer.from('Tea is at four.\r\n'));
      await from.open();
      const file = await writeLines(from, await linesOf(from));
      await using to = await TemporaryMemory.make();
      const head = await readFile(to.path('.git/refs/heads/main'), 'utf8');
      const env = { ...process.env, STET_HOME: to.root, PATH: '/nowhere' };
      const child = spawn(process.execPath, [ENTRY, 'import', 'jsonl', file], { env, stdio: 'ignore' });
      const ended = once(child, 'exit');
      while (child.exitCode === null && !isThere(to.root, head)) await setImmediate();
      child.kill('SIGKILL');
      expect(await ended).toEqual([null, 'SIGKILL']);

      const again = await to.stetWith({ env: { PATH: '/nowhere' } }, 'import', 'jsonl', file, '--json');
      expect(again).toMatchObject({ code: 0, stderr: '' });
      expect(JSON.parse(again.stdout)).toMatchObject({ skipped: [], history: { commits: 62 } });
      expect((await to.git('rev-parse', 'HEAD')).trim()).toBe(from.git('rev-parse', 'HEAD').trim());
      expect(await to.git('fsck', '--strict', '--no-dangling')).toBe('');
      expect(await to.git('status', '--porcelain')).toBe('');
      for (const path of from.items()) expect(await readFile(to.path(path))).toEqual(readFileSync(from.path(path)));
      expect((await to.stet('export', '--history')).stdout).toBe(await readFile(file, 'utf8'));
    },
  );
});
