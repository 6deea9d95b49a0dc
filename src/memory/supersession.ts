// Who supersedes whom, in one view. Being superseded is derived from the newer item, never written into the older one.
// Invariant: links that form a cycle count for nothing, so no set of links can make every item outdated.

/** One item's (or tombstone's) claim to replace others. */
export interface Link {
  readonly from: string;
  readonly to: readonly string[];
}

export interface Supersession {
  /** Ids that replace `id` directly, sorted; empty when it is not superseded. */
  by(id: string): readonly string[];
  /** Ids whose links were ignored because they form a cycle, sorted. */
  readonly cyclic: readonly string[];
}

export function resolveSupersession(links: Iterable<Link>): Supersession {
  const outgoing = new Map<string, Set<string>>();
  for (const link of links) {
    const targets = outgoing.get(link.from) ?? new Set();
    for (const target of link.to) targets.add(target);
    outgoing.set(link.from, targets);
  }
  const component = stronglyConnected(outgoing);
  const incoming = new Map<string, string[]>();
  const cyclic = new Set<string>();
  for (const [from, targets] of outgoing) {
    for (const to of targets) {
      const inCycle = from === to || (component.get(from) !== undefined && component.get(from) === component.get(to));
      if (inCycle) {
        cyclic.add(from);
        continue;
      }
      const list = incoming.get(to);
      if (list) list.push(from);
      else incoming.set(to, [from]);
    }
  }
  for (const list of incoming.values()) list.sort();
  return { by: (id) => incoming.get(id) ?? [], cyclic: [...cyclic].sort() };
}

/**
 * The newest items of the chain that starts at `id`: those that nothing supersedes; `[id]` when it is not superseded.
 * Several when a merge made the chain fork.
 */
export function headsOf(supersession: Supersession, id: string): readonly string[] {
  const heads = new Set<string>();
  const seen = new Set<string>();
  const stack = [id];
  for (let next = stack.pop(); next !== undefined; next = stack.pop()) {
    if (seen.has(next)) continue;
    seen.add(next);
    const newer = supersession.by(next);
    if (newer.length === 0) heads.add(next);
    else stack.push(...newer);
  }
  return [...heads].sort();
}

/** Tarjan's algorithm (SIAM J. Comput. 1(2), 1972) with an explicit stack: node to component number. */
function stronglyConnected(outgoing: ReadonlyMap<string, ReadonlySet<string>>): ReadonlyMap<string, number> {
  const index = new Map<string, number>();
  const low = new Map<string, number>();
  const component = new Map<string, number>();
  const open: string[] = [];
  const isOpen = new Set<string>();
  let counter = 0;
  let components = 0;

  for (const root of outgoing.keys()) {
    if (index.has(root)) continue;
    const work: Array<{ node: string; rest: Iterator<string> }> = [];
    const enter = (node: string) => {
      index.set(node, counter);
      low.set(node, counter);
      counter += 1;
      open.push(node);
      isOpen.add(node);
      work.push({ node, rest: (outgoing.get(node) ?? new Set<string>()).values() });
    };
    enter(root);
    for (let frame = work.at(-1); frame !== undefined; frame = work.at(-1)) {
      const { node } = frame;
      const step = frame.rest.next();
      if (!step.done) {
        if (!index.has(step.value)) enter(step.value);
        else if (isOpen.has(step.value)) low.set(node, Math.min(low.get(node) ?? 0, index.get(step.value) ?? 0));
        continue;
      }
      work.pop();
      const parent = work.at(-1);
      if (parent) low.set(parent.node, Math.min(low.get(parent.node) ?? 0, low.get(node) ?? 0));
      if (low.get(node) !== index.get(node)) continue;
      for (let member = open.pop(); member !== undefined; member = open.pop()) {
        isOpen.delete(member);
        component.set(member, components);
        if (member === node) break;
      }
      components += 1;
    }
  }
  return component;
}
