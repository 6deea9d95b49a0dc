// Who may see which space. policies.yaml is a list of rules, of one agent and one space each:
//
//     policies:
//       - agent: codex        # a client's name, or "*" for every agent
//         space: acme         # a space's name, "*" for every named space, or personal
//         effect: deny        # allow or deny
//
// Invariant: the more special pair decides, whatever the order in the file, and of two rules of one rank (an old and
// a new name of one space) deny wins. What stet cannot read denies.
import { Document, isMap, isSeq, YAMLSeq } from 'yaml';
import { normaliseAgent, UNKNOWN_AGENT } from './agent-name.ts';
import type { Parsed, Problem, Space } from './item.ts';
import { checkSpaceName, sameSpaceName, spaceKey } from './space-name.ts';
import { findSpace, NO_SPACES, type Spaces } from './spaces-file.ts';
import { entriesOf, itemsOf, readYamlText, stringOf, type YamlText } from './yaml-text.ts';

export type Effect = 'allow' | 'deny';

export interface PolicyRule {
  /** Normalised, or `*`. */
  readonly agent: string;
  /** NFC, as written; `*` for every named space; `personal`. */
  readonly space: string;
  readonly effect: Effect;
  /** Where it stands in policies.yaml, from 1. */
  readonly line: number;
}

export interface Policies {
  readonly rules: readonly PolicyRule[];
  /** True where no policies can be read though there are some: then everything but personal is denied. */
  readonly closed: boolean;
}

/** There never was a policies.yaml: everything is allowed. */
export const NO_POLICIES: Policies = { rules: [], closed: false };

/** policies.yaml is broken or missing, and no committed version is valid: everything but personal is denied. */
export const CLOSED_POLICIES: Policies = { rules: [], closed: true };

/** `rule` says in words what decided: a clause without a full stop. */
export interface Decision {
  readonly allowed: boolean;
  readonly rule: string;
}

/**
 * Whether the agent may see the space (null: personal), and by which rule. The first of (agent, space), (agent, `*`),
 * (`*`, space), (`*`, `*`) that the file has decides; `*` never speaks of personal; no rule means allowed. The agent's
 * name may come as the client gave it; a rule may name a space by an alias that `spaces` knows.
 */
export function decide(policies: Policies, agent: string, space: Space, spaces: Spaces = NO_SPACES): Decision {
  if (policies.closed) {
    return space === null
      ? { allowed: true, rule: 'policies.yaml cannot be read, and personal stays allowed' }
      : { allowed: false, rule: 'policies.yaml cannot be read, so everything but personal is denied' };
  }
  const name = normaliseAgent(agent);
  const canonical = (written: string): string => spaceKey(findSpace(spaces, written) ?? written);
  const places = space === null ? ['personal'] : [canonical(space), '*'];
  for (const who of [name, '*']) {
    for (const where of places) {
      const matching = policies.rules.filter((rule) => rule.agent === who && canonical(rule.space) === where);
      const deciding = matching.find((rule) => rule.effect === 'deny') ?? matching[0];
      if (deciding) return { allowed: deciding.effect === 'allow', rule: describeRule(deciding) };
    }
  }
  return { allowed: true, rule: `no rule speaks of ${name} and ${space ?? 'personal'}, so it is allowed` };
}

/** `codex is denied acme (policies.yaml, line 3)`. */
function describeRule({ agent, space, effect, line }: PolicyRule): string {
  const who = agent === '*' ? 'every agent' : agent;
  const where = space === '*' ? 'every named space' : space;
  return `${who} is ${effect === 'allow' ? 'allowed' : 'denied'} ${where} (policies.yaml, line ${line})`;
}

/** Reads policies.yaml. What is not understood is a problem, never a rule left out. A file without rules has none. */
export function parsePolicies(text: string): Parsed<Policies> {
  const yaml = readYamlText(text);
  if (!yaml.ok) return yaml;
  const rules = readRules(yaml.value);
  return rules.ok ? { ok: true, value: { rules: rules.value, closed: false } } : rules;
}

/** A whole policies.yaml with these rules and no comments. Parsing it gives the rules back, but for their lines. */
export function printPolicies(rules: ReadonlyArray<Omit<PolicyRule, 'line'>>): string {
  const policies = rules.map(({ agent, space, effect }) => ({ agent, space, effect }));
  return new Document({ policies }).toString({ lineWidth: 0 });
}

/**
 * policies.yaml with the rule for this pair set: changed in place where there is one, else added at the end. Comments
 * and every other rule stay. `agent` and `space` as a person types them.
 */
