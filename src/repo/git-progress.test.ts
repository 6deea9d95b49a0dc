import { expect, it } from 'vitest';
import { tellProgress } from './git-progress.ts';

it('tells the stages of git that have a count, its own and those of the other side', () => {
  const told: unknown[] = [];
  const hear = tellProgress((...progress) => told.push(progress));
  hear('remote: Enumerating objects: 20, done.\nremote: Counting objects: 100% (20/20), done.\n');
  hear('Receiving objects:  45% (9/20), 1.20 MiB | 2.00 MiB/s\rReceiving obj');
  hear('ects:  50% (10/20)\rReceiving objects: 100% (20/20), done.\nResolving deltas: 100% (3/3), done.\n');
  expect(told).toEqual([
    [20, 20, 'counting objects'],
    [9, 20, 'receiving objects'],
    [20, 20, 'receiving objects'],
    [3, 3, 'resolving deltas'],
  ]);
});
