// A watcher in a process of its own: it must not keep one alive.
import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readFile, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import ts from 'typescript';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const run = promisify(execFile);

let folder = '';

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'stet-watch-process-'));
  await writeFile(join(folder, 'package.json'), '{"type":"module"}');
  const source = join(import.meta.dirname, '../src/watch');
  for (const name of await readdir(source)) {
    if (name.endsWith('.test.ts')) continue;
    const compilerOptions = {
      target: ts.ScriptTarget.ES2023,
      module: ts.ModuleKind.ESNext,
      verbatimModuleSyntax: true,
      rewriteRelativeImportExtensions: true,
    };
    const { outputText } = ts.transpileModule(await readFile(join(source, name), 'utf8'), { compilerOptions });
    await writeFile(join(folder, name.replace(/ts$/, 'js')), outputText);
  }
  await mkdir(join(folder, 'memory/personal'), { recursive: true });
});

afterAll(() => rm(folder, { recursive: true, force: true }));

describe('a process ends by itself with an open watcher', () => {
  it.each([
    ['that watches', 'memory', '{}', 'watching'],
    ['that polls', 'memory', "{ open: () => { throw Object.assign(new Error(), { code: 'ENOSPC' }); } }", 'polling'],
    ['that looks for a missing memory', 'nothing', '{}', 'polling'],
  ])('%s', async (_, root, tuning, state) => {
    const script = `
      import { openWatcher } from './open-watcher.js';
      const watcher = openWatcher({ root: ${JSON.stringify(root)}, onChange: () => {} }, ${tuning});
      await watcher.ready;
      console.log(watcher.health().state);`;
    const { stdout } = await run(process.execPath, ['--input-type=module', '-e', script], {
      cwd: folder,
      timeout: 30_000,
    });
    expect(stdout.trim()).toBe(state);
  });
});
