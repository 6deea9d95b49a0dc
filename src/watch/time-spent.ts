// What a look at all files costs. Invariant: on a busy machine it is the processor's time that counts, so that waiting for
// others is no reason to look less often.

/** Starts measuring; the result says how many ms this process has spent since, which is at most the time that went by. */
export function startTimer(): () => number {
  const startedAt = performance.now();
  const before = process.cpuUsage();
  return () => {
    const { user, system } = process.cpuUsage(before);
    return Math.min(performance.now() - startedAt, (user + system) / 1000);
  };
}
