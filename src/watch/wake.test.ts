import { expect, it } from 'vitest';
import { Wake } from './wake.ts';

it('a ring ends a sleep', async () => {
  const wake = new Wake();
  setImmediate(() => wake.ring());
  await expect(wake.sleep(2 ** 30)).resolves.toBeUndefined();
});

it('a ring before the sleep is not lost, and counts once', async () => {
  const wake = new Wake();
  wake.ring();
  wake.ring();
  await wake.sleep(2 ** 30);
  const order: string[] = [];
  const sleep = wake.sleep(2 ** 30).then(() => order.push('woke'));
  await new Promise(setImmediate);
  order.push('rang');
  wake.ring();
  await sleep;
  expect(order).toEqual(['rang', 'woke']);
});

it('a sleep ends by itself', async () => {
  await expect(new Wake().sleep(1)).resolves.toBeUndefined();
});
