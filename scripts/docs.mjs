// `npm run docs`: writes docs/cli.md and docs/tools.md from the code, and draws docs/recording.svg from the README. With
// --check it writes nothing, and fails when one of them is not what its source says.

import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { format, resolveConfig } from 'prettier';
import { z } from 'zod';
import { root } from './prepare.mjs';
import { drawRecording } from './recording.mjs';
import { runTypeScript } from './run-typescript.mjs';

const MADE = '<!-- Made by `npm run docs` from the code: change it there. -->';

const { COMMANDS, GLOBAL_OPTIONS } = await runTypeScript('src/cli/commands.ts');
const { JSON_SHAPES } = await runTypeScript('src/cli/json-shapes.ts');
const { TOOLS } = await runTypeScript('src/mcp/tools.ts');

const options = await resolveConfig(join(root, 'README.md'));
const asPage = (text) => format(text, { ...options, parser: 'markdown' });
const pages = {
  'docs/cli.md': await asPage(commandPage()),
  'docs/tools.md': await asPage(toolPage()),
  'docs/recording.svg': drawRecording(read('README.md') ?? ''),
};
const stale = [];
for (const [path, wanted] of Object.entries(pages)) {
  if (wanted === read(path)) continue;
  stale.push(path);
  if (!process.argv.includes('--check')) writeFileSync(join(root, path), wanted);
}
if (process.argv.includes('--check') && stale.length > 0) {
  console.error(`Not what their sources say: ${stale.join(', ')}. Run \`npm run docs\`.`);
  process.exitCode = 1;
} else {
  console.log(stale.length === 0 ? 'The generated pages are up to date.' : `Wrote ${stale.join(', ')}.`);
}

function commandPage() {
  return [
    '# Commands',
    MADE,
    'Every command takes these:',
    optionTable(GLOBAL_OPTIONS),
    'Results go to stdout; remarks, warnings and progress to stderr. On a terminal, lines are made to fit its width: columns left out, texts broken or cut. What is piped is whole. `NO_COLOR` is obeyed: there is no colour at all.',
    'Exit codes: 0 done, 1 expected failure (nothing stored, no such item, something found, a history not taken), 2 usage, 70 a bug of stet, 130 stopped by Ctrl-C (`import`, `index rebuild`, `purge` and `sync`, `--watch` too, then leave everything whole, and say what was done).',
    'With `--json` stdout is exactly one JSON value, or empty where the command ends with a message on stderr and exit code 1, 2 or 70; `mcp` and `completion` write what a client or a shell reads all the same. The fields below are stable; more may be added. `{ a, b? }` is an object whose `b` is only there where it says something, `[…]` a list, and `item` stands for the fields that `list` shows. `space` is null for what is personal, `commit` while it waits for git.',
    ...COMMANDS.filter(({ isHidden }) => isHidden !== true).map(commandSection),
  ].join('\n\n');
}

function commandSection(spec) {
  const usage = [spec.name, ...spec.arguments.map(({ name }) => name)].join(' ');
  const shape = JSON_SHAPES[spec.name];
  return [
    `## stet ${usage}`.replace(/[<>[\]]/g, (bracket) => `\\${bracket}`),
    `${spec.summary[0].toUpperCase()}${spec.summary.slice(1)}.`,
    spec.arguments.length === 0 ? '' : argumentTable(spec.arguments),
    spec.options.length === 0 ? '' : optionTable(spec.options),
    fence('sh', spec.example),
    shape === undefined ? '' : `\`--json\`: \`${shape}\``,
  ]
    .filter((part) => part !== '')
    .join('\n\n');
}

function argumentTable(list) {
  return table(
    ['argument', ''],
    list.map(({ name, summary }) => [`\`${name}\``, summary]),
  );
}

function optionTable(list) {
  return table(
    ['option', ''],
    list.map(({ flags, summary }) => [`\`${flags}\``, summary]),
  );
}

function toolPage() {
  return [
    '# Tools',
    MADE,
    'What an agent is offered over MCP, in the words that it reads. Answers are text; ids and the like are in `_meta`. A refusal is an ordinary answer with `isError`, and says what to do instead.',
    ...TOOLS.map(toolSection),
  ].join('\n\n');
}

function toolSection({ name, title, description, schema, annotations }) {
  const { properties = {}, required = [] } = z.toJSONSchema(schema, { io: 'input' });
  const rows = Object.entries(properties).map(([argument, property]) => [
    `\`${argument}\`${required.includes(argument) ? '' : '?'}`,
    typeOf(property),
    property.description ?? '',
  ]);
  const hints = [
    annotations.readOnlyHint ? 'reads only' : 'writes',
    annotations.destructiveHint ? 'takes something away' : '',
    annotations.idempotentHint ? 'again changes nothing more' : '',
  ];
  return [
    `## ${name}`,
    `_${title}_ (${hints.filter((hint) => hint !== '').join('; ')})`,
    description.replace(/^/gm, '> '),
    table(['argument', 'type', ''], rows),
  ].join('\n\n');
}

function typeOf({ type, enum: values, items, maxItems, maxLength }) {
  if (values !== undefined) return values.map((value) => `\`${value}\``).join(', ');
  const limit = maxItems ?? maxLength;
  const said = type === 'array' ? `list of ${items.type}s` : type;
  return limit === undefined ? said : `${said}, at most ${limit}${type === 'string' ? ' characters' : ''}`;
}

function table(head, rows) {
  const line = (cells) => `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
}

function fence(language, text) {
  return `\`\`\`${language}\n${text}\n\`\`\``;
}

function read(path) {
  try {
    return readFileSync(join(root, path), 'utf8');
  } catch {
    return null;
  }
}
