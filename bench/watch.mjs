// What watching costs and how fast it is, beside chokidar where it can do the same. Needs `npm run build`; Linux for the
// count of watches. Every measurement runs in a process of its own: `node bench/watch.mjs` runs all, and
// `node bench/watch.mjs edits stet 100 10000` one of them, in a memory of 100 folders with 10,000 files.
import { execFile, execFileSync } from 'node:child_process';
import {
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const EDITS = 60;
const FOLDERS = 200;
const IDLE_MS = 20_000;

/** The watchers that are compared. Each calls `tell(path)` with paths relative to the root, or with `everything`. */
const WATCHERS = {
  nothing: async () => ({ close: async () => {} }),
  stet: (root, tell) => openStet(root, tell, {}),
  'stet, polling': (root, tell) => {
    const open = () => {
      throw Object.assign(new Error('no watches'), { code: 'ENOSPC' });
    };
    return openStet(root, tell, { open });
  },
  'stet, reconciling every second': (root, tell) => openStet(root, tell, { reconcileMs: 1000, reconcileShare: 1 }),
  chokidar: (root, tell) => openChokidar(root, tell, {}),
  'chokidar, files ignored': (root, tell) =>
    openChokidar(root, tell, { ignored: (_, stats) => stats?.isFile() ?? false }),
};

async function openStet(root, tell, tuning) {
  const { openWatcher } = await import('../dist/watch/open-watcher.js');
  const onChange = ({ paths }) => {
    for (const path of paths === 'everything' ? [paths] : paths) tell(path);
  };
  const watcher = openWatcher({ root, onChange }, tuning);
  await watcher.ready;
  return watcher;
}

async function openChokidar(root, tell, options) {
  const { watch } = await import('chokidar');
  const watcher = watch(['personal', 'spaces'], { cwd: root, ignoreInitial: true, followSymlinks: false, ...options });
  watcher.on('all', (_, path) => tell(path));
  // With files ignored, only what lies below its own events can tell of files.
  if (options.ignored) {
    watcher.on('raw', (_, name, { watchedPath }) => tell(join(watchedPath, name ?? '').slice(root.length + 1)));
  }
  await new Promise((resolve) => {
    watcher.once('ready', resolve);
  });
  return watcher;
}

/** Each saves `personal/f0/0.md`, or the path it is given, as some program does. */
const SAVES = {
  'written in place': (path) => writeFileSync(path, `Changed at ${performance.now()}.\n`),
  'written beside, renamed over it': (path) => {
    writeFileSync(`${path}.tmp`, `Changed at ${performance.now()}.\n`);
    renameSync(`${path}.tmp`, path);
  },
  'renamed to a backup, written anew': (path) => {
    renameSync(path, `${path}~`);
    writeFileSync(path, `Changed at ${performance.now()}.\n`);
    unlinkSync(`${path}~`);
  },
  'new, in a new folder': (path, round) => {
    mkdirSync(`${path}-${round}`);
    writeFileSync(`${path}-${round}/new.md`, 'New.\n');
    return `${path}-${round}/new.md`;
  },
};

const MEASUREMENTS = {
  /** Milliseconds from before a save to the call that tells of it. */
  async edits(root, watcher) {
    const told = new Map();
    const isPolling = watcher.includes('polling');
    const open = await WATCHERS[watcher](root, (path) => told.set(path, performance.now()));
    for (const [name, save] of Object.entries(SAVES).slice(0, isPolling ? 1 : undefined)) {
      const times = [];
      for (let round = 0; round < EDITS; round += 1) {
        const before = performance.now();
        const path = save(join(root, `personal/f${round}/0.md`), round) ?? join(root, `personal/f${round}/0.md`);
        const relative = path.slice(root.length + 1);
        const deadline = before + (isPolling ? 40_000 : 1_000);
        while (!(told.get(relative) >= before || told.get('everything') >= before) && performance.now() < deadline) {
          await pause(1);
        }
        times.push((told.get(relative) ?? told.get('everything') ?? Infinity) - before);
        if (isPolling && round === 6) break;
        // Not in step with the watcher's own pauses.
        await pause(round % 40);
      }
      times.sort((a, b) => a - b);
      const at = (share) => times[Math.min(times.length - 1, Math.floor(times.length * share))].toFixed(1);
      report(watcher, name, `median ${at(0.5)}, 95% ${at(0.95)}, max ${at(1)} ms (${times.length} edits)`);
    }
    await open.close();
  },

  /** Time until ready, watches in /proc, memory, and processor time while nothing happens. */
  async idle(root, watcher, folders, files) {
    const startedAt = performance.now();
    const open = await WATCHERS[watcher](root, () => {});
    const readyMs = performance.now() - startedAt;
    const watches = countWatches();
    await pause(1000);
    const cpu = process.cpuUsage();
    const idleAt = performance.now();
    await pause(IDLE_MS);
    const { user, system } = process.cpuUsage(cpu);
    const share = (user + system) / 10 / (performance.now() - idleAt);
    report(
      watcher,
      `${folders} folders, ${files} files`,
      `ready in ${readyMs.toFixed(0)} ms, ${watches} watches, idle ${share.toFixed(2)}% of a core, ${process.memoryUsage().rss >> 20} MB`,
    );
    await open.close();
  },

  /** Changes that are never told: files written into new folders, and folders that are deleted and made again. */
  async lost(root, watcher) {
    const told = new Set();
    const open = await WATCHERS[watcher](root, (path) => told.add(path));
    const missing = (name) => {
      if (told.has('everything')) return 0;
      return Array.from({ length: FOLDERS }, (_, index) => name(index)).filter((path) => !told.has(path)).length;
    };
    for (let index = 0; index < FOLDERS; index += 1) {
      mkdirSync(join(root, `personal/n${index}`));
      await pause(index % 10);
      writeFileSync(join(root, `personal/n${index}/x.md`), 'x');
    }
    await pause(2000);
    report(
      watcher,
      'files written into new folders, not told',
      `${missing((n) => `personal/n${n}/x.md`)} of ${FOLDERS}`,
    );
    for (let index = 0; index < FOLDERS; index += 1) {
      rmSync(join(root, `personal/f${index}`), { recursive: true });
      mkdirSync(join(root, `personal/f${index}`));
    }
    await pause(3000);
    told.clear();
    for (let index = 0; index < FOLDERS; index += 1) writeFileSync(join(root, `personal/f${index}/z.md`), 'z');
    await pause(2000);
    report(watcher, 'files in folders made again, not told', `${missing((n) => `personal/f${n}/z.md`)} of ${FOLDERS}`);
    await open.close();
  },

  /** Milliseconds from the start of `git checkout` of a branch with 5,000 files to the last call about it. */
  async checkout(root, watcher) {
    // Without waiting for it in this thread: the watcher works while git does.
    const git = (...args) =>
      promisify(execFile)('git', ['-c', 'user.name=b', '-c', 'user.email=b@example.org', ...args], { cwd: root });
    await git('init', '-q', '-b', 'main');
    await git('add', '.');
    await git('commit', '-qm', 'one');
    await git('checkout', '-qb', 'many');
    fill(root, 50, 5000);
    await git('add', '.');
    await git('commit', '-qm', 'many');
    await git('checkout', '-q', 'main');
    let calls = 0;
    let lastAt = 0;
    const open = await WATCHERS[watcher](root, () => {
      calls += 1;
      lastAt = performance.now();
    });
    const startedAt = performance.now();
    await git('checkout', '-q', 'many');
    const tookMs = performance.now() - startedAt;
    await pause(3000);
    report(
      watcher,
      'checkout of 5,000 files',
      `git ${tookMs.toFixed(0)} ms, last told after ${(lastAt - startedAt).toFixed(0)} ms, ${calls} paths`,
    );
    await open.close();
  },
};

function fill(root, folders, files) {
  for (let folder = 0; folder < folders; folder += 1) {
    mkdirSync(join(root, `personal/f${folder}`), { recursive: true });
    for (let file = 0; file < files / folders; file += 1) {
      writeFileSync(join(root, `personal/f${folder}/${file}.md`), `Statement ${file} of folder ${folder}.\n`);
    }
  }
}

function countWatches() {
  let count = 0;
  for (const fd of readdirSync('/proc/self/fdinfo')) {
    try {
      count += readFileSync(`/proc/self/fdinfo/${fd}`, 'utf8').match(/^inotify /gm)?.length ?? 0;
    } catch {
      // The descriptor that listed the folder.
    }
  }
  return count;
}

function report(watcher, what, result) {
  console.log(`| ${watcher} | ${what} | ${result} |`);
}

const [measurement, ...args] = process.argv.slice(2);
if (measurement) {
  const root = mkdtempSync(join(tmpdir(), 'stet-bench-watch-'));
  const [, folders, files] = args;
  mkdirSync(join(root, 'spaces'));
  fill(root, Number(folders), Number(files));
  try {
    await MEASUREMENTS[measurement](root, ...args);
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
} else {
  const run = (...command) =>
    execFileSync(process.execPath, [fileURLToPath(import.meta.url), ...command], { stdio: 'inherit' });
  console.log(`Node ${process.versions.node}, ${process.platform}\n\n| watcher | what | result |\n|---|---|---|`);
  for (const watcher of ['stet', 'chokidar', 'chokidar, files ignored', 'stet, polling'])
    run('edits', watcher, '100', '10000');
  for (const watcher of ['stet', 'chokidar', 'chokidar, files ignored']) {
    run('lost', watcher, String(FOLDERS), String(FOLDERS));
    run('checkout', watcher, '1', '1');
  }
  for (const watcher of Object.keys(WATCHERS)) run('idle', watcher, '100', '10000');
  for (const size of [
    ['10', '1000'],
    ['1000', '10000'],
    ['100', '100000'],
  ])
    run('idle', 'stet', ...size);
}
