// Settings of a memory, as a table: name, where it is kept, what it may be, what it is when nobody said anything.
// stet.yaml is shared by every machine, machine.yaml is this one's. Both nest a dotted name: `commit: { quiet: 5s }`.

import { isMap } from 'yaml';
import { parseEmbedderName, POOLINGS, type EmbedderChoice } from './embedder-name.ts';
import type { Parsed, Problem } from './item.ts';
import { entriesOf, readYamlText, stringOf, type YamlText } from './yaml-text.ts';

export type SettingFile = 'stet.yaml' | 'machine.yaml';

/**
 * What a value may be: one of a list; a duration, which is a number and a unit: `5s`, `10min`, `24h`, `30d`, `12m`
 * (months), `1y`; what {@link parseEmbedderName} knows; languages; or any text, spaces at its ends included.
 */
export type SettingType = 'switch' | 'duration' | 'embedder' | 'languages' | 'text' | readonly string[];

export interface SettingSpec {
  readonly name: string;
  readonly file: SettingFile;
  readonly type: SettingType;
  readonly fallback: string;
  readonly summary: string;
}

export const SETTINGS: readonly SettingSpec[] = [
  {
    name: 'instructions.review',
    file: 'stet.yaml',
    type: 'switch',
    fallback: 'off',
    summary: "an agent's change of instructions waits for `stet review`",
  },
  {
    name: 'personal.review',
    file: 'stet.yaml',
    type: 'switch',
    fallback: 'off',
    summary: 'personal items that an agent writes from inside a space wait for `stet review`',
  },
  {
    name: 'deliveries.keep',
    file: 'stet.yaml',
    type: 'duration',
    fallback: '12m',
    summary: 'how long the traces of recalls are kept',
  },
  {
    name: 'commit.hand',
    file: 'stet.yaml',
    type: 'switch',
    fallback: 'on',
    summary: 'edits by hand are committed by themselves',
  },
  {
    name: 'commit.quiet',
    file: 'stet.yaml',
    type: 'duration',
    fallback: '5s',
    summary: 'how long a file must be quiet before an edit by hand is committed',
  },
  {
    name: 'sync.auto',
    file: 'stet.yaml',
    type: 'switch',
    fallback: 'on',
    summary: 'servers sync with the remote by themselves, if there is one',
  },
  {
    name: 'sync.every',
    file: 'stet.yaml',
    type: 'duration',
    fallback: '5min',
    summary: 'how often they look for what other machines wrote',
  },
  {
    name: 'sync.quiet',
    file: 'stet.yaml',
    type: 'duration',
    fallback: '20s',
    summary: 'how long after the last commit here they send it',
  },
  {
    name: 'embedder',
    file: 'machine.yaml',
    type: 'embedder',
    fallback: 'minilm',
    summary:
      '`minilm` (packaged), `none` (words only), `transformers:FOLDER` or `transformers:OWNER/NAME`, or the folder of a BERT; counts from the next start',
  },
  {
    name: 'model.remote',
    file: 'machine.yaml',
    type: 'switch',
    fallback: 'off',
    summary: '`stet config embedder transformers:OWNER/NAME` may download that model, once',
  },
  {
    name: 'model.pooling',
    file: 'machine.yaml',
    type: POOLINGS,
    fallback: 'auto',
    summary: "how a model's tokens become one vector; `auto` by its files and family",
  },
  {
    name: 'model.question-prefix',
    file: 'machine.yaml',
    type: 'text',
    fallback: 'auto',
    summary: 'what the model wants before a question; `auto` by its files and family',
  },
  {
    name: 'model.document-prefix',
    file: 'machine.yaml',
    type: 'text',
    fallback: 'auto',
    summary: 'what the model wants before a stored text; `auto` by its files and family',
  },
  {
    name: 'model.languages',
    file: 'machine.yaml',
    type: 'languages',
    fallback: 'auto',
    summary: '`all`, or what the model reads, `en,de`; other texts are found by words',
  },
];

/** What the settings say of the embedder. */
export function embedderChoice(setting: (name: string) => string): EmbedderChoice {
  return {
    name: setting('embedder'),
    pooling: setting('model.pooling'),
    questionPrefix: setting('model.question-prefix'),
    documentPrefix: setting('model.document-prefix'),
    languages: setting('model.languages'),
  };
}

