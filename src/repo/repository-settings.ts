// What git's configuration, attributes and ignore files say about this repository, as it stands at the moment of asking.
import { join } from 'node:path';
import { Attributes } from './attributes.ts';
import { checkAttributes, convertLineEnds, findLineEndRule } from './clean-file.ts';
import type { Person } from './commit-object.ts';
import { ConfigReader, expand, type ConfigSurroundings, type GitConfig } from './git-config.ts';
import { findAuthor, findCommitter, type Identity } from './identity.ts';
import { IgnoreRules } from './ignore-rules.ts';
import { findForeignOwner, findRefusedLayout, findRefusedSetting, refuse } from './repository-checks.ts';

export interface SettingsOptions {
  readonly root: string;
  readonly gitFolder: string;
  readonly surroundings: ConfigSurroundings;
  readonly fallbackUser: Person | null;
}

export class RepositorySettings {
  readonly #options: SettingsOptions;
  readonly #reader: ConfigReader;
  #config: GitConfig | null = null;
  #rules: { key: string; attributes: Attributes; ignore: IgnoreRules } | null = null;

  constructor(options: SettingsOptions) {
    this.#options = options;
    this.#reader = new ConfigReader(options.gitFolder, options.surroundings);
  }

  /** What git's configuration said at the last `refresh`: a commit asks often, and each look is a stat a file. */
  config(): GitConfig {
    this.#config ??= this.#reader.all();
    return this.#config;
  }

  /** Looks again; called when a piece of work begins. */
  refresh(): void {
    this.#config = null;
  }

  /** Throws `unsupported-repository` for the first feature that forbids writing. */
  checkWritable(): void {
    const { root, gitFolder, surroundings } = this.#options;
    const refused =
      findRefusedSetting(this.#reader.repository()) ??
      findRefusedLayout(gitFolder) ??
      findForeignOwner(root, this.#reader.users(), surroundings.env);
    if (refused !== null) throw refuse(refused);
  }

  /** Throws `unsupported-repository` when git would run a program on a file at this path, or rewrite it. */
  checkPath(path: string): void {
    checkAttributes(path, this.#readRules().attributes.of(path));
  }

  isIgnored(path: string): boolean {
    return this.#readRules().ignore.isIgnored(path);
  }

  /** `core.fileMode`: whether the executable bit means something on this file system. */
  trustsFileMode(): boolean {
    return this.config().isOn('core.filemode', process.platform !== 'win32');
  }

  /** `core.ignoreCase`: whether the file system takes names that differ in case for one. */
  ignoresCase(): boolean {
    return this.config().isOn('core.ignorecase', false);
  }

  /** What git would store of a file's bytes; `stored` are those of its index entry. */
  clean(path: string, bytes: Buffer, stored: () => Promise<Uint8Array | null>): Promise<Buffer> {
    const attributes = this.#readRules().attributes.of(path);
    const autocrlf = this.config().get('core.autocrlf')?.toLowerCase();
    const isOn = autocrlf === 'input' || this.config().isOn('core.autocrlf', false);
    return convertLineEnds(bytes, findLineEndRule(attributes, { autocrlf: isOn }), stored);
  }

  committer(): Identity {
    return findCommitter(this.config(), this.#options.surroundings, this.#options.fallbackUser);
  }

  /** Author and committer of a commit; without an agent the user is both. */
  people(agent: Person | null): { author: Person; committer: Person } {
    const { person } = this.committer();
    return { committer: person, author: agent ?? findAuthor(this.config(), this.#options.surroundings, person) };
  }

  #readRules(): { attributes: Attributes; ignore: IgnoreRules } {
    const { root, gitFolder } = this.#options;
    const config = this.config();
    const ignoreCase = this.ignoresCase();
    const attributesFile = this.#userFile(config, 'core.attributesfile', 'attributes');
    const excludesFile = this.#userFile(config, 'core.excludesfile', 'ignore');
    const key = JSON.stringify([ignoreCase, attributesFile, excludesFile]);
    if (this.#rules?.key !== key) {
      const attributes = new Attributes({ root, gitFolder, userFile: attributesFile, ignoreCase });
      this.#rules = {
        key,
        attributes,
        ignore: new IgnoreRules({ root, gitFolder, userFile: excludesFile, ignoreCase }),
      };
    }
    return this.#rules;
  }

  #userFile(config: GitConfig, key: string, byDefault: string): string {
    const { home, env } = this.#options.surroundings;
    const configured = config.get(key);
    if (configured !== null) return expand(configured, home, join(this.#options.root, 'x'));
    return join(env['XDG_CONFIG_HOME'] ?? join(home, '.config'), 'git', byDefault);
  }
}
