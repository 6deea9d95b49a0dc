// What the YAML files of a memory say: spaces, policies, settings, this machine's folders. Invariant: a file that is
// broken, or missing or empty where a commit has more, never opens anything: the last valid committed version stays in
// force, and without one everything but personal is denied.

import { describeFailure } from '../memory/failure.ts';
import type { Parsed } from '../memory/item.ts';
import { EMPTY_MACHINE_FILE, parseMachineFile, type MachineFile } from '../memory/machine-file.ts';
import { CLOSED_POLICIES, NO_POLICIES, parsePolicies, type Policies } from '../memory/policies.ts';
import { normaliseRemote } from '../memory/remote-address.ts';
import { parseSettings, SETTINGS, type Settings } from '../memory/settings.ts';
import { sameSpaceName } from '../memory/space-name.ts';
import { findSpace, NO_SPACES, parseSpaces, type Spaces } from '../memory/spaces-file.ts';
import { isBlank } from '../memory/yaml-text.ts';
import type { GitRepository } from '../repo/repository.ts';
import { readItemFile } from '../repo/working-tree.ts';

export class Config {
  readonly spaces: Spaces;
  readonly policies: Policies;
  readonly machine: MachineFile;
  /** False while machine.yaml cannot be used: which folder belongs to which space is then unknown, and not merely nowhere said. */
  readonly isMachineKnown: boolean;
  /** Files that are not used as they stand, each with what is used instead. */
  readonly warnings: readonly string[];
  readonly #settings: Settings;

  constructor(parts: {
    spaces: Spaces;
    policies: Policies;
    machine: MachineFile;
    isMachineKnown: boolean;
    settings: Settings;
    warnings: readonly string[];
  }) {
    this.spaces = parts.spaces;
    this.policies = parts.policies;
    this.machine = parts.machine;
    this.isMachineKnown = parts.isMachineKnown;
    this.warnings = parts.warnings;
    this.#settings = parts.settings;
  }

  /** A setting's value, its fallback where nobody set it. */
  setting(name: string): string {
    return this.#settings.get(name) ?? SETTINGS.find((spec) => spec.name === name)?.fallback ?? '';
  }

  isSet(name: string): boolean {
    return this.#settings.has(name);
  }

  get review(): { readonly instructions: boolean; readonly personal: boolean } {
    return {
      instructions: this.setting('instructions.review') === 'on',
      personal: this.setting('personal.review') === 'on',
    };
  }

  /** The present name of a space by any of its names; null when there is none. */
  findSpace(name: string): string | null {
    return findSpace(this.spaces, name);
  }

  spaceNames(): readonly string[] {
    return this.spaces.entries.map(({ name }) => name);
  }

  /** What a space is called in speech: its name, its earlier names, and the repositories that belong to it. */
  namesOf(space: string): readonly string[] {
    const entry = this.spaces.entries.find(({ name }) => sameSpaceName(name, space));
    const addresses = (entry?.remotes ?? []).flatMap((remote) => normaliseRemote(remote) ?? []);
    // `github.com/acme/shop` is also said as `acme/shop`.
    const shorter = addresses
      .map((address) => address.split('/').slice(1).join('/'))
      .filter((path) => path.includes('/'));
    return [space, ...(entry?.aliases ?? []), ...addresses, ...shorter];
  }
}

/** The configuration as a commit has it; this machine's folders and settings are those of now. */
export async function loadConfigAt(repository: GitRepository, commit: string): Promise<Config> {
  const warnings: string[] = [];
  const read = async <T extends object>(
    path: string,
    parse: (text: string) => Parsed<T>,
  ): Promise<T | null | 'absent'> => {
    const bytes = await repository.readAt(commit, path);
    return bytes === null ? 'absent' : parseOrWarn(path, new TextDecoder().decode(bytes), parse, warnings);
  };
  const policies = await read('policies.yaml', parsePolicies);
  const spaces = await read('spaces.yaml', parseSpaces);
  const { machine, isMachineKnown } = loadMachine(repository, warnings);
  return new Config({
    policies: policies === 'absent' ? NO_POLICIES : (policies ?? CLOSED_POLICIES),
    spaces: spaces === 'absent' || spaces === null ? NO_SPACES : spaces,
    machine,
    isMachineKnown,
    settings: new Map(),
    warnings,
  });
}

