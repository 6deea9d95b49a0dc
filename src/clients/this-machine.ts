// The facts of the machine that stet runs on, and what of a client is on it.

import fs from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import type { Client } from './clients.ts';
import { traces, type Machine } from './locations.ts';
import { reliableHome } from '../memory/home-folder.ts';
import { findProgram } from './own-program.ts';

/** Throws `bad-argument` where HOME is no absolute path. */
export function thisMachine(): Machine {
  const local = process.env['LOCALAPPDATA'];
  const packages = process.platform === 'win32' && local !== undefined ? namesIn(join(local, 'Packages')) : [];
  return { platform: process.platform, home: reliableHome(homedir()), env: process.env, packages };
}

/** Whether a client is installed, or has been. */
export function isInstalled(client: Client, machine: Machine): boolean {
  return (
    client.programs.some((program) => findProgram(program, machine) !== null) ||
    traces(client.id, machine).some((path) => fs.existsSync(path))
  );
}

function namesIn(folder: string): readonly string[] {
  try {
    return fs.readdirSync(folder);
  } catch {
    // No apps of the Store, or none that may be looked at: then their files are not there to be edited either.
    return [];
  }
}
