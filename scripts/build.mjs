// Builds `dist/` from `src/`: our code in chunks in `dist/cli`, so that a start reads few files, and a command only its own.
// The packages that every start loads are in the chunks too, with their licences beside them; all others stay outside.
// Beside it stand the modules one by one, for the benchmarks; they are no part of the package.

import { chmodSync, copyFileSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { build } from 'rolldown';
import { root } from './prepare.mjs';

/** Hundreds of files each, of which a server's start reads one or two so. */
const BUNDLED = ['commander', '@modelcontextprotocol/server', '@modelcontextprotocol/core', 'zod'];

/** Files of their own, because threads start from files: `name.mjs` beside what starts it. */
const WORKERS = readdirSync(join(root, 'src/index')).filter((name) => name.endsWith('-worker.mjs'));

rmSync(join(root, 'dist'), { recursive: true, force: true });
const isPackage = (id) => /^[^./]/.test(id) && !/^[a-z]:[\\/]/i.test(id);
const { output } = await build({
  cwd: root,
  input: {
    main: 'src/cli/main.ts',
    ...Object.fromEntries(WORKERS.map((file) => [basename(file, '.mjs'), `src/index/${file}`])),
  },
  platform: 'node',
  external: (id) => isPackage(id) && !BUNDLED.includes(packageOf(id)),
  output: {
    // Modules find files beside and above them: from here package.json and memory-template/ are where they are from src/cli.
    dir: 'dist/cli',
    entryFileNames: ({ name }) => (WORKERS.includes(`${name}.mjs`) ? '[name].mjs' : '[name].js'),
    chunkFileNames: '[name]-[hash].js',
  },
  logLevel: 'warn',
});
chmodSync(join(root, 'dist/cli/main.js'), 0o755);
writeFileSync(join(root, 'dist/THIRD-PARTY.txt'), licences(output.flatMap(({ moduleIds = [] }) => moduleIds)));

await build({
  cwd: root,
  input: modules(),
  platform: 'node',
  external: isPackage,
  output: { dir: 'dist', preserveModules: true, preserveModulesRoot: 'src', entryFileNames: '[name].js' },
  logLevel: 'warn',
});
for (const file of WORKERS) copyFileSync(join(root, 'src/index', file), join(root, 'dist/index', file));

/** All of ours but the command line. */
function modules() {
  return readdirSync(join(root, 'src'), { recursive: true })
    .map((path) => `src/${path.replaceAll('\\', '/')}`)
    .filter((path) => path.endsWith('.ts') && !/\.(?:test|d)\.ts$|^src\/cli\//.test(path));
}

/** `@scope/name` or `name` of what an import names. */
function packageOf(id) {
  return id
    .split('/')
    .slice(0, id.startsWith('@') ? 2 : 1)
    .join('/');
}

/** The licence of every package that a module of these is from. */
function licences(modules) {
  const folders = modules.flatMap((id) => {
    const path = id.replaceAll('\\', '/');
    const at = path.lastIndexOf('/node_modules/');
    return at < 0 ? [] : [`${path.slice(0, at)}/node_modules/${packageOf(path.slice(at + '/node_modules/'.length))}`];
  });
  const sorted = [...new Set(folders)].toSorted((a, b) => (a < b ? -1 : 1));
  const texts = sorted.map((folder) => {
    const { name, version } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
    const file = readdirSync(folder).find((each) => /^licen[cs]e/i.test(each));
    if (file === undefined) throw new Error(`${name} is bundled and has no licence file`);
    return `${name} ${version}\n\n${readFileSync(join(folder, file), 'utf8').trim()}\n`;
  });
  return `dist/cli holds parts of these packages.\n\n${texts.join(`\n${'-'.repeat(80)}\n\n`)}`;
}
