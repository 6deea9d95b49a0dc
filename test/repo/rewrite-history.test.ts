// What a purge says when git cannot go on; its own tests, of the command, are in test/purge.test.ts.
import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { rewriteHistory } from '../../src/repo/rewrite-history.ts';
import { temporaryRepository } from './temporary-repository.ts';

it('tells why there is no backup, without how far git was, and rewrites nothing', async () => {
  await using memory = await temporaryRepository();
  for (const at of [1, 2, 3, 4, 5, 6, 7, 8]) memory.write(`personal/shelf-${at}.md`, `Shelf ${at} holds jars.\n`);
  memory.git('add', '-A');
  memory.git('commit', '-q', '-m', 'mine');
  const head = memory.git('rev-parse', 'HEAD');
  const blob = memory.git('rev-parse', 'HEAD:personal/shelf-4.md');
  rmSync(join(memory.root, '.git', 'objects', blob.slice(0, 2), blob.slice(2)));
  const stages = new Set<string>();
  const bundle = join(memory.root, 'backup.bundle');
  const edit = { drops: () => true, message: (message: string) => message };
  const rewriting = rewriteHistory(memory.root, edit, bundle, (_done, _total, stage = '') => stages.add(stage));
  const failure = await rewriting.then(
    () => null,
    (error: unknown) => error,
  );
  expect(failure).toMatchObject({ failure: { code: 'git-failed', command: 'git bundle' } });
  expect(String(failure)).toContain(`unable to read ${blob}`);
  expect(String(failure)).not.toMatch(/objects:|\r/);
  // It was far enough to have had some to tell.
  expect([...stages]).toContain('writing the backup, counting objects');
  expect(memory.git('rev-parse', 'HEAD')).toBe(head);
  expect(existsSync(bundle)).toBe(false);
});
