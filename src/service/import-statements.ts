// Files of statements as a source of an import: rules of agents, what Claude Code has learned, the graph of
// server-memory, plain lists. Decides which files they are and which space each belongs to.

import fs from 'node:fs';
import { homedir } from 'node:os';
import { basename, dirname, join, resolve } from 'node:path';
import { claudeProjectsFolder, CLIENT_IDS, instructionsFile } from '../clients/locations.ts';
import { thisMachine } from '../clients/this-machine.ts';
import { StetError } from '../memory/failure.ts';
import { claudeProjectName, isMemoryIndex, readClaudeMemory, readMemoryIndex } from '../memory/import/claude-memory.ts';
import type { ReadMemory } from '../memory/import/imported-statement.ts';
import { readPlainList } from '../memory/import/plain-list.ts';
import { isRuleName, RULE_FILES, RULE_FOLDERS, readRules } from '../memory/import/rules.ts';
import { readServerMemory } from '../memory/import/server-memory.ts';
import type { Kind, Parsed, Space } from '../memory/item.ts';
import { resolveFolder } from '../repo/project-folder.ts';
import { MAX_ITEM_BYTES, scanFiles } from '../repo/working-tree.ts';
import {
  displayPath,
  explainProblems,
  itemsOf,
  readText,
  reasonOf,
  type Found,
  type ImportSource,
  type ImportSources,
} from './import-source.ts';
import type { Memory } from './memory.ts';
import { whereFolder } from './sessions.ts';

export type StatementFormat = 'rules' | 'claude-memory' | 'server-memory' | 'list';

export interface StatementRequest {
  readonly format: StatementFormat;
  /** Absolute paths of files or folders; empty for the usual place. */
  readonly paths: readonly string[];
  /** A text that stands for a file: what came on stdin. */
  readonly text: string | null;
  /** Undefined where the folder of each file decides. */
  readonly space: Space | undefined;
  readonly kind: Kind | null;
  readonly source: string;
  readonly now: Date;
}

/** The graph of server-memory is one file, however large it grew. */
const MAX_GRAPH_BYTES = 100_000_000;

/** Throws `bad-argument` for a path that is not there. */
export async function statementSources(memory: Memory, request: StatementRequest): Promise<ImportSources> {
  switch (request.format) {
    case 'rules':
      return ruleSources(memory, request);
    case 'claude-memory':
      return claudeSources(memory, request);
    case 'server-memory':
      return fileSources(request, MAX_GRAPH_BYTES, readServerMemory);
    case 'list':
      return fileSources(request, MAX_ITEM_BYTES, readPlainList);
  }
}

function fileSources(request: StatementRequest, maxBytes: number, read: (text: string) => ReadMemory): ImportSources {
  const space = request.space ?? null;
  const files = request.paths.map((path) => realFile(path));
  const handed: ImportSource[] =
    request.text === null ? [] : [{ read: () => itemsIn(read(request.text ?? ''), request, { from: 'stdin', space }) }];
  return {
    name: files[0] === undefined ? 'stdin' : basename(files[0]),
    sources: [
      ...handed,
      ...files.map((file) =>
        sourceOf(file, request, { space, maxBytes, read: (text) => ({ ok: true, value: read(text) }) }),
      ),
    ],
    skipped: [],
  };
}

/** Rules are of the space whose folder they stand in; the user's own, in the folder of a client, are personal. */
async function ruleSources(memory: Memory, request: StatementRequest): Promise<ImportSources> {
  const files = new Set(request.paths.flatMap((path) => ruleFiles(realPath(path))));
  const sources: ImportSource[] = [];
  const skipped: Array<{ path: string; reason: string }> = [];
  for (const file of files) {
    const space = request.space === undefined ? await spaceOfRules(memory, file) : request.space;
    if (space === undefined) {
      skipped.push({ path: displayPath(file), reason: NO_SPACE });
      continue;
    }
    const read = (text: string): Parsed<ReadMemory> => ({ ok: true, value: readRules(text) });
    sources.push(sourceOf(file, { ...request, source: basename(file) }, { space, maxBytes: MAX_ITEM_BYTES, read }));
  }
  const [first] = request.paths;
  return { name: first === undefined ? 'rules' : basename(first), sources, skipped };
}

const NO_SPACE =
  'its folder belongs to no space: name one with `stet space add NAME --folder FOLDER`, or pass --space (`personal` for rules that hold everywhere)';

/** A file, or the files of rules in a folder; links to one file count once. */
function ruleFiles(path: string): readonly string[] {
  if (!fs.statSync(path).isDirectory()) return [path];
  const nested = scanFiles(path, RULE_FOLDERS, [], isRuleName);
  const found = [...RULE_FILES, ...nested.files.keys()].map((name) => join(path, name));
  return found.filter((file) => fs.existsSync(file)).map((file) => fs.realpathSync.native(file));
}

