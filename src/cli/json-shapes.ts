// What each command prints with `--json`: docs/cli.md is made from this, and a test holds the commands to it. Stable: new
// fields may be added, none is taken away or changes its meaning.
//
// Notation: `{ a, b? }` an object, `b` only where it says something; `[ … ]` a list of such; `a: … | null`.

const ITEM = 'id, kind, space, source, created, text, score, supersedes?, until?, as_of?, target?, tags?';
const IMPORTED = '{ imported, unchanged, skipped: [{ path, reason }], commit, dry_run?, items? }';

/** By the command's name. */
export const JSON_SHAPES: Readonly<Record<string, string>> = {
  init: '{ status: created | completed, memory, commit, completed }',
  remember: '{ status: stored | identical | near-identical | refused, id, path, commit, similar: [item], warnings }',
  recall: '{ agent, space, instructions: [item], facts: [item] }',
  forget: '{ status: forgotten | waiting | refused, id, commit, message }',
  list: `[{ ${ITEM}, path, outdated, uncommitted }]`,
  show: `{ ${ITEM}, path, outdated, uncommitted, chain: [{ relation, …item }] } | null`,
  edit: '{ status: saved | unchanged | invalid | overtaken, id, path, commit, draft }',
  tag: '{ id, path, tags, commit }',
  mv: '{ id, space, moved: [{ id, from, to }], commit }',
  open: '{ path }',
  digest: '{ time, spaces: [{ space, items: [item] }] }',
  lint: '{ items, findings: [{ id, space, path, rule, finding, advice }], not_judged }',
  stats:
    '{ total: { current, outdated }, forgotten, quarantined, words, spaces, kinds, sources, months, deliveries: { total, last_30_days, empty, agents } }',
  status:
    '{ root, head, items, spaces: [{ space, items }], forgotten, quarantined: [{ path, problems }], uncommitted: [{ path, state, why, isHeld }], waiting: [{ subject, since, reason }], unreadable: [{ path, errno }], servers, vectors: { model, ready, waiting, answering, problem }, sync: { remote, branch, ahead, behind, syncedAt, triedAt, problem } | null, warnings }',
  doctor:
    '{ findings: [{ level, area, finding, why, fix }], servers, fixed, moved: [{ id, from, to }], settled: { decision, paths, commit } | null }',
  'import markdown': IMPORTED,
  'import obsidian': IMPORTED,
  'import basic-memory': IMPORTED,
  'import rules': IMPORTED,
  'import claude-memory': IMPORTED,
  'import server-memory': IMPORTED,
  'import list': IMPORTED,
  'import jsonl':
    '{ imported, unchanged, skipped: [{ path, reason }], commit, history: { status: taken | same | left, commits, merges?, same_ids?, why? } | null }',
  export:
    '{ files, folder } with --folder; else JSON lines, whatever --json says: { type: item | tombstone | config, path, id?, content, encoding? } (content null with --history: gone and not committed), and with --history before them { type: version, commit, time, authored, author, author_email, committer, committer_email, subject, message, merge?, path, content, encoding?, executable? }',
  'space add': '{ name, created, folder, remote }',
  'space list': '[{ name, aliases, remotes, folders, items }]',
  'space rename': '{ name, alias, items, commit }',
  'space remove': '{ name }',
  where: '{ folder, space, rule, warnings }',
  allow: '{ agent, space, effect, commit, warnings }',
  deny: '{ agent, space, effect, commit, warnings }',
  'policy list': '{ rules: [{ agent, space, effect, line }], closed, warnings }',
  'policy explain': '{ agent, space, allowed, rule }',
  log: '[{ commit, time, author, operation, what, items }]',
  diff: '{ id, from, to, patch }',
  restore: '{ id, path, commit }',
  purge: '{ ids, paths, versions, commits, deliveries, bundle, left, push, dryRun }',
  undo: '{ undone: { commit, subject }, paths, commit }',
  review:
    '[{ kind: waiting | unseen | forget-requested | contradiction | cycle | quarantined | sync-stopped | sync-decided, … }]; with a verdict { id, verdict, commit }',
  config: '[{ name, value, set, file, summary }]; with a value { name, value, commit }',
  deliveries:
    '[{ number, time, agent, source, space, rule, spaceAllowed, personalAllowed, question, commit, instructions, facts, leftOut, more, bar, wordsOnly }]',
  why: '{ delivery, instructions, facts, vocabulary, leftOut, elsewhere, policyChange, quarantined }',
  preview: '{ agent, space, rule, text, instructions: [item], facts: [item], rewordedBy, leftOut, more }',
  setup:
    '{ dry_run, clients: [{ client, installed, status, file, commands, backup, diff, reason, notes }], instructions: [{ clients, status, file, … }] }',
  clone: '{ root, url, commit, items }',
  'remote set': '{ url, branch, holds: nothing | this memory | another memory, warnings }',
  sync: '{ outcome: { status: synced | planned | waits | stopped, why?, … }, remote, received, sent, decisions, left: [{ path, why }] }',
  'index rebuild': '{ items, vectors, problem }',
};

/** Commands whose stdout belongs to a protocol or a shell. */
export const WITHOUT_JSON: ReadonlySet<string> = new Set(['mcp', 'completion']);
