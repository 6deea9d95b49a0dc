// Files of rules about paths (.gitignore, .gitattributes), parsed once while they do not change.
// Invariant: a file that is a link or cannot be read has no rules, as in git.
import fs from 'node:fs';
import { errnoOf } from './file-system.ts';

export class RuleFiles<Rule> {
  readonly #parse: (text: string) => readonly Rule[];
  readonly #known = new Map<string, { stamp: string; rules: readonly Rule[] }>();

  constructor(parse: (text: string) => readonly Rule[]) {
    this.#parse = parse;
  }

  /** The rules of the file at an absolute path, in order. `followsLinks`: for files of the user outside the memory. */
  read(path: string, { followsLinks }: { followsLinks: boolean }): readonly Rule[] {
    const stamp = stampOf(path, followsLinks);
    if (stamp === null) return [];
    const known = this.#known.get(path);
    if (known?.stamp === stamp) return known.rules;
    const rules = this.#parse(readText(path));
    this.#known.set(path, { stamp, rules });
    return rules;
  }
}

function stampOf(path: string, followsLinks: boolean): string | null {
  try {
    const stat = (followsLinks ? fs.statSync : fs.lstatSync)(path, { bigint: true, throwIfNoEntry: false });
    return stat?.isFile() === true ? `${stat.ino}-${stat.size}-${stat.mtimeNs}-${stat.ctimeNs}` : null;
  } catch (error) {
    // A file is where the folder would be: a merge is about to change that.
    if (errnoOf(error) === 'ENOTDIR') return null;
    throw error;
  }
}

function readText(path: string): string {
  try {
    return fs.readFileSync(path, 'utf8');
  } catch (error) {
    if (errnoOf(error) === null) throw error;
    return '';
  }
}

/** `a/b/c.md` → ``, `a`, `a/b`: the folders whose rule files speak about a path, outermost first. */
export function foldersAbove(path: string): string[] {
  const parts = path.split('/').slice(0, -1);
  return ['', ...parts.map((_, depth) => parts.slice(0, depth + 1).join('/'))];
}
