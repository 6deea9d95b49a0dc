// Turns a TypeScript entry into one file that a child process can run.
import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'vite';

export interface Bundle extends Disposable {
  /** Absolute path of the module to run. */
  readonly path: string;
}

export async function bundle(entry: URL): Promise<Bundle> {
  const folder = mkdtempSync(join(os.tmpdir(), 'stet-bundle-'));
  await build({
    configFile: false,
    logLevel: 'silent',
    ssr: { noExternal: true },
    build: {
      ssr: fileURLToPath(entry),
      outDir: folder,
      emptyOutDir: false,
      rollupOptions: { output: { entryFileNames: '[name].mjs', chunkFileNames: '[name].mjs' } },
    },
  });
  return {
    path: join(folder, basename(fileURLToPath(entry)).replace(/\.ts$/, '.mjs')),
    [Symbol.dispose]: () => rmSync(folder, { recursive: true, force: true }),
  };
}
