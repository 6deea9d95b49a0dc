import { changePolicy } from './change-policy.ts';
import type { Call } from './command.ts';

export const run = (call: Call): Promise<void> => changePolicy(call, 'deny');
