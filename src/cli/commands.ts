// Every command of `stet`, declared once: the help, the shell completion and docs/cli.md are made from this.

import type { ImportFormat } from '../app.ts';
import type { CommandArgument, CommandOption, CommandSpec } from './command.ts';

const SPACE: CommandOption = {
  flags: '--space <space>',
  summary: 'the space to work in; default: the one of this folder',
};
const AS: CommandOption = { flags: '--as <agent>', summary: 'see what this agent would see, by its policies' };

const AT: readonly CommandOption[] = [
  { flags: '--at <moment>', summary: 'as the memory stood then: a commit, a tag, 2026-06-01, "3 days ago"' },
  { flags: '--policies <when>', summary: '`then` (default) or `now`: whose policies and spaces count with --at' },
];

const POLICY_ARGUMENTS: readonly CommandArgument[] = [
  { name: '<agent>', summary: "a client's name, or `*` for every agent" },
  { name: '[space]', summary: 'a space, `personal`, or `*` for every named space; default: `*`' },
];

const IMPORT_SPACE: CommandOption = { flags: '--space <space>', summary: 'the space it goes to; default: personal' };
const KIND: CommandOption = { flags: '--kind <kind>', summary: 'one kind for all of it; default: what fits each' };
const SOURCE: CommandOption = { flags: '--source <name>', summary: 'who stored it, where it does not say' };
const DRY_RUN: CommandOption = { flags: '--dry-run', summary: 'show what would be stored, and store nothing' };

const importOf = async (format: ImportFormat) => (await import('./import-memory.ts')).importCommand(format);

/** What the commands of two words have in common, by the first. */
export const GROUP_SUMMARIES: Readonly<Record<string, string>> = {
  import: 'bring other memories along',
  space: 'name the scopes that must not mix',
  policy: 'who may see what',
  remote: 'where the memory is synced to',
  index: 'the derived index',
};

/** What the commands are for, as `stet --help` groups them; those of two words by the first. */
export const TASKS: Readonly<Record<string, readonly string[]>> = {
  'Set up:': ['init', 'setup', 'clone', 'mcp', 'completion'],
  'Remember and recall:': ['remember', 'recall', 'forget', 'list', 'show', 'digest'],
  'Edit and tidy up:': ['edit', 'tag', 'mv', 'open', 'lint', 'review', 'undo', 'restore'],
  'Keep clients apart:': ['space', 'where', 'allow', 'deny', 'policy'],
  'Explain:': ['preview', 'deliveries', 'why', 'log', 'diff'],
  'Bring along, take along:': ['import', 'export', 'remote', 'sync', 'purge'],
  'Look after it:': ['status', 'stats', 'doctor', 'config', 'index'],
};

/** Options that every command takes. */
export const GLOBAL_OPTIONS: readonly CommandOption[] = [
  { flags: '--memory <folder>', summary: 'the memory to use; default: $STET_HOME, else ~/stet' },
  { flags: '--json', summary: 'print one JSON value' },
  { flags: '--quiet', summary: 'no remarks and no progress on stderr' },
];

