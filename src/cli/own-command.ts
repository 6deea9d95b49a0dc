// How other programs start this very stet.

import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { stableNodePath, type OwnCommand } from '../app-without-memory.ts';

export function ownCommand(): OwnCommand {
  return {
    node: stableNodePath(process.execPath, existsSync),
    entry: fileURLToPath(new URL('main.js', import.meta.url)),
  };
}
