// `stet doctor`: everything that waits for the user, each with what to do about it.

import { describeDoubt } from './disappearances.ts';
import type { HandCommits } from './hand-commits.ts';
import type { Memory } from './memory.ts';

/** One sentence or two: what is wrong, and what to do. */
export type Finding = string;

export async function diagnose(memory: Memory, hand: HandCommits): Promise<readonly Finding[]> {
  await memory.refresh();
  const { table, config, repository } = memory;
  const quarantined = table.quarantined();
  const broken = new Set(quarantined.map(({ path }) => path));
  const held = (await hand.explain()).filter(({ path, isHeld }) => isHeld && !broken.has(path));
  const findings = [
    describeDoubt(memory.doubt),
    ...Array.from(
      memory.unreadable,
      ([path, errno]) => `${path} cannot be read (${errno}); what it held stays in force.`,
    ),
    ...quarantined.flatMap(({ path, problems }) => problems.map(({ line, message }) => `${path}:${line}: ${message}`)),
    ...held.map(({ path, why }) => `${path} is not committed: ${why}.`),
    ...(await repository.pending()).map(
      ({ message, reason }) => `A commit waits for git (${message.subject}): ${reason}.`,
    ),
    ...config.warnings,
    memory.handProblem,
    memory.backgroundProblem,
  ];
  return findings.filter((finding) => finding !== null);
}
