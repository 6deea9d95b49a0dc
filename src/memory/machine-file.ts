// What only this machine knows: which folders belong to which space, and its own settings. machine.yaml is never
// committed:
//
//     folders:
//       ~/work/acme: acme       # the folder and all below it; the longest one that matches counts
//     embedder: none         # settings of this machine; see settings.ts
//
// Invariant: an edit touches the key it names and nothing else.
import { isMap, isScalar, YAMLMap } from 'yaml';
import type { Parsed, Problem } from './item.ts';
import { checkSpaceName, sameSpaceName } from './space-name.ts';
import { entriesOf, readYamlText, stringOf, type YamlText } from './yaml-text.ts';

interface FolderOfSpace {
  /** As written: absolute, or `~` and `~/…` for the home folder. */
  readonly folder: string;
  /** NFC; not looked up: whether there is such a space, spaces.yaml knows. */
  readonly space: string;
}

export interface MachineFile {
  readonly folders: readonly FolderOfSpace[];
  /** Every other value, by its path of keys joined with dots (`embedder.model`), as the string that is written. */
  readonly settings: ReadonlyMap<string, string>;
}

export const EMPTY_MACHINE_FILE: MachineFile = { folders: [], settings: new Map() };

/** Reads machine.yaml. An empty file is an empty machine. */
export function parseMachineFile(text: string): Parsed<MachineFile> {
  const yaml = readYamlText(text);
  return yaml.ok ? readMachine(yaml.value) : yaml;
}

/** machine.yaml with this folder belonging to this space; a folder that is listed already changes hands. */
export function setFolder(text: string, folder: string, space: string): Parsed<string> {
  const checked = checkSpaceName(space);
  if (!checked.ok) return refuse(`“${space}” cannot name a space: ${checked.reason}.`);
  if (!isWholePath(folder)) return refuse(`${folder} is not a whole path; write it from the root, or from ~.`);
  return edit(text, (folders) => folders.set(folder, checked.name));
}

/** machine.yaml without this folder. */
export function removeFolder(text: string, folder: string): Parsed<string> {
  return edit(text, (folders) => folders.delete(folder));
}

/** machine.yaml with every folder of the space `from` belonging to `to`. */
export function renameFoldersSpace(text: string, from: string, to: string): Parsed<string> {
  const checked = checkSpaceName(to);
  if (!checked.ok) return refuse(`“${to}” cannot name a space: ${checked.reason}.`);
  return edit(text, (folders) => {
    for (const pair of folders.items) {
      if (isScalar(pair.value) && sameSpaceName(String(pair.value.value), from)) pair.value.value = checked.name;
    }
  });
}

/** machine.yaml with the value at a path of keys (`embedder.model`) set, or taken out where the value is null. */
export function setMachineSetting(text: string, setting: string, value: string | null): Parsed<string> {
  const yaml = readYamlText(text);
  if (!yaml.ok) return yaml;
  const machine = readMachine(yaml.value);
  if (!machine.ok) return machine;
  const path = setting.split('.');
  if (path[0] === 'folders' || path.includes('')) return refuse(`${setting} is not a setting of this machine.`);
  const { document } = yaml.value;
  if (!isMap(document.contents)) document.contents = document.createNode({});
  const parents = path.slice(0, -1).map((_, depth) => path.slice(0, depth + 1));
  const blocking = parents.find((parent) => isScalar(document.getIn(parent, true)) && document.getIn(parent) !== null);
  if (blocking) return refuse(`${blocking.join('.')} holds a value of its own, and nothing can stand below it.`);
  if (value === null) document.deleteIn(path);
  else document.setIn(path, value);
  return { ok: true, value: yaml.value.print() };
}

function edit(text: string, change: (folders: YAMLMap) => void): Parsed<string> {
  const yaml = readYamlText(text);
  if (!yaml.ok) return yaml;
  const machine = readMachine(yaml.value);
  if (!machine.ok) return machine;
  const { document } = yaml.value;
  if (!isMap(document.contents)) document.contents = document.createNode({});
  const known = document.get('folders');
  const folders = isMap(known) ? known : new YAMLMap();
  if (folders !== known) document.set('folders', folders);
  if (folders.items.length === 0) folders.flow = false;
  change(folders);
  return { ok: true, value: yaml.value.print() };
}

function refuse(message: string): { ok: false; problems: Problem[] } {
  return { ok: false, problems: [{ line: 1, message }] };
}

function readMachine(yaml: YamlText): Parsed<MachineFile> {
  const top = entriesOf(yaml, yaml.document.contents);
  if (top === null) return refuse('machine.yaml holds keys and values, such as `folders`.');
  const problems: Problem[] = [];
  const folders: FolderOfSpace[] = [];
  const settings = new Map<string, string>();
  for (const { key, value, line } of top) {
    if (key !== 'folders') {
      collectSettings(yaml, key, value, settings);
      continue;
    }
    const entries = entriesOf(yaml, value);
    if (entries === null)
      problems.push({ line, message: '`folders` holds one line for each folder: its path, a colon, its space.' });
    for (const entry of entries ?? []) {
      const checked = checkSpaceName(stringOf(entry.value) ?? '');
      if (!checked.ok)
        problems.push({ line: entry.line, message: `The folder ${entry.key} has no space: ${checked.reason}.` });
      else if (!isWholePath(entry.key)) {
        problems.push({
          line: entry.line,
          message: `${entry.key} is not a whole path; write it from the root, or from ~.`,
        });
      } else folders.push({ folder: entry.key, space: checked.name });
    }
  }
  return problems.length > 0 ? { ok: false, problems } : { ok: true, value: { folders, settings } };
}

function collectSettings(yaml: YamlText, path: string, node: unknown, into: Map<string, string>): void {
  const value = stringOf(node);
  if (value !== null) into.set(path, value);
  for (const entry of entriesOf(yaml, node) ?? []) collectSettings(yaml, `${path}.${entry.key}`, entry.value, into);
}

/** From the root of POSIX or Windows, or from the home folder. */
function isWholePath(folder: string): boolean {
  return /^(?:\/|~(?:$|[\\/])|[a-z]:[\\/]|\\\\)/iu.test(folder);
}
