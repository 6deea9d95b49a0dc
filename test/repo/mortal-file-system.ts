// A file system under which the process kills itself at a given call.
import { nodeFileSystem, type FileSystem } from '../../src/repo/file-system.ts';

/** `lifetime`: how many calls it lives to make. */
export function mortalFileSystem(lifetime: number): FileSystem {
  let made = 0;
  return new Proxy(nodeFileSystem, {
    get(target, key: keyof FileSystem) {
      const call = target[key] as (...args: unknown[]) => Promise<unknown>;
      return async (...args: unknown[]) => {
        if (made++ === lifetime) process.kill(process.pid, 'SIGKILL');
        return call(...args);
      };
    },
  });
}
