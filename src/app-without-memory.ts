// What commands do without an open memory, put together like app.ts, and apart from it: loading all of that takes longer
// than any of this.

import { existsSync } from 'node:fs';
import { stableNodePath } from './clients/server-entry.ts';
import { CLIENTS } from './clients/clients.ts';
import { thisMachine } from './clients/this-machine.ts';
import { setupClients, type SetupReport, type SetupRequest } from './service/setup-clients.ts';

export { stableNodePath } from './clients/server-entry.ts';
export { isTemporaryInstall } from './clients/server-entry.ts';
export { initMemory, isMemory } from './service/init-memory.ts';
export { knownNames } from './service/known-names.ts';
export { runMergeDriver } from './service/merge-driver.ts';
export type { OwnCommand } from './repo/merge-driver-config.ts';
export type { FileChange } from './service/change-client-file.ts';
export type { SetupReport } from './service/setup-clients.ts';

/** Registers this installation's server in the clients of this machine, or takes it out. */
export function setup(request: Omit<SetupRequest, 'machine' | 'node' | 'now'>): Promise<SetupReport> {
  return setupClients({
    ...request,
    machine: thisMachine(),
    node: stableNodePath(process.execPath, existsSync),
    now: () => new Date(),
  });
}

/** The clients that `setup` knows. */
export function clientIds(): readonly string[] {
  return CLIENTS.map(({ id }) => id);
}
