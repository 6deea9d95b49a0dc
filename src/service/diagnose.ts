// `stet doctor`: everything that waits for the user or is not as it should be; each with why it matters and what to do.

import { idInPath } from '../memory/item-path.ts';
import { normaliseStatement } from '../memory/statement.ts';
import { findSecrets } from '../memory/secrets.ts';
import { spaceKeyOf } from '../memory/space-key.ts';
import type { GitRepository } from '../repo/repository.ts';
import type { ServerNote } from '../repo/server-notes.ts';
import { readItemFile } from '../repo/working-tree.ts';
import { describeDoubt } from './disappearances.ts';
import { plannedMoves } from './follow-frontmatter.ts';
import { findEarlierNames } from './follow-names.ts';
import type { HandCommits } from './hand-commits.ts';
import { listItems } from './list-items.ts';
import type { Memory } from './memory.ts';
import { closeToOthers, describeOpenness } from './openness.ts';
import { settlingCommand } from './settling-command.ts';

/** What was looked at. */
export type Area =
  | 'files'
  | 'quarantine'
  | 'git'
  | 'config'
  | 'index'
  | 'watcher'
  | 'vectors'
  | 'links'
  | 'duplicates'
  | 'secrets'
  | 'modes'
  | 'clients';

export interface Finding {
  /** A `problem` is to be settled; with `advice` alone all is well. */
  readonly level: 'problem' | 'advice';
  readonly area: Area;
  /** What is wrong, in a sentence. */
  readonly finding: string;
  /** Why it matters. */
  readonly why: string;
  /** What to do. */
  readonly fix: string;
}

export interface DiagnoseRequest {
  /** Looks for secrets in every version of every file as well, which takes as long as there are versions. */
  readonly history: boolean;
  /** What the running servers tell. */
  readonly servers: readonly ServerNote[];
}

export async function diagnose(
  memory: Memory,
  hand: HandCommits,
  { history, servers }: DiagnoseRequest,
): Promise<readonly Finding[]> {
  await memory.refresh();
  return [
    ...findInFiles(memory),
    ...(await findInQuarantine(memory)),
    ...(await findInGit(memory, hand)),
    ...(await findInConfig(memory)),
    ...(await findInIndex(memory)),
    ...findInServers(servers, memory.now()),
    ...findInLinks(memory),
    ...(await findDuplicates(memory)),
    ...(await findSecretsInFiles(memory)),
    ...(history ? await findSecretsInHistory(memory.repository) : []),
    ...findInModes(memory),
  ];
}

/** Makes right what needs no decision; returns what was done, in words. */
export function closeMemory(memory: Memory): readonly string[] {
  return closeToOthers(memory.repository.root);
}

function findInFiles(memory: Memory): readonly Finding[] {
  const doubt = describeDoubt(memory.doubt);
  return [
    ...(doubt === null
      ? []
      : [
          {
            level: 'problem' as const,
            area: 'files' as const,
            finding: doubt,
            why: 'What an agent is told depends on files that are not there.',
            fix: '`stet doctor --fix` or `stet doctor --forget-missing`.',
          },
        ]),
    ...Array.from(memory.unreadable, ([path, errno]) => ({
      level: 'problem' as const,
      area: 'files' as const,
      finding: `${path} cannot be read (${errno}).`,
      why: 'What it held when it was last read stays in force.',
      fix: 'Make it readable for you, or move it out of the memory.',
    })),
  ];
}

async function findInQuarantine(memory: Memory): Promise<readonly Finding[]> {
  const moves = await plannedMoves(memory);
  const findings: Finding[] = [];
  for (const { path, problems } of memory.table.quarantined()) {
    const target = moves.get(path);
    const command = await settlingCommand(memory, path);
    for (const { line, message } of problems) {
      findings.push({
        level: 'problem',
        area: 'quarantine',
        finding: `${path}:${line}: ${message}`,
        why: 'It is given to nobody until it is right; what it replaced stays replaced.',
        fix: [
          ...(target === undefined ? [] : [`\`stet doctor --fix\` moves it to ${target}.`]),
          command === null ? 'Correct it by hand.' : `\`${command}\`.`,
        ].join(' Or: '),
      });
    }
  }
  return findings;
}

