// Merges policies.yaml. Invariants: where the sides disagree the stricter policy holds, until a person decides; whoever was
// denied something on one side, and not just by the base, is denied it in the result; the sides are interchangeable.
import { isSeq } from 'yaml';

import {
  decide,
  parsePolicies,
  printPolicies,
  setPolicy,
  type Effect,
  type Policies,
  type PolicyRule,
} from '../policies.ts';
import { spaceKey } from '../space-name.ts';
import { findSpace, type Spaces } from '../spaces-file.ts';
import { readYamlText } from '../yaml-text.ts';
import { takeOneSide, writeMerged, type TextVersions } from './config-versions.ts';
import { lesser, threeWay } from './three-way.ts';

/** A pair that is denied because the sides disagree; `*` for all agents or named spaces. */
export interface StricterPolicy {
  readonly agent: string;
  readonly space: string;
}

export interface PoliciesMerge {
  /** Null where there is to be no file. */
  readonly text: string | null;
  readonly stricter: readonly StricterPolicy[];
  /** One side cannot be read, so that side is kept as it is: everything but personal is denied until it is repaired. */
  readonly broken: boolean;
}

/** `spaces`: those of the merged memory, by whose names and aliases rules speak of one space. */
export function mergePoliciesFiles(versions: TextVersions, spaces: Spaces): PoliciesMerge {
  const one = takeOneSide(versions);
  if (one !== undefined) return { text: one, stricter: [], broken: false };
  const { base, ours, theirs } = versions;
  // Deleted on one side, changed on the other: there are rules, so they hold.
  if (ours === null || theirs === null) return { text: ours ?? theirs, stricter: [], broken: false };
  const [o, t] = [read(ours), read(theirs)];
  if (o === null || t === null) {
    const text = o === null && t === null ? lesser(ours, theirs) : o === null ? ours : theirs;
    return { text, stricter: [], broken: true };
  }
  const b = (base === null ? null : read(base)) ?? [];
  const wanted = mergeRules(b, o, t, spaces);
  const stricter = findOpened({ base: b, ours: o, theirs: t, merged: [...wanted.values()] }, spaces);
  for (const pair of stricter) wanted.set(keyOf(pair, spaces), { ...pair, effect: 'deny' });
  const disputed = [...stricter, ...findDisputed(b, o, t, spaces)];
  const says = (text: string): boolean => {
    const rules = read(text);
    return rules !== null && print(byPair(rules, spaces)) === print(wanted);
  };
  const text = writeMerged({ base, ours, theirs }, says, (canvas) => rewrite(canvas, wanted, spaces));
  return { text, stricter: unique(disputed, spaces), broken: false };
}

type Rule = Pick<PolicyRule, 'agent' | 'space' | 'effect'>;

function read(text: string): readonly PolicyRule[] | null {
  const parsed = parsePolicies(text);
  return parsed.ok ? parsed.value.rules : null;
}

function keyOf({ agent, space }: StricterPolicy, spaces: Spaces): string {
  return `${agent}\n${spaceKey(nameOf(space, spaces))}`;
}

/** The present name of a space, however a rule writes it. */
function nameOf(space: string, spaces: Spaces): string {
  return findSpace(spaces, space) ?? spaceKey(space);
}

/** One rule a pair; of two that name one space differently the denial counts. */
function byPair(rules: readonly Rule[], spaces: Spaces): Map<string, Rule> {
  const pairs = new Map<string, Rule>();
  for (const { agent, space, effect } of rules) {
    const key = keyOf({ agent, space }, spaces);
    if (pairs.get(key)?.effect !== 'deny') pairs.set(key, { agent, space, effect });
  }
  return pairs;
}

function mergeRules(
  base: readonly Rule[],
  ours: readonly Rule[],
  theirs: readonly Rule[],
  spaces: Spaces,
): Map<string, Rule> {
  const [b, o, t] = [base, ours, theirs].map((rules) => byPair(rules, spaces)) as [
    Map<string, Rule>,
    Map<string, Rule>,
    Map<string, Rule>,
  ];
  const merged = new Map<string, Rule>();
  for (const key of [...new Set([...o.keys(), ...t.keys()])].sort()) {
    const effect = threeWay(b.get(key)?.effect, o.get(key)?.effect, t.get(key)?.effect, stricterOf);
    const rule = [o.get(key), t.get(key)]
      .filter((each) => each !== undefined)
      .sort((a, c) => (a.space < c.space ? -1 : 1))[0];
    if (effect !== undefined && rule !== undefined) merged.set(key, { ...rule, effect });
  }
  return merged;
}

