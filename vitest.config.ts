import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['src/**/*.test.ts', 'test/**/*.test.ts', 'bench/**/*.test.ts'],
    // Tests spawn servers and git, and two cores are shared with others: the limit is there to end a hang.
    testTimeout: 180_000,
    hookTimeout: 180_000,
    expect: { poll: { interval: 20, timeout: 30_000 } },
    // Vitest leaves one core free, and of two that is half: tests that wait for git and servers leave cores idle anyway.
    maxWorkers: Math.max(2, availableParallelism() - 1),
    env: {
      GIT_CONFIG_GLOBAL: process.platform === 'win32' ? 'NUL' : '/dev/null',
      GIT_CONFIG_SYSTEM: process.platform === 'win32' ? 'NUL' : '/dev/null',
      GIT_CONFIG_NOSYSTEM: '1',
    },
  },
});