async function findInGit(memory: Memory, hand: HandCommits): Promise<readonly Finding[]> {
  const { repository, table } = memory;
  const broken = new Set(table.quarantined().map(({ path }) => path));
  const held = (await hand.explain()).filter(({ path, isHeld }) => isHeld && !broken.has(path));
  const obstacle = await repository.obstacle();
  const why = 'It can be recalled, and history does not have it yet.';
  return [
    ...held.map(({ path, why: reason }) => ({
      level: 'problem' as const,
      area: 'git' as const,
      finding: `${path} is not committed: ${reason}.`,
      why,
      fix: 'Settle what is named, or commit it with git.',
    })),
    ...(await repository.pending()).map(({ message, reason }) => ({
      level: 'problem' as const,
      area: 'git' as const,
      finding: `A commit waits for git (${message.subject}): ${reason}.`,
      why,
      fix: 'Settle what is named, or finish what git is in the middle of; stet commits by itself then.',
    })),
    ...(obstacle === null
      ? []
      : [
          {
            level: 'problem' as const,
            area: 'git' as const,
            finding: `No commit can be made: ${obstacle}.`,
            why,
            fix: 'Finish it with git.',
          },
        ]),
    ...(repository.identity().from === 'git'
      ? []
      : [
          {
            level: 'advice' as const,
            area: 'git' as const,
            finding: `git does not know who you are, so stet commits as ${repository.identity().name}.`,
            why: 'History tells who changed what, by name.',
            fix: '`git config --global user.name "…"` and `user.email`.',
          },
        ]),
  ];
}

async function findInConfig(memory: Memory): Promise<readonly Finding[]> {
  const earlier = await findEarlierNames(memory);
  return [
    ...memory.config.warnings.map((finding) => ({
      level: 'problem' as const,
      area: 'config' as const,
      finding,
      why: 'Who may see what, and which folder is which space, is decided by it.',
      fix: 'Correct the file that is named.',
    })),
    ...earlier.map(({ space, names, places, obstacle }) => ({
      level: 'advice' as const,
      area: 'config' as const,
      finding: `${space} is still called ${names.join(', ')} in ${listed(places)}${obstacle === null ? '' : `, which \`--fix\` leaves: ${obstacle.why}`}.`,
      why: 'It is one space, as long as spaces.yaml keeps the earlier name.',
      fix: `${obstacle === null ? '' : `${obstacle.settle}; then `}\`stet doctor --fix\` writes the present name.`,
    })),
  ];
}

function listed(places: readonly string[]): string {
  const more = places.length - PLACES_SHOWN;
  return places.slice(0, PLACES_SHOWN).join(', ') + (more > 0 ? ` and ${more} more` : '');
}

const PLACES_SHOWN = 5;

async function findInIndex(memory: Memory): Promise<readonly Finding[]> {
  await memory.openPartitions([...memory.table.spaceKeys()]);
  const problems = [memory.handProblem, memory.backgroundProblem].filter((each) => each !== null);
  const { problem } = memory.index.health();
  return [
    ...problems.map((each) => ({
      level: 'problem' as const,
      area: 'index' as const,
      finding: each,
      why: 'Work that nobody waits for failed; answers are made without it.',
      fix: 'If it stays, `stet index rebuild`.',
    })),
    ...(problem === null
      ? []
      : [
          {
            level: 'problem' as const,
            area: 'vectors' as const,
            finding: problem,
            why: 'Recall goes by words alone, and finds less that is said in other words.',
            fix: 'Install stet again, or choose words only: `stet config embedder none`.',
          },
        ]),
  ];
}

/** Longer than a server that watches goes without a look at everything, several times over. */
const UNSEEN_MINUTES = 30;