async function spaceOfRules(memory: Memory, file: string): Promise<Space | undefined> {
  const { space } = await whereFolder(memory, dirname(file));
  if (space !== null) return space;
  const machine = thisMachine();
  const users = CLIENT_IDS.flatMap((client) => instructionsFile(client, machine, { type: 'user' }) ?? []);
  return users.some((each) => fs.existsSync(each) && fs.realpathSync.native(each) === file) ? null : undefined;
}

async function claudeSources(memory: Memory, request: StatementRequest): Promise<ImportSources> {
  const projects = claudeProjectsFolder(thisMachine());
  const folders =
    request.paths.length === 0 ? everyMemory(projects) : request.paths.map((path) => memoryFolder(path, projects));
  const sources: ImportSource[] = [];
  const skipped: Array<{ path: string; reason: string }> = [];
  for (const folder of folders) {
    const space = request.space === undefined ? spaceOfProject(memory, basename(dirname(folder))) : request.space;
    if (space === undefined) {
      skipped.push({ path: displayPath(folder), reason: NO_SPACE });
      continue;
    }
    const scan = scanFiles(folder, ['.'], [], (name) => /\.md$/i.test(name));
    for (const path of [...scan.files.keys()].sort()) {
      const read = (text: string): Parsed<ReadMemory> =>
        isMemoryIndex(basename(path)) ? { ok: true, value: readMemoryIndex(text) } : readClaudeMemory(text);
      sources.push(sourceOf(join(folder, path), request, { space, maxBytes: MAX_ITEM_BYTES, read }));
    }
  }
  return { name: 'Claude Code', sources, skipped };
}

function everyMemory(projects: string): readonly string[] {
  const names = fs.existsSync(projects) ? fs.readdirSync(projects).sort() : [];
  return names.map((name) => join(projects, name, 'memory')).filter((folder) => fs.existsSync(folder));
}

/** The memory of a path: the folder of memories itself, the one that holds it, or a project of the user's. */
function memoryFolder(path: string, projects: string): string {
  const folder = realPath(path);
  if (basename(folder) === 'memory') return folder;
  const candidates = [join(folder, 'memory'), join(projects, claudeProjectName(folder), 'memory')];
  const found = candidates.find((candidate) => fs.existsSync(candidate));
  if (found !== undefined) return found;
  throw notThere(`Claude Code has no memory of ${path}`, `It would be in ${join(projects, '…', 'memory')}.`);
}

/** The name is not a path: several folders may have it, so only a folder of a space that makes exactly it counts. */
function spaceOfProject(memory: Memory, name: string): Space | undefined {
  const spaces = memory.config.machine.folders.flatMap(({ folder, space }) => {
    const whole = resolve(folder.replace(/^~(?=$|[\\/])/, homedir()));
    return [whole, resolveFolder(whole)].some((each) => each !== null && claudeProjectName(each) === name)
      ? [space]
      : [];
  });
  const [first] = spaces;
  if (first === undefined || spaces.some((space) => space !== first)) return undefined;
  return memory.config.findSpace(first) ?? first;
}

function sourceOf(
  file: string,
  request: StatementRequest,
  options: { readonly space: Space; readonly maxBytes: number; readonly read: (text: string) => Parsed<ReadMemory> },
): ImportSource {
  const from = displayPath(file);
  return {
    read: async () => {
      const text = readText(file, options.maxBytes);
      if (!text.ok) return [{ ok: false, from, reason: reasonOf(text.problems) }];
      const read = options.read(text.value.text);
      if (!read.ok) return [{ ok: false, from, reason: explainProblems(read.problems) }];
      return itemsIn(read.value, request, { from, space: options.space, modified: text.value.modified });
    },
  };
}

function itemsIn(
  read: ReadMemory,
  { kind, source, format, now }: StatementRequest,
  where: { readonly from: string; readonly space: Space; readonly modified?: Date },
): Promise<readonly Found[]> {
  return itemsOf(read, { modified: now, ...where, kind, source, long: format === 'claude-memory' });
}

function realPath(path: string): string {
  try {
    return fs.realpathSync.native(path);
  } catch {
    throw notThere(`there is no file or folder ${path}`, 'Name one that exists.');
  }
}

function realFile(path: string): string {
  const real = realPath(path);
  if (fs.statSync(real).isDirectory()) throw notThere(`${path} is a folder`, 'Name the file in it.');
  return real;
}

function notThere(reason: string, hint: string): StetError {
  return new StetError({ code: 'bad-argument', argument: 'PATH', reason, hint });
}
