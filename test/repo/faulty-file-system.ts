// A file system that fails when it is told to.
import { errnoError, nodeFileSystem, type FileSystem } from '../../src/repo/file-system.ts';

export interface Faults {
  readonly fs: FileSystem;
  /** From now on the call of this number (from 0) fails, and with `lasting` all after it. */
  arm(errno: string, call: number, lasting: boolean): void;
  /** Everything works again. Says whether anything failed. */
  disarm(): boolean;
}

export function faultyFileSystem(): Faults {
  let armed: { errno: string; call: number; lasting: boolean } | null = null;
  let calls = 0;
  let failed = false;
  const strike = (syscall: string, path: string): void => {
    if (armed === null) return;
    const isHit = armed.lasting ? calls >= armed.call : calls === armed.call;
    calls++;
    if (!isHit) return;
    failed = true;
    throw errnoError(armed.errno, syscall, path);
  };
  const fs = new Proxy(nodeFileSystem, {
    get(target, name: keyof FileSystem) {
      const call = target[name] as (...args: unknown[]) => Promise<unknown>;
      return async (path: string, ...rest: unknown[]) => {
        strike(name, path);
        return call(path, ...rest);
      };
    },
  });
  return {
    fs,
    arm(errno, call, lasting) {
      armed = { errno, call, lasting };
      calls = 0;
      failed = false;
    },
    disarm() {
      armed = null;
      return failed;
    },
  };
}