/** No rule leaves it to the general ones, which may deny, so it is stricter than a rule that allows. */
function stricterOf(ours: Effect | undefined, theirs: Effect | undefined): Effect | undefined {
  return ours === 'deny' || theirs === 'deny' ? 'deny' : undefined;
}

/** Pairs about which both sides say something new, and not the same. */
function findDisputed(
  base: readonly Rule[],
  ours: readonly Rule[],
  theirs: readonly Rule[],
  spaces: Spaces,
): readonly StricterPolicy[] {
  const [b, o, t] = [base, ours, theirs].map((rules) => byPair(rules, spaces));
  return [...new Set([...(o?.keys() ?? []), ...(t?.keys() ?? [])])].sort().flatMap((key) => {
    const [before, here, there] = [b, o, t].map((pairs) => pairs?.get(key));
    const isDisputed =
      here?.effect !== there?.effect && here?.effect !== before?.effect && there?.effect !== before?.effect;
    const rule = here ?? there;
    return isDisputed && rule !== undefined ? [{ agent: rule.agent, space: nameOf(rule.space, spaces) }] : [];
  });
}

/**
 * What the merged rules would allow although the side that changed it denies it: a special rule of one side may undercut a
 * general one of the other. Looked at for every agent and space that a rule names, and for any other of each.
 */
function findOpened(
  versions: Readonly<Record<'base' | 'ours' | 'theirs' | 'merged', readonly Rule[]>>,
  spaces: Spaces,
): readonly StricterPolicy[] {
  const all = [...versions.base, ...versions.ours, ...versions.theirs];
  const agents = [...new Set(all.map(({ agent }) => agent))].filter((agent) => agent !== '*').sort();
  const named = new Set(all.map(({ space }) => nameOf(space, spaces)));
  named.delete('*');
  named.delete(PERSONAL);
  let other = 'other';
  while (agents.includes(other) || named.has(other)) other += '-one';
  const [base, ours, theirs, merged] = [versions.base, versions.ours, versions.theirs, versions.merged].map(toPolicies);
  const opened: StricterPolicy[] = [];
  for (const agent of [...agents, other]) {
    for (const space of [null, ...[...named].sort(), other]) {
      const allows = (policies: Policies | undefined) =>
        policies === undefined || decide(policies, agent, space, spaces).allowed;
      const wanted = threeWay(allows(base), allows(ours), allows(theirs), () => false);
      if (wanted || !allows(merged)) continue;
      opened.push({ agent: agent === other ? '*' : agent, space: space === other ? '*' : (space ?? PERSONAL) });
    }
  }
  return opened;
}

const PERSONAL = 'personal';

function toPolicies(rules: readonly Rule[]): Policies {
  return { rules: rules.map((rule) => ({ ...rule, line: 0 })), closed: false };
}

function rewrite(canvas: string, wanted: ReadonlyMap<string, Rule>, spaces: Spaces): string {
  let text = removeOthers(canvas, wanted, spaces);
  for (const { agent, space, effect } of wanted.values()) {
    const set = text === null ? null : setPolicy(text, agent, space, effect);
    text = set?.ok === true ? set.value : null;
  }
  return text ?? printPolicies([...wanted.values()]);
}

/** Without the rules of pairs that are not wanted; null where that cannot be done in the text. */
function removeOthers(text: string, wanted: ReadonlyMap<string, Rule>, spaces: Spaces): string | null {
  const rules = read(text) ?? [];
  const places = rules.flatMap((rule, place) => (wanted.has(keyOf(rule, spaces)) ? [] : [place]));
  if (places.length === 0) return text;
  const yaml = readYamlText(text);
  if (!yaml.ok || !isSeq(yaml.value.document.get('policies'))) return null;
  for (const place of places.reverse()) yaml.value.document.deleteIn(['policies', place]);
  return yaml.value.print();
}

function print(rules: ReadonlyMap<string, Rule>): string {
  return [...rules]
    .map(([key, { effect }]) => `${key}\n${effect}`)
    .sort()
    .join('\n\n');
}

function unique(pairs: readonly StricterPolicy[], spaces: Spaces): readonly StricterPolicy[] {
  return [...new Map(pairs.map((pair) => [keyOf(pair, spaces), pair])).values()];
}