export const COMMANDS: readonly CommandSpec[] = [
  {
    name: 'init',
    summary: 'make a memory, or complete one on this machine',
    arguments: [{ name: '[folder]', summary: 'where; default: the memory of --memory, $STET_HOME or ~/stet' }],
    options: [],
    example: 'stet init ~/stet',
    load: () => import('./init.ts'),
  },
  {
    name: 'remember',
    summary: 'store one statement',
    arguments: [{ name: '<text...>', summary: 'the statement, or - for stdin' }],
    options: [
      {
        flags: '--kind <kind>',
        summary: 'fact, preference, vocabulary, pointer, outcome, decision, plan, instruction',
      },
      { flags: '--space <space>', summary: 'a space, or `personal`; default: the one of this folder, else personal' },
      { flags: '--supersedes <id...>', summary: 'ids that it replaces' },
      { flags: '--until <day>', summary: "a plan's last day, YYYY-MM-DD" },
      { flags: '--as-of <day>', summary: 'the day of a claim that will change, YYYY-MM-DD' },
      { flags: '--target <address>', summary: "a pointer's address" },
      { flags: '--tag <tag...>', summary: 'tags' },
      { flags: '--keep-both', summary: 'store it although a near-identical item exists' },
    ],
    example: 'stet remember "Acme signs users in with Auth0." --kind decision --space acme',
    load: () => import('./remember.ts'),
  },
  {
    name: 'recall',
    summary: 'ask a question',
    arguments: [{ name: '<question...>', summary: 'the question, or - for stdin' }],
    options: [AS, SPACE, { flags: '--trace', summary: 'leave a delivery, as a recall over MCP does' }, ...AT],
    example: 'stet recall "how do users sign in?" --space acme',
    load: () => import('./recall.ts'),
  },
  {
    name: 'forget',
    summary: 'take one item out of every answer',
    arguments: [{ name: '<id>', summary: 'its id' }],
    options: [],
    example: 'stet forget k3v9q2m7',
    load: () => import('./forget.ts'),
  },
  {
    name: 'list',
    summary: 'list items',
    arguments: [],
    options: [
      { flags: '--space <space>', summary: 'only this space, or `personal`' },
      { flags: '--kind <kind>', summary: 'only this kind' },
      { flags: '--all', summary: 'outdated items too' },
      { flags: '--forgotten', summary: 'the ids of forgotten items instead' },
    ],
    example: 'stet list --space acme',
    load: () => import('./list.ts'),
  },
  {
    name: 'show',
    summary: 'show one item, its file and its chain',
    arguments: [{ name: '<id>', summary: 'its id' }],
    options: AT,
    example: 'stet show k3v9q2m7',
    load: () => import('./show.ts'),
  },
  {
    name: 'edit',
    summary: 'edit one item in $VISUAL or $EDITOR; what is saved is checked first',
    arguments: [{ name: '<id>', summary: 'its id, or the path of its file; one in quarantine can be repaired so' }],
    options: [],
    example: 'stet edit k3v9q2m7',
    load: () => import('./edit.ts'),
  },
  {
    name: 'tag',
    summary: 'add and remove tags of one item',
    arguments: [
      { name: '<id>', summary: 'its id' },
      { name: '[change...]', summary: '`+name` adds, `-name` removes; default: show them' },
    ],
    options: [],
    dashedArguments: true,
    example: 'stet tag k3v9q2m7 +login -draft',
    load: () => import('./tag.ts'),
  },
  {
    name: 'mv',
    summary: 'move one item, and what it replaced, to another space',
    arguments: [
      { name: '<id>', summary: 'its id' },
      { name: '<space>', summary: 'a space, or `personal`' },
    ],
    options: [],
    example: 'stet mv k3v9q2m7 acme',
    load: () => import('./mv.ts'),
  },
  {
    name: 'open',
    summary: "show an item's file or a folder on the desktop",
    arguments: [
      { name: '[what]', summary: 'an id, the path of a file, a space or `personal`; default: the whole memory' },
    ],
    options: [{ flags: '--print', summary: 'only say where it is' }],
    example: 'stet open acme',
    load: () => import('./open.ts'),
  },
  {
    name: 'digest',
    summary: 'everything that is current, as one Markdown page',
    arguments: [],
    options: [{ flags: '--space <space>', summary: 'only this space, or `personal`' }],
    example: 'stet digest --space acme',
    load: () => import('./digest.ts'),
  },
  {
    name: 'lint',
    summary: 'which items break the storing policy, and what to do about each',
    arguments: [],
    options: [{ flags: '--space <space>', summary: 'only this space, or `personal`' }],
    example: 'stet lint',
    load: () => import('./lint.ts'),
  },
  {
    name: 'stats',
    summary: 'the memory in numbers: spaces, kinds, sources, months, recalls',
    arguments: [],
    options: [],
    example: 'stet stats',
    load: () => import('./stats.ts'),
  },
  {
    name: 'status',
    summary: 'what the memory holds, what waits, what is wrong',
    arguments: [],
    options: [],
    example: 'stet status',
    load: () => import('./status.ts'),
  },
  {
    name: 'doctor',
    summary: 'what is wrong, and what to do about it',
    arguments: [],
    options: [
      {
        flags: '--fix',
        summary:
          'bring back missing files, move files to the space that they name, follow renamed spaces, keep other users out',
      },
      { flags: '--history', summary: 'look for secrets in every version of every file too' },
      { flags: '--forget-missing', summary: 'forget them instead: they were deleted on purpose' },
    ],
    example: 'stet doctor',
    load: () => import('./doctor.ts'),
  },
  {
    name: 'import markdown',
    summary: 'bring a folder of notes along, one note an item',
    arguments: [{ name: '<folder>', summary: 'the notes, with or without frontmatter, at any depth' }],
    options: [IMPORT_SPACE, SOURCE, DRY_RUN],
    example: 'stet import markdown ~/notes --space acme',
    load: () => importOf('markdown'),
  },
  {
    name: 'import obsidian',
    summary: 'bring an Obsidian vault along, one note an item, with its tags',
    arguments: [{ name: '<folder>', summary: 'the vault' }],
    options: [IMPORT_SPACE, SOURCE, DRY_RUN],
    example: 'stet import obsidian ~/vault --dry-run',
    load: () => importOf('obsidian'),
  },
  {
    name: 'import basic-memory',
    summary: "bring basic-memory's notes along: observations, relations and prose",
    arguments: [{ name: '<folder>', summary: 'its project folder' }],
    options: [IMPORT_SPACE, SOURCE, DRY_RUN],
    example: 'stet import basic-memory ~/basic-memory --dry-run',
    load: () => importOf('basic-memory'),
  },
  {
    name: 'import rules',
    summary: 'make instructions of CLAUDE.md, AGENTS.md, GEMINI.md and Cursor rules, after asking',
    arguments: [{ name: '[path...]', summary: 'files, or folders that have them; default: this folder' }],
    options: [
      { flags: '--space <space>', summary: 'the space they go to; default: the one of the folder they stand in' },
      { flags: '--kind <kind>', summary: 'store them as this kind instead of instruction' },
      { flags: '--yes', summary: 'do not ask' },
      DRY_RUN,
    ],
    example: 'stet import rules ~/work/acme --dry-run',
    load: () => importOf('rules'),
  },
  {
    name: 'import claude-memory',
    summary: 'bring along what Claude Code has learned of your projects',
    arguments: [{ name: '[folder...]', summary: 'projects, or its folders of memories; default: all of them' }],
    options: [
      { flags: '--space <space>', summary: 'the space it goes to; default: the one of the project' },
      KIND,
      SOURCE,
      DRY_RUN,
    ],
    example: 'stet import claude-memory ~/work/acme --dry-run',
    load: () => importOf('claude-memory'),
  },
  {
    name: 'import server-memory',
    summary: 'bring along the graph of @modelcontextprotocol/server-memory',
    arguments: [{ name: '<file>', summary: 'its memory.jsonl' }],
    options: [IMPORT_SPACE, KIND, SOURCE, DRY_RUN],
    example: 'stet import server-memory ~/memory.jsonl --dry-run',
    load: () => importOf('server-memory'),
  },
  {
    name: 'import list',
    summary: 'bring a plain list along, one statement a line, as ChatGPT and Claude show theirs',
    arguments: [{ name: '<file>', summary: 'a text file, or - for stdin' }],
    options: [IMPORT_SPACE, KIND, SOURCE, DRY_RUN],
    example: 'stet import list memories.txt --source ChatGPT --dry-run',
    load: () => importOf('list'),
  },
  {
    name: 'import jsonl',
    summary: 'take an export in, byte for byte; into a new memory with its history, where it has one',
    arguments: [{ name: '<file>', summary: 'made by `stet export`' }],
    options: [{ flags: '--confirm-no-secrets', summary: 'what was found in an export with history is none' }],
    example: 'stet import jsonl memory.jsonl',
    load: () => import('./import-jsonl.ts'),
  },
  {
    name: 'export',
    summary: 'print every file as JSON lines, or copy them to a folder',
    arguments: [],
    options: [
      { flags: '--folder <folder>', summary: 'copy to a new or empty folder instead' },
      { flags: '--history', summary: 'every version of every file too, oldest first' },
    ],
    example: 'stet export > memory.jsonl',
    load: () => import('./export.ts'),
  },
  {
    name: 'space add',
    summary: 'name a space, and the folder or git remote it belongs to',
    arguments: [{ name: '<name>', summary: 'letters of any script, digits, `-` and `_`' }],
    options: [
      { flags: '--folder <folder>', summary: 'a project folder on this machine' },
      { flags: '--remote <url>', summary: "the project's git remote, on every machine" },
    ],
    example: 'stet space add acme --folder ~/work/acme --remote git@github.com:acme/shop.git',
    load: () => import('./space-add.ts'),
  },
  {
    name: 'space list',
    summary: 'the spaces, with their folders, remotes and items',
    arguments: [],
    options: [],
    example: 'stet space list',
    load: () => import('./space-list.ts'),
  },
  {
    name: 'space rename',
    summary: 'rename a space: its items and rules move, the old name stays an alias',
    arguments: [
      { name: '<name>', summary: 'what it is called', offers: 'space' },
      { name: '<new>', summary: 'what it shall be called' },
    ],
    options: [],
    example: 'stet space rename acme acme-corp',
    load: () => import('./space-rename.ts'),
  },
  {
    name: 'space remove',
    summary: 'take out a space that holds nothing',
    arguments: [{ name: '<name>', summary: 'the space', offers: 'space' }],
    options: [],
    example: 'stet space remove acme',
    load: () => import('./space-remove.ts'),
  },
  {
    name: 'where',
    summary: 'which space a folder belongs to, and by which rule',
    arguments: [{ name: '[folder]', summary: 'a project folder; default: this one' }],
    options: [],
    example: 'stet where ~/work/acme',
    load: () => import('./where.ts'),
  },
  {
    name: 'allow',
    summary: 'let an agent see a space',
    arguments: POLICY_ARGUMENTS,
    options: [],
    example: 'stet allow codex acme',
    load: () => import('./allow.ts'),
  },
  {
    name: 'deny',
    summary: 'keep an agent out of a space',
    arguments: POLICY_ARGUMENTS,
    options: [],
    example: 'stet deny codex acme',
    load: () => import('./deny.ts'),
  },
  {
    name: 'policy list',
    summary: 'the rules of who may see what',
    arguments: [],
    options: [],
    example: 'stet policy list',
    load: () => import('./policy-list.ts'),
  },
  {
    name: 'policy explain',
    summary: 'whether an agent may see a space, and which rule decided',
    arguments: [
      { name: '<agent>', summary: "a client's name" },
      { name: '<space>', summary: 'a space, or `personal`' },
    ],
    options: [],
    example: 'stet policy explain codex acme',
    load: () => import('./policy-explain.ts'),
  },
  {
    name: 'log',
    summary: 'who stored, superseded, edited or forgot what, newest first',
    arguments: [{ name: '[id]', summary: 'the chain of one item' }],
    options: [
      { flags: '--space <space>', summary: 'only this space, or `personal`' },
      { flags: '--agent <agent>', summary: 'only what this agent did' },
      { flags: '--since <moment>', summary: 'not before: a commit, a tag or a time' },
      { flags: '--until <moment>', summary: 'not after' },
      { flags: '--last <n>', summary: 'how many; default 50' },
    ],
    example: 'stet log --agent codex --since "3 days ago"',
    load: () => import('./log.ts'),
  },
  {
    name: 'diff',
    summary: 'how one item changed: its last change, or between two moments',
    arguments: [
      { name: '<id>', summary: 'its id' },
      { name: '[range]', summary: '`A..B`, or `A` for what changed since' },
    ],
    options: [],
    example: 'stet diff k3v9q2m7 2026-06-01',
    load: () => import('./diff.ts'),
  },
  {
    name: 'restore',
    summary: 'bring a forgotten item back, or any item as it stood once',
    arguments: [{ name: '<id>', summary: 'its id' }],
    options: [{ flags: '--at <moment>', summary: 'a commit, a tag, 2026-06-01, "3 days ago"' }],
    example: 'stet restore k3v9q2m7',
    load: () => import('./restore.ts'),
  },
  {
    name: 'purge',
    summary: 'remove the text of items from every commit for real; shows first what that rewrites',
    arguments: [{ name: '<id...>', summary: 'their ids' }],
    options: [{ flags: '--yes', summary: 'do it; without it nothing is changed' }],
    example: 'stet purge k3v9q2m7 --yes',
    load: () => import('./purge.ts'),
  },
  {
    name: 'undo',
    summary: 'undo the last operation, by a new commit',
    arguments: [],
    options: [],
    example: 'stet undo',
    load: () => import('./undo.ts'),
  },
  {
    name: 'clone',
    summary: 'bring the memory of another machine here',
    arguments: [
      { name: '<url>', summary: 'its remote: https://host/path, user@host:path, ssh://host/path or a folder' },
      { name: '[folder]', summary: 'where; default: the place of the memory, ~/stet' },
    ],
    options: [],
    example: 'stet clone git@github.com:ann/stet.git',
    load: () => import('./clone.ts'),
  },
  {
    name: 'remote set',
    summary: 'which git remote this memory syncs with',
    arguments: [{ name: '<url>', summary: 'https://host/path, user@host:path, ssh://host/path or a folder' }],
    options: [{ flags: '--join', summary: 'even if it holds another memory' }],
    example: 'stet remote set git@github.com:ann/stet.git',
    load: () => import('./remote-set.ts'),
  },
  {
    name: 'sync',
    summary: 'bring this memory and its remote to the same state',
    arguments: [],
    options: [
      { flags: '--watch', summary: 'go on until it is stopped' },
      { flags: '--dry-run', summary: 'show what would come, go and be decided; change nothing' },
      { flags: '--follow', summary: 'take over a remote that was rewritten (a purge), with what is new here on top' },
      { flags: '--join', summary: 'put the other memory in the remote and this one together' },
      { flags: '--confirm-no-secrets', summary: 'send what looks like a secret: it is none' },
    ],
    example: 'stet sync',
    load: () => import('./sync.ts'),
  },
  {
    name: 'merge-driver',
    summary: 'merge one file for git',
    arguments: [
      { name: '<base>', summary: 'a file with the common version' },
      { name: '<ours>', summary: 'a file with our version; the result goes here' },
      { name: '<theirs>', summary: 'a file with their version' },
      { name: '<path>', summary: 'the path in the memory' },
    ],
    options: [],
    example: 'stet merge-driver base.md ours.md theirs.md personal/tea.md',
    isHidden: true,
    load: () => import('./merge-driver.ts'),
  },
  {
    name: 'review',
    summary: 'what waits for you; `accept` or `reject` settles one',
    arguments: [
      { name: '[verdict]', summary: '`accept` or `reject`' },
      { name: '[id]', summary: 'the item; a path where two files have one id; `sync`' },
    ],
    options: [],
    example: 'stet review accept k3v9q2m7',
    load: () => import('./review.ts'),
  },
  {
    name: 'config',
    summary: 'show the settings, or change one',
    arguments: [
      { name: '[name]', summary: 'a setting', offers: 'setting' },
      { name: '[value]', summary: 'its new value' },
    ],
    options: [],
    example: 'stet config instructions.review on',
    load: () => import('./config.ts'),
  },
  {
    name: 'deliveries',
    summary: 'what was given to whom, newest first',
    arguments: [],
    options: [
      { flags: '--last <n>', summary: 'how many; default 20' },
      { flags: '--agent <agent>', summary: 'only this agent' },
    ],
    example: 'stet deliveries --last 5',
    load: () => import('./deliveries.ts'),
  },
  {
    name: 'why',
    summary: 'explain a delivery: what went in, what stayed out, and why',
    arguments: [{ name: '[number]', summary: 'from `stet deliveries`; default: the newest' }],
    options: [],
    example: 'stet why 12',
    load: () => import('./why.ts'),
  },
  {
    name: 'preview',
    summary: 'the very text that an agent would receive in a folder, and what it would not',
    arguments: [{ name: '<question...>', summary: 'the question' }],
    options: [
      { flags: '--as <agent>', summary: 'the agent; default: unknown' },
      { flags: '--in <folder>', summary: 'the project folder; default: this one' },
      ...AT,
    ],
    example: 'stet preview "how do users sign in?" --as codex --in ~/work/acme',
    load: () => import('./preview.ts'),
  },
  {
    name: 'setup',
    summary: 'connect AI clients: claude-code, codex, cursor, vscode, claude-desktop, gemini-cli, opencode',
    arguments: [{ name: '[client...]', summary: 'which; default: every one that is installed' }],
    options: [
      { flags: '--project', summary: "write the project files of this folder instead of the user's own" },
      { flags: '--space <space>', summary: 'an entry of its own for one space, whatever the folder' },
      {
        flags: '--instructions',
        summary: 'also add a short block to CLAUDE.md, AGENTS.md, GEMINI.md; nothing else does',
      },
      { flags: '--remove', summary: 'take out what setup has put in; with --instructions the block alone' },
      { flags: '--dry-run', summary: 'show the changes and make none' },
    ],
    example: 'stet setup claude-code cursor --dry-run',
    load: () => import('./setup.ts'),
  },
  {
    name: 'mcp',
    summary: 'serve the memory to one agent over stdio',
    arguments: [],
    options: [
      { flags: '--space <space>', summary: 'the one space of this server; default: $STET_SPACE, else by folder' },
      { flags: '--project <folder>', summary: 'the project folder; default: what the client says' },
    ],
    example: 'stet mcp --project ~/work/acme',
    load: () => import('./mcp.ts'),
  },
  {
    name: 'index rebuild',
    summary: 'make the index anew from the files; only what is new is embedded',
    arguments: [],
    options: [],
    example: 'stet index rebuild',
    load: () => import('./index-rebuild.ts'),
  },
  {
    name: 'completion',
    summary: 'print the script that completes commands, ids and spaces in your shell',
    arguments: [{ name: '<shell>', summary: 'bash, zsh or fish' }],
    options: [],
    example: 'stet completion bash >> ~/.bashrc',
    load: () => import('./completion.ts'),
  },
];