/** Values by setting name; what a file does not say is the fallback. */
export type Settings = ReadonlyMap<string, string>;

/** Reads the settings that belong into this file. Unknown keys are left alone: they are the user's, or a later stet's. */
export function parseSettings(file: SettingFile, text: string): Parsed<Settings> {
  const yaml = readYamlText(text);
  if (!yaml.ok) return yaml;
  const { document } = yaml.value;
  if (document.contents !== null && !isMap(document.contents) && entriesOf(yaml.value, document.contents) === null) {
    return { ok: false, problems: [{ line: 1, message: `${file} holds settings, one a line: \`name: value\`.` }] };
  }
  const values = new Map<string, string>();
  const problems: Problem[] = [];
  for (const spec of SETTINGS) {
    if (spec.file !== file) continue;
    const found = findValue(yaml.value, document.contents, spec.name.split('.'));
    if (found === null) continue;
    const checked = checkSetting(spec, found.value);
    if (checked.ok) values.set(spec.name, checked.value);
    else problems.push({ line: found.line, message: checked.reason });
  }
  return problems.length > 0 ? { ok: false, problems } : { ok: true, value: values };
}

/** The file's text with one setting changed, everything else as it was. */
export function editSetting(spec: SettingSpec, text: string, value: string): Parsed<string> {
  const yaml = readYamlText(text);
  if (!yaml.ok) return yaml;
  const { document } = yaml.value;
  if (!isMap(document.contents)) document.contents = document.createNode({});
  document.setIn(spec.name.split('.'), value);
  return { ok: true, value: yaml.value.print() };
}

/** The value in the form that is stored, or why it cannot be one. */
export function checkSetting(
  spec: SettingSpec,
  value: string,
): { ok: true; value: string } | { ok: false; reason: string } {
  const text = value.trim();
  if (typeof spec.type === 'object') {
    return spec.type.includes(text)
      ? { ok: true, value: text }
      : { ok: false, reason: `${spec.name} is one of ${spec.type.join(', ')}, not "${value}".` };
  }
  switch (spec.type) {
    case 'switch': {
      if (/^(on|true|yes)$/i.test(text)) return { ok: true, value: 'on' };
      if (/^(off|false|no)$/i.test(text)) return { ok: true, value: 'off' };
      return { ok: false, reason: `${spec.name} is on or off, not "${value}".` };
    }
    case 'embedder':
      return parseEmbedderName(text) !== null
        ? { ok: true, value: text }
        : {
            ok: false,
            reason: `${spec.name} is one of minilm, none, transformers:FOLDER, transformers:OWNER/NAME, or a folder, not "${value}"; a folder is written from the root, or from ~.`,
          };
    case 'languages':
      return /^(?:auto|all|[a-z]{2}(?:\s*,\s*[a-z]{2})*)$/.test(text)
        ? { ok: true, value: text.replaceAll(/\s/g, '') }
        : { ok: false, reason: `${spec.name} is auto, all, or codes such as en,de, not "${value}".` };
    case 'text':
      return { ok: true, value };
    case 'duration':
      return durationMs(text) === null
        ? {
            ok: false,
            reason: `${spec.name} is a time such as 5s, 10min, 24h, 30d, 12m (months) or 1y, not "${value}".`,
          }
        : { ok: true, value: text };
  }
}

const UNIT_MS: Readonly<Record<string, number>> = {
  ms: 1,
  s: 1_000,
  min: 60_000,
  h: 3_600_000,
  d: 86_400_000,
  // A month is 30.44 days on average; what is kept by months is old enough not to need more.
  m: 2_630_016_000,
  y: 31_557_600_000,
};

/** Milliseconds, or null for what is no duration. */
export function durationMs(text: string): number | null {
  const match = /^(\d+(?:\.\d+)?)\s*(ms|s|min|h|d|m|y)$/.exec(text.trim());
  const unit = UNIT_MS[match?.[2] ?? ''];
  return match && unit !== undefined ? Number(match[1]) * unit : null;
}

function findValue(yaml: YamlText, node: unknown, path: readonly string[]): { value: string; line: number } | null {
  const [key, ...rest] = path;
  const entry = (entriesOf(yaml, node) ?? []).find((each) => each.key === key);
  if (!entry) return null;
  if (rest.length > 0) return findValue(yaml, entry.value, rest);
  const value = stringOf(entry.value);
  return { value: value ?? '', line: entry.line };
}
