// Loads a TypeScript module of the project in this process; Node 20 alone cannot.
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { runnerImport } from 'vite';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');

/** The exports of a module, by its path in the project. */
export async function runTypeScript(path) {
  const { module } = await runnerImport(join(root, path), { root, configFile: false, logLevel: 'error' });
  return module;
}
