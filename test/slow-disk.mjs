// Loaded before the server (`node --import`): every look at a file of one folder takes its time, as on a network share or a
// disk that wakes up, and the first reading of an item is told on stderr. `STET_SLOW`: the folder, real and absolute;
// `STET_SLOW_MS`: how long each call takes.

import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';

const folder = process.env.STET_SLOW;
const delayMs = Number(process.env.STET_SLOW_MS);
const cell = new Int32Array(new SharedArrayBuffer(4));
let reads = 0;

for (const name of ['lstatSync', 'statSync', 'openSync', 'readdirSync', 'renameSync', 'writeFileSync']) {
  const call = fs[name];
  fs[name] = (path, ...rest) => {
    if (String(path).startsWith(folder)) {
      if (name === 'openSync' && /[\\/]personal[\\/].*\.md$/.test(String(path)) && reads++ === 0) {
        process.stderr.write('slow: an item is read\n');
      }
      Atomics.wait(cell, 0, 0, delayMs);
    }
    return call(path, ...rest);
  };
}
const { fsync } = fs;
fs.fsync = (handle, done) => void setTimeout(() => fsync(handle, done), delayMs);
syncBuiltinESMExports();