export async function loadConfig(repository: GitRepository): Promise<Config> {
  const warnings: string[] = [];
  const policies = await loadShared(repository, 'policies.yaml', parsePolicies, warnings);
  const spaces = await loadShared(repository, 'spaces.yaml', parseSpaces, warnings);
  const shared = await loadShared(repository, 'stet.yaml', (text) => parseSettings('stet.yaml', text), warnings);
  const { machine, isMachineKnown, text } = loadMachine(repository, warnings);
  const own = parseOrWarn('machine.yaml', text, (each) => parseSettings('machine.yaml', each), warnings);
  return new Config({
    policies: policies === 'absent' ? NO_POLICIES : (policies ?? CLOSED_POLICIES),
    spaces: spaces === 'absent' || spaces === null ? NO_SPACES : spaces,
    machine,
    isMachineKnown,
    settings: new Map([...(shared === 'absent' || shared === null ? [] : shared), ...(own ?? [])]),
    warnings,
  });
}

/** The file's value, or that of its last valid committed version; `absent` where there never was one. */
async function loadShared<T extends object>(
  repository: GitRepository,
  path: string,
  parse: (text: string) => Parsed<T>,
  warnings: string[],
): Promise<T | 'absent' | null> {
  const read = readItemFile(repository.root, path);
  let blank: T | null = null;
  if (read.status === 'read') {
    const text = read.bytes.toString('utf8');
    const parsed = parse(text);
    if (parsed.ok && !isBlank(text)) return parsed.value;
    if (parsed.ok) blank = parsed.value;
    else warnings.push(...parsed.problems.map(({ line, message }) => `${path}:${line}: ${message}`));
  } else if (read.status !== 'gone') {
    // What cannot be read may say anything: it is never taken for a file that is not there.
    warnings.push(describeUnread(path, read));
  } else if ((await repository.readHead(path)) === null) {
    return 'absent';
  } else {
    warnings.push(`${path} is missing.`);
  }
  for await (const version of committedVersions(repository, path)) {
    const parsed = parse(version);
    if (!parsed.ok || isBlank(version)) continue;
    if (blank !== null) warnings.push(`${path} is empty.`);
    warnings.push(`The last valid committed version of ${path} stays in force.`);
    return parsed.value;
  }
  if (blank !== null) return blank;
  warnings.push(
    path === 'policies.yaml'
      ? 'No committed version of policies.yaml is valid: everything but personal is denied.'
      : `No committed version of ${path} is valid: it counts as empty.`,
  );
  return null;
}

/** Newest first. */
async function* committedVersions(repository: GitRepository, path: string): AsyncIterable<string> {
  for (const entry of await repository.log(path)) {
    const bytes = entry.path === null ? null : await repository.readAt(entry.commit, entry.path);
    if (bytes !== null) yield new TextDecoder().decode(bytes);
  }
}

function parseOrWarn<T>(path: string, text: string, parse: (text: string) => Parsed<T>, warnings: string[]): T | null {
  const parsed = parse(text);
  if (parsed.ok) return parsed.value;
  for (const { line, message } of parsed.problems) {
    const problem = describeFailure({
      code: 'bad-file',
      path,
      line,
      reason: message.replace(/\.$/, ''),
      hint: 'It counts as empty until it is corrected.',
    });
    if (!warnings.includes(problem)) warnings.push(problem);
  }
  return null;
}

interface LoadedMachine {
  readonly machine: MachineFile;
  readonly isMachineKnown: boolean;
  /** Empty where there is none. */
  readonly text: string;
}

/** No commit has this file, so what it said before nobody knows. */
function loadMachine(repository: GitRepository, warnings: string[]): LoadedMachine {
  const path = 'machine.yaml';
  const read = readItemFile(repository.root, path);
  if (read.status === 'gone') return { machine: EMPTY_MACHINE_FILE, isMachineKnown: true, text: '' };
  const unknown = { machine: EMPTY_MACHINE_FILE, isMachineKnown: false };
  if (read.status !== 'read') {
    warnings.push(`${describeUnread(path, read)} It counts as empty until it is corrected.`);
    return { ...unknown, text: '' };
  }
  const text = read.bytes.toString('utf8');
  if (isBlank(text)) {
    warnings.push(`${path} is empty; write \`folders: {}\` into it if no folder belongs to a space, or remove it.`);
    return { ...unknown, text };
  }
  const machine = parseOrWarn(path, text, parseMachineFile, warnings);
  return machine === null ? { ...unknown, text } : { machine, isMachineKnown: true, text };
}

function describeUnread(
  path: string,
  read: Exclude<ReturnType<typeof readItemFile>, { status: 'read' | 'gone' }>,
): string {
  return `${path} cannot be read (${read.status === 'unreadable' ? read.errno : 'it is no ordinary file'}).`;
}
