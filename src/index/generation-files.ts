// Derived files that are replaced as a whole: one name, many generations. Invariant: a file is complete under its name
// from the moment it has that name, and no file is ever renamed over another: Windows refuses that while a process reads
// it. What a crash leaves behind is dropped by a later save.
import { randomBytes } from 'node:crypto';
import {
  closeSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';

/** Which files are generations of one thing: `<prefix>.<time>-<random><suffix>`. */
export interface GenerationName {
  readonly prefix: string;
  /** With its dot. */
  readonly suffix: string;
}

const TEMPORARY = '.tmp';

/** No save takes so long. */
const ABANDONED_MS = 600_000;

/** The newest generation that `decode` accepts, or null. Never throws: what cannot be read is made again. */
export function readNewest<T>(folder: string, name: GenerationName, decode: (bytes: Buffer) => T | null): T | null {
  for (const file of list(folder, name, name.suffix).reverse()) {
    try {
      const value = decode(readFileSync(join(folder, file)));
      if (value !== null) return value;
    } catch {
      // Another process may have dropped it meanwhile, or the disk fails: an older one or a rebuild will do.
    }
  }
  return null;
}

/** Writes a new generation, makes it durable, and drops the older ones. Throws what the file system throws. */
export function writeGeneration(folder: string, name: GenerationName, bytes: Uint8Array): void {
  mkdirSync(folder, { recursive: true });
  const older = list(folder, name, name.suffix);
  // Names sort by time; of two in one millisecond either may be read, because contents are checked.
  const stamp = Date.now().toString(36).padStart(10, '0');
  const file = `${name.prefix}.${stamp}-${randomBytes(3).toString('hex')}${name.suffix}`;
  const temporary = join(folder, `${file}${TEMPORARY}`);
  try {
    const descriptor = openSync(temporary, 'wx');
    try {
      for (let written = 0; written < bytes.length;) written += writeSync(descriptor, bytes, written);
      fsyncSync(descriptor);
    } finally {
      closeSync(descriptor);
    }
    renameSync(temporary, join(folder, file));
  } catch (error) {
    rmSync(temporary, { force: true });
    throw error;
  }
  for (const old of [...older, ...abandoned(folder, name)]) {
    try {
      rmSync(join(folder, old), { force: true });
    } catch {
      // Open in another process on Windows: the next save drops it.
    }
  }
}

function abandoned(folder: string, name: GenerationName): string[] {
  return list(folder, name, `${name.suffix}${TEMPORARY}`).filter((file) => {
    const stat = statSync(join(folder, file), { throwIfNoEntry: false });
    return stat !== undefined && Date.now() - stat.mtimeMs > ABANDONED_MS;
  });
}

function list(folder: string, { prefix }: GenerationName, ending: string): string[] {
  try {
    return readdirSync(folder)
      .filter((file) => file.startsWith(`${prefix}.`) && file.endsWith(ending))
      .sort();
  } catch {
    return [];
  }
}
