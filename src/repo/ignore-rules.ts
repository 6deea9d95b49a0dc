// Which untracked files git ignores (gitignore). Invariant: as in git, the last rule of the nearest file decides, and
// nothing below an ignored folder can be taken back.
import { join } from 'node:path';
import { compilePattern, type GitPattern } from './git-pattern.ts';
import { foldersAbove, RuleFiles } from './rule-files.ts';

export interface IgnoreRulesOptions {
  readonly root: string;
  readonly gitFolder: string;
  /** `core.excludesFile`, or its default. */
  readonly userFile: string;
  readonly ignoreCase: boolean;
}

export class IgnoreRules {
  readonly #options: IgnoreRulesOptions;
  readonly #files: RuleFiles<GitPattern>;

  constructor(options: IgnoreRulesOptions) {
    this.#options = options;
    this.#files = new RuleFiles((text) => parseIgnoreFile(text, options));
  }

  /** Whether git ignores a file at this path, provided that it does not track it. */
  isIgnored(path: string): boolean {
    const [, ...folders] = foldersAbove(path);
    return folders.some((folder) => this.#decide(folder, true)) || this.#decide(path, false);
  }

  #decide(path: string, isFolder: boolean): boolean {
    const { root, gitFolder, userFile } = this.#options;
    for (const folder of foldersAbove(path).reverse()) {
      const relative = folder === '' ? path : path.slice(folder.length + 1);
      const rules = this.#files.read(join(root, folder, '.gitignore'), { followsLinks: false });
      const verdict = lastVerdict(rules, relative, isFolder);
      if (verdict !== null) return verdict;
    }
    for (const file of [join(gitFolder, 'info', 'exclude'), userFile]) {
      const verdict = lastVerdict(this.#files.read(file, { followsLinks: true }), path, isFolder);
      if (verdict !== null) return verdict;
    }
    return false;
  }
}

function lastVerdict(rules: readonly GitPattern[], path: string, isFolder: boolean): boolean | null {
  const rule = rules.findLast((candidate) => (isFolder || !candidate.isFolderOnly) && candidate.matches(path));
  return rule === undefined ? null : !rule.isNegated;
}

function parseIgnoreFile(text: string, options: { ignoreCase: boolean }): GitPattern[] {
  return text
    .replace(/^\uFEFF/, '')
    .split('\n')
    .map((line) => withoutTrailingBlanks(line.endsWith('\r') ? line.slice(0, -1) : line))
    .filter((line) => line !== '' && !line.startsWith('#'))
    .flatMap((line) => compilePattern(line, options) ?? []);
}

/** Blanks at the end go, unless the first of them is escaped. */
function withoutTrailingBlanks(line: string): string {
  const match = /^((?:[^\\]|\\.)*?) *$/s.exec(line);
  return match?.[1] ?? line;
}
