// Any sequence of changes, committed by stet, is what the real git says it is.
import { rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { says, temporaryRepository } from './temporary-repository.ts';

/** Names whose order differs between bytes, characters and folders ("a/" comes after "a.md" and before "a0"). */
const NAMES = ['a', 'a.md', 'a-b', 'a0', 'B.md', 'é.md', 'z.md', '\u{1F9E0}.md', '\uFF5E.md'];

const path = fc
  .array(fc.constantFrom(...NAMES), { minLength: 1, maxLength: 3 })
  .map((parts) => `personal/${parts.join('/')}`);
const change = fc.record({ path, text: fc.option(fc.constantFrom('', 'one\n', 'two\n', 'three\n')) });

test('trees, index and status agree with git after any changes', async () => {
  await using memory = await temporaryRepository();
  await memory.remember('personal/first.md', 'first\n');
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.array(change, { minLength: 1, maxLength: 4 }), { minLength: 1, maxLength: 5 }),
      async (commits) => {
        for (const changes of commits) {
          const taken = new Set<string>();
          for (const { path, text } of changes) {
            // A folder in the place of the file, or a file in the place of a folder, makes way as by `rm -r`.
            const above = path.split('/').map((_, depth, parts) => parts.slice(0, depth + 1).join('/'));
            for (const folder of above.slice(1))
              if (!isFolder(memory.root, folder) || folder === path)
                rmSync(join(memory.root, folder), { recursive: true, force: true });
            if (text !== null) memory.write(path, text);
            taken.add(path);
          }
          const differing = memory.git('status', '--porcelain', '-z', '--untracked-files=all', '--no-renames');
          for (const entry of differing.split('\0').filter(Boolean)) taken.add(entry.slice(3));
          await memory.repository.exclusive((transaction) => transaction.commit([...taken], says('edit: some', null)));
          expect(memory.git('status', '--porcelain')).toBe('');
          expect(memory.git('diff', '--cached', '--name-only')).toBe('');
          expect(memory.git('write-tree')).toBe(memory.git('rev-parse', 'HEAD^{tree}'));
        }
      },
    ),
    { numRuns: 12 },
  );
  memory.checkHealth();
});

function isFolder(root: string, path: string): boolean {
  return statSync(join(root, path), { throwIfNoEntry: false })?.isDirectory() === true;
}
