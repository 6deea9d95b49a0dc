// Answers of the writing tools and of `read`, in the words that an agent acts on. Stored text stands in the same fence
// as in a recall.

import type { ForgetResult, ReadResult, RememberResult, Session } from '../app.ts';
import type { CommitOutcome } from '../app.ts';
import { printInstructions, printItemLine, printItems, printSpace, printWholeItem } from '../memory/answer.ts';
import { describeRefusal } from '../memory/refusal.ts';
import { usableSpace } from '../memory/session.ts';
import { neutralise } from '../memory/untrusted-text.ts';
import type { ToolAnswer } from './tools.ts';

export function printRemember(result: RememberResult, session: Session, nonce: string): ToolAnswer {
  const space = printSpace(usableSpace(session));
  switch (result.status) {
    case 'refused': {
      const heads = result.refusal.code === 'already-superseded' ? result.refusal.heads : [];
      const lines = [describeRefusal(result.refusal)];
      if (heads.length > 0) lines.push(printItems('newest of the chain: data', heads, nonce));
      return { text: [...lines, space].join('\n'), isError: true };
    }
    case 'identical':
      return {
        text: [...printKnown(result, nonce), space].join('\n'),
        isError: false,
        meta: { status: 'identical', id: result.item.id },
      };
    case 'near-identical':
      return {
        text: [
          `Nothing was saved: ${result.item.id} says nearly the same.`,
          printItems('the stored item: data', [result.item], nonce),
          `If yours replaces it, call again with supersedes ${printIds([result.item.id, ...result.replaces])}; if both are true and differ, with keep_both true; else leave it.`,
          space,
        ].join('\n'),
        isError: false,
        meta: { status: 'near-identical', id: result.item.id },
      };
    case 'stored': {
      const { item } = result;
      const where = item.space === null ? 'personal' : `space ${neutralise(item.space, 'one-line')}`;
      const waiting =
        item.review === 'waiting' ? ' It waits for the user (`stet review`) and changes nothing until then.' : '';
      const lines = [`Saved as ${item.id} (${item.kind}, ${where})${printCommit(result.commit)}.${waiting}`];
      if (result.superseded.length > 0) lines.push(`Superseded: ${result.superseded.map((old) => old.id).join(', ')}.`);
      lines.push(...result.warnings.map((warning) => `Warning: ${warning}`));
      if (result.similar.length > 0) {
        lines.push(
          printItems('similar items, still current: data', result.similar, nonce),
          'If yours replaces one of them, say so: remember the new text again with supersedes, or forget the older.',
        );
      }
      if (result.instructions.length > 0) {
        lines.push(printInstructions('standing instructions now in force', result.instructions, nonce));
      }
      return { text: [...lines, space].join('\n'), isError: false, meta: { status: 'stored', id: item.id } };
    }
  }
}

/** Says of a known text what of the call was not done, and how to have it done. */
function printKnown(result: Extract<RememberResult, { status: 'identical' }>, nonce: string): string[] {
  const { item, differs, stillCurrent } = result;
  if (differs.length + stillCurrent.length === 0) return [`Already known as ${item.id}; nothing needed saving.`];
  const lines = [`Already known as ${item.id}; nothing was saved.`];
  if (differs.length > 0) {
    lines.push(
      printItems(`the stored item, with another ${differs.join(', ')}: data`, [item], nonce),
      `If yours holds now, call again with supersedes ${printIds([item.id])}; else leave it.`,
    );
  }
  if (stillCurrent.length > 0) {
    lines.push(`Still current, to be forgotten if ${item.id} replaces it: ${stillCurrent.join(', ')}.`);
  }
  return lines;
}

function printIds(ids: readonly string[]): string {
  return JSON.stringify(ids).replaceAll(',', ', ');
}

export function printForget(result: ForgetResult, session: Session): ToolAnswer {
  const space = printSpace(usableSpace(session));
  switch (result.status) {
    case 'refused':
      return { text: `${describeRefusal(result.refusal)}\n${space}`, isError: true };
    case 'waiting':
      return {
        text: `The user has to agree (\`stet review\`); until then ${result.id} stays in force.\n${space}`,
        isError: false,
        meta: { status: 'waiting', id: result.id },
      };
    case 'forgotten':
      return {
        text: `Forgotten: ${result.id}${printCommit(result.commit)}. ${result.isKept ? `Its text stays in git history until the user runs \`stet purge ${result.id}\`.` : 'Its last text was in no commit, and is gone.'}\n${space}`,
        isError: false,
        meta: { status: 'forgotten', id: result.id },
      };
  }
}

export function printRead(result: ReadResult, session: Session, nonce: string): ToolAnswer {
  const space = printSpace(usableSpace(session));
  if (result.status === 'refused') return { text: `${describeRefusal(result.refusal)}\n${space}`, isError: true };
  const { item } = result;
  const lines = [
    `${item.id}: ${result.outdated ?? 'current'}.`,
    `=== ${nonce} the item whole: data ===`,
    ...printWholeItem(item),
    ...result.chain.map(
      (step) => `${step.relation === 'supersedes' ? 'replaced' : 'replaced by'} ${printItemLine(step.item).slice(2)}`,
    ),
    `=== ${nonce} end ===`,
    space,
  ];
  return { text: lines.join('\n'), isError: false, meta: { id: item.id } };
}

/**
 * Only a waiting commit is worth a word: the item itself is safe on disk either way. Not why it waits: the reason may
 * name a file of another space, by the words of its statement.
 */
function printCommit(commit: CommitOutcome): string {
  return commit.status === 'pending' ? ' (commit pending; the user sees why with `stet status`)' : '';
}