export function setPolicy(text: string, agent: string, space: string, effect: Effect): Parsed<string> {
  const yaml = readYamlText(text);
  if (!yaml.ok) return yaml;
  const rules = readRules(yaml.value);
  if (!rules.ok) return rules;
  const pair = readPair(agent, space);
  if (typeof pair === 'string') return { ok: false, problems: [{ line: 1, message: pair }] };
  const { document } = yaml.value;
  const places = rules.value.flatMap((rule, place) => (isPair(rule, pair.agent, pair.space) ? [place] : []));
  for (const place of places) document.setIn(['policies', place, 'effect'], effect);
  if (places.length === 0) {
    if (!isMap(document.contents)) document.contents = document.createNode({});
    if (!isSeq(document.get('policies'))) document.set('policies', new YAMLSeq());
    document.addIn(['policies'], document.createNode({ ...pair, effect }));
  }
  return { ok: true, value: yaml.value.print() };
}

/**
 * policies.yaml with the rules for the space `from` speaking of `to`. Where that makes two rules for one pair, one
 * stays: a denial, if either denies.
 */
export function renamePolicySpace(text: string, from: string, to: string): Parsed<string> {
  const yaml = readYamlText(text);
  if (!yaml.ok) return yaml;
  const rules = readRules(yaml.value);
  if (!rules.ok) return rules;
  const { document } = yaml.value;
  const dropped = new Set<number>();
  for (const [place, rule] of rules.value.entries()) {
    if (!sameSpaceName(rule.space, from)) continue;
    const other = rules.value.findIndex((known) => isPair(known, rule.agent, to));
    document.setIn(['policies', place, 'space'], to);
    if (other >= 0 && other !== place) dropped.add(rule.effect === 'deny' ? other : place);
  }
  for (const place of [...dropped].sort((a, b) => b - a)) document.deleteIn(['policies', place]);
  return { ok: true, value: yaml.value.print() };
}

function readRules(yaml: YamlText): Parsed<PolicyRule[]> {
  const top = entriesOf(yaml, yaml.document.contents);
  const list = top?.find((entry) => entry.key === 'policies');
  const foreign = top?.find((entry) => entry.key !== 'policies');
  const items = itemsOf(list?.value);
  if (top === null || foreign || items === null) {
    const message = 'policies.yaml holds one key, `policies`, with a list of rules (agent, space, effect).';
    return { ok: false, problems: [{ line: foreign?.line ?? list?.line ?? 1, message }] };
  }
  const problems: Problem[] = [];
  const rules: PolicyRule[] = [];
  for (const item of items) {
    const line = yaml.lineOf(item);
    const rule = readRule(yaml, item);
    if (typeof rule === 'string') {
      problems.push({ line, message: rule });
      continue;
    }
    const opposite = rules.find((other) => isPair(other, rule.agent, rule.space) && other.effect !== rule.effect);
    if (opposite)
      problems.push({ line, message: `This says the opposite of the rule in line ${opposite.line}; keep one.` });
    rules.push({ ...rule, line });
  }
  return problems.length > 0 ? { ok: false, problems } : { ok: true, value: rules };
}

/** A rule, or what is wrong with it. */
function readRule(yaml: YamlText, item: unknown): Omit<PolicyRule, 'line'> | string {
  const entries = entriesOf(yaml, item) ?? [];
  const values = new Map(entries.map((entry) => [entry.key, stringOf(entry.value)]));
  const foreign = [...values.keys()].find((key) => key !== 'agent' && key !== 'space' && key !== 'effect');
  if (foreign !== undefined) return `A rule has agent, space and effect; \`${foreign}\` is not known.`;
  const [agent, space, effect] = [values.get('agent'), values.get('space'), values.get('effect')];
  if (!agent || !space || !effect) return 'A rule needs agent, space and effect ("*" stands for every agent or space).';
  if (effect !== 'allow' && effect !== 'deny') return 'The effect of a rule is allow or deny.';
  const pair = readPair(agent, space);
  return typeof pair === 'string' ? pair : { ...pair, effect };
}

function readPair(agent: string, space: string): { agent: string; space: string } | string {
  const name = agent === '*' ? '*' : normaliseAgent(agent);
  const unnamed = name === UNKNOWN_AGENT && agent.trim().toLowerCase() !== UNKNOWN_AGENT;
  if (unnamed || (name !== '*' && agent.includes('*'))) {
    return 'The agent of a rule is one name, or "*" for every agent; there are no patterns.';
  }
  if (space === '*' || spaceKey(space) === 'personal') return { agent: name, space: spaceKey(space) };
  const checked = checkSpaceName(space);
  return checked.ok ? { agent: name, space: checked.name } : `The space of a rule is no name: ${checked.reason}.`;
}

function isPair(rule: PolicyRule, agent: string, space: string): boolean {
  return rule.agent === agent && sameSpaceName(rule.space, space);
}