function findInServers(servers: readonly ServerNote[], now: Date): readonly Finding[] {
  return servers.flatMap(({ pid, state, reason, lookedAt, problem }): Finding[] => {
    const minutes = Math.floor((now.getTime() - Date.parse(lookedAt)) / 60_000);
    const isDead = state === 'stopped' || (state === 'watching' && minutes >= UNSEEN_MINUTES);
    return [
      ...(isDead
        ? [
            {
              level: 'problem' as const,
              area: 'watcher' as const,
              finding: `The server ${pid} does not follow the files any more; it last looked at ${lookedAt}.`,
              why: 'What you edit by hand is not committed by it, and it answers late with it.',
              fix: 'Restart the client that started it. If the machine has just been asleep, look again in a few minutes.',
            },
          ]
        : []),
      ...(state === 'polling'
        ? [
            {
              level: 'advice' as const,
              area: 'watcher' as const,
              finding: `The server ${pid} is not told of changes: ${reason ?? 'it compares the files instead'}.`,
              why: 'What you edit by hand is in its answers some seconds later. Nothing is lost.',
              fix: 'Raise the limit if one is named; else keep the memory on a local disk.',
            },
          ]
        : []),
      ...(problem === null
        ? []
        : [
            {
              level: 'problem' as const,
              area: 'watcher' as const,
              finding: `The server ${pid} could not take in the last change: ${problem}`,
              why: 'It answers with what the files held before.',
              fix: 'It tries again by itself; settle what is named, or restart the client that started it.',
            },
          ]),
    ];
  });
}

/** Links to what never was here: a typing error, or a file that was lost before it was committed. */
function findInLinks(memory: Memory): readonly Finding[] {
  const { table } = memory;
  return [...table.all()].flatMap(({ path, file: { item } }) =>
    item.supersedes
      .filter((id) => !table.isTaken(id))
      .map((id) => ({
        level: 'problem' as const,
        area: 'links' as const,
        finding: `${path} replaces ${id}, and there is no such item.`,
        why: 'If the id is mistyped, what was meant is still current.',
        fix: `Correct or remove it: \`stet edit ${item.id}\`.`,
      })),
  );
}

async function findDuplicates(memory: Memory): Promise<readonly Finding[]> {
  const first = new Map<string, string>();
  const findings: Finding[] = [];
  for (const { item } of (await listItems(memory, { outdated: false })).toReversed()) {
    const key = [spaceKeyOf(item.space), item.kind === 'instruction', normaliseStatement(item.text)].join('\n');
    const older = first.get(key);
    if (older === undefined) {
      first.set(key, item.id);
      continue;
    }
    findings.push({
      level: 'problem',
      area: 'duplicates',
      finding: `${item.id} says the same as ${older}.`,
      why: 'An answer has room for eight facts, and one of them comes twice.',
      fix: `\`stet forget ${item.id}\`.`,
    });
  }
  return findings;
}

async function findSecretsInFiles(memory: Memory): Promise<readonly Finding[]> {
  const findings: Finding[] = [];
  for (const { path, file } of memory.table.all()) {
    const read = readItemFile(memory.repository.root, path);
    if (read.status !== 'read') continue;
    for (const { rule, line } of await findSecrets(read.bytes.toString('utf8'))) {
      findings.push({
        level: 'problem',
        area: 'secrets',
        finding: `${path}:${line}: this looks like a secret (${rule}).`,
        why: 'Every agent that may see the item is given it.',
        fix: `Change the secret where it is used, then \`stet purge ${file.item.id} --yes\`.`,
      });
    }
  }
  return findings;
}

/** One finding a path and rule, at the newest version that has it. */
async function findSecretsInHistory(repository: GitRepository): Promise<readonly Finding[]> {
  const findings = new Map<string, Finding>();
  for await (const { commit } of repository.commits()) {
    for (const { path, after } of await repository.changesIn(commit)) {
      if (after === null || !path.endsWith('.md')) continue;
      for (const { rule } of await findSecrets(new TextDecoder().decode(after))) {
        const key = `${path}\n${rule}`;
        if (findings.has(key)) continue;
        const id = idInPath(path);
        findings.set(key, {
          level: 'problem',
          area: 'secrets',
          finding: `${path} in commit ${commit.slice(0, 10)}: this looks like a secret (${rule}).`,
          why: 'git keeps it, and gives it to every clone and remote.',
          fix: `Change the secret where it is used, then ${id === null ? 'rewrite the history with git' : `\`stet purge ${id} --yes\``}.`,
        });
      }
    }
  }
  return [...findings.values()];
}

function findInModes(memory: Memory): readonly Finding[] {
  const openness = describeOpenness(memory.repository.root);
  if (openness === null) return [];
  return [
    {
      level: 'problem',
      area: 'modes',
      finding: openness,
      why: 'What is remembered of one client is nobody else’s business.',
      fix: '`stet doctor --fix` closes the folder to everybody but you.',
    },
  ];
}
