// Merges stet.yaml. Invariants: where the sides disagree about a review, it is on; about anything else, one of the two
// values counts on every machine; keys that stet does not know merge as those that it does; the sides are interchangeable.
import { isMap, isScalar, type Document } from 'yaml';

import { parseSettings } from '../settings.ts';
import { readYamlText, type YamlText } from '../yaml-text.ts';
import { takeOneSide, writeMerged, type TextVersions } from './config-versions.ts';
import { lesser, threeWay } from './three-way.ts';

/** A setting that the sides changed to different values; empty where one took it out. */
export interface DisputedSetting {
  readonly name: string;
  readonly kept: string;
  readonly dropped: string;
}

export interface SettingsMerge {
  /** Null where there is to be no file. */
  readonly text: string | null;
  readonly disputed: readonly DisputedSetting[];
  /** One side cannot be read, and the other is kept as it is. */
  readonly broken: boolean;
}

export function mergeSettingsFiles(versions: TextVersions): SettingsMerge {
  const one = takeOneSide(versions);
  if (one !== undefined) return { text: one, disputed: [], broken: false };
  const { base, ours, theirs } = versions;
  if (ours === null || theirs === null) return { text: ours ?? theirs, disputed: [], broken: false };
  const [b, o, t] = [base ?? '', ours, theirs].map(read) as [YamlText | null, YamlText | null, YamlText | null];
  if (o === null || t === null) {
    const text = o === null && t === null ? lesser(ours, theirs) : o === null ? theirs : ours;
    return { text, disputed: [], broken: true };
  }
  const [before, here, there] = [leavesOf(b?.document), leavesOf(o.document), leavesOf(t.document)];
  const disputed: DisputedSetting[] = [];
  const wanted = new Map<string, Leaf>();
  for (const name of [...new Set([...here.keys(), ...there.keys()])].sort()) {
    const [mine, other] = [here.get(name), there.get(name)];
    const kept = threeWay(before.get(name)?.text, mine?.text, other?.text, (first, second) => {
      const value = settle(name, first, second);
      disputed.push({ name, kept: value ?? '', dropped: (value === first ? second : first) ?? '' });
      return value;
    });
    const leaf = mine?.text === kept ? mine : other?.text === kept ? other : undefined;
    if (kept !== undefined && leaf !== undefined) wanted.set(name, leaf);
  }
  const says = (text: string): boolean => print(leavesOf(read(text)?.document)) === print(wanted);
  return {
    text: writeMerged({ base, ours, theirs }, says, (canvas) => rewrite(canvas, wanted)),
    disputed,
    broken: false,
  };
}

/** A value that is no mapping of its own. */
interface Leaf {
  readonly path: readonly string[];
  readonly node: unknown;
  readonly text: string;
}

function read(text: string): YamlText | null {
  const yaml = readYamlText(text);
  return yaml.ok && parseSettings('stet.yaml', text).ok ? yaml.value : null;
}

/** The values of a document by their dotted names. */
function leavesOf(document: Document | undefined): ReadonlyMap<string, Leaf> {
  const leaves = new Map<string, Leaf>();
  const collect = (node: unknown, path: readonly string[]): void => {
    if (isMap(node) && (node.items.length > 0 || path.length === 0)) {
      for (const { key, value } of node.items) {
        if (isScalar(key)) collect(value, [...path, String(key.value)]);
      }
    } else if (path.length > 0) {
      leaves.set(path.join('.'), { path, node, text: isScalar(node) ? String(node.value) : JSON.stringify(node) });
    }
  };
  collect(document?.contents, []);
  return leaves;
}

function settle(name: string, ours: string | undefined, theirs: string | undefined): string | undefined {
  if (ours === undefined || theirs === undefined) return ours ?? theirs;
  if (name.endsWith('.review'))
    return [ours, theirs].find((value) => /^(on|true|yes)$/i.test(value)) ?? lesser(ours, theirs);
  return lesser(ours, theirs);
}

function rewrite(canvas: string, wanted: ReadonlyMap<string, Leaf>): string {
  const yaml = read(canvas);
  if (yaml === null) return canvas;
  for (const [name, { path }] of leavesOf(yaml.document)) if (!wanted.has(name)) yaml.document.deleteIn(path);
  for (const [name, leaf] of wanted) {
    if (leavesOf(yaml.document).get(name)?.text !== leaf.text) yaml.document.setIn(leaf.path, leaf.node);
  }
  return yaml.print();
}

function print(leaves: ReadonlyMap<string, Leaf>): string {
  return [...leaves]
    .map(([name, { text }]) => `${name}: ${text}`)
    .sort()
    .join('\n');
}
