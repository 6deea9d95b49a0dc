// Who may see what: setting, listing and explaining rules. Each change is a commit.

import { KNOWN_AGENTS, normaliseAgent } from '../memory/agent-name.ts';
import { decide, setPolicy, type Effect, type PolicyRule } from '../memory/policies.ts';
import { PERSONAL_KEY } from '../memory/space-key.ts';
import type { CommitOutcome } from '../repo/repository.ts';
import { subjectLine } from './commit-message.ts';
import { knownSpace } from './list-items.ts';
import type { Memory } from './memory.ts';
import { listDeliveries } from './why.ts';
import { editYamlFiles } from './yaml-edit.ts';

export interface PolicyChange {
  readonly agent: string;
  readonly space: string;
  readonly effect: Effect;
  /** Null when the rule was there already. */
  readonly commit: CommitOutcome | null;
  readonly warnings: readonly string[];
}

export interface PolicyExplanation {
  readonly agent: string;
  readonly space: string;
  readonly allowed: boolean;
  /** Which rule decided, in words. */
  readonly rule: string;
}

/** `agent` is a client's name or `*`; `space` a space's, `personal`, or `*` (every named space). */
export async function changePolicy(
  memory: Memory,
  agent: string,
  space: string,
  effect: Effect,
): Promise<PolicyChange> {
  return memory.repository.exclusive(async (transaction) => {
    await memory.refresh();
    const where = space === '*' ? '*' : (knownSpace(memory, space, 'SPACE') ?? PERSONAL_KEY);
    const who = agent === '*' ? '*' : normaliseAgent(agent);
    const changed = await editYamlFiles(memory, transaction, [
      { path: 'policies.yaml', argument: 'AGENT', edit: (text) => setPolicy(text, agent, where, effect) },
    ]);
    const commit = changed.has('policies.yaml')
      ? await transaction.commit(['policies.yaml'], {
          subject: subjectLine('policy', `${effect} ${who} ${where}`),
          trailers: [['Stet-Space', where]],
          author: null,
        })
      : null;
    await memory.take(['policies.yaml']);
    return { agent: who, space: where, effect, commit, warnings: warningsFor(memory, who, effect) };
  });
}

export async function listPolicies(
  memory: Memory,
): Promise<{ readonly rules: readonly PolicyRule[]; readonly closed: boolean; readonly warnings: readonly string[] }> {
  await memory.refresh();
  const { policies, warnings } = memory.config;
  return { ...policies, warnings };
}

export async function explainPolicy(memory: Memory, agent: string, space: string): Promise<PolicyExplanation> {
  await memory.refresh();
  const where = knownSpace(memory, space, 'SPACE');
  const decision = decide(memory.config.policies, agent, where, memory.config.spaces);
  return { agent: normaliseAgent(agent), space: where ?? PERSONAL_KEY, ...decision };
}

/** A denial of a name that nobody has is a false sense of safety. */
function warningsFor(memory: Memory, agent: string, effect: Effect): readonly string[] {
  if (effect === 'allow' || agent === '*' || KNOWN_AGENTS.includes(agent)) return [];
  for (const { file } of memory.table.all()) if (normaliseAgent(file.item.source) === agent) return [];
  if (listDeliveries(memory).some((delivery) => delivery.agent === agent)) return [];
  return [
    `No agent called ${agent} has been seen here. A rule counts only if the client calls itself that; \`stet policy list\` shows the rules.`,
  ];
}
