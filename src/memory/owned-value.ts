// Finds values that some system probably owns (a ticket's status, a price, a version in production, who is on call): a
// copy in memory is wrong as soon as the system moves on. Advice only: nothing here refuses.
import { maskLiterals } from './literal-text.ts';

export interface OwnedValue {
  /** As it stands in the statement. */
  readonly phrase: string;
  /** What probably owns it. */
  readonly owner: string;
}

const NUMBER = '\\d[\\d.,]*(?:\\s?[kKmMbB]\\b)?';

/** First match wins; each is a claim ("is", "has", "at") and not the mere mention of a number. */
const RULES: ReadonlyArray<{ readonly owner: string; readonly pattern: RegExp }> = [
  {
    owner: 'the issue tracker',
    pattern:
      /(?:\b[A-Z][A-Z0-9]{1,9}-\d+|#\d+|\b(?:the|this|that|our|their|my)\s+(?:[\p{L}\p{N}-]+\s+){0,3}?(?:ticket|issue|task|story|PR|pull request)s?\b[^.;\n]{0,30}?)\s+(?:is|are|was|stays?|remains?)\s+(?:still\s+|now\s+)?(?:open|closed|blocked|done|merged|resolved|assigned|in (?:progress|review)|waiting|unassigned)\b/iu,
  },
  {
    owner: 'the calendar or rota',
    pattern:
      /\b(?:on[- ]call|on duty)\b[^.;\n]{0,20}\b(?:is|are)\b|\b(?:is|are)\s+(?:now\s+)?(?:on[- ]call|on duty)\b/iu,
  },
  {
    owner: 'the deployment or package registry',
    pattern: new RegExp(
      '\\b(?:production|prod|staging|live|the latest (?:version|release)|current version)\\b[^.;\\n]{0,30}?\\b(?:is|runs|uses|at|on)\\s+(?:version\\s+|at\\s+|on\\s+)*v?\\d+\\.\\d+(?:\\.\\d+)?',
      'iu',
    ),
  },
  {
    owner: 'the monitoring or the build',
    pattern: new RegExp(
      `\\b(?:coverage|uptime|latency|error rate|churn|conversion(?: rate)?|cpu|memory usage|disk usage|load)\\b[^.;\\n]{0,20}?\\b(?:is|at|of|stands at)\\s+(?:about\\s+|around\\s+|~)?${NUMBER}\\s?(?:%|percent|ms|s\\b|MB|GB)`,
      'iu',
    ),
  },
  {
    owner: 'the billing or accounting system',
    pattern: new RegExp(
      `\\b(?:balance|revenue|mrr|arr|budget|price|cost|bill|invoice|salary|plan)s?\\b[^.;\\n]{0,30}?\\b(?:is|are|at|of|stands at)\\s+(?:about\\s+|around\\s+|~)?(?:[$€£¥]\\s?${NUMBER}|${NUMBER}\\s?(?:USD|EUR|GBP|euros?|dollars?))|\\bcosts?\\s+(?:about\\s+|around\\s+|~)?(?:[$€£¥]\\s?${NUMBER}|${NUMBER}\\s?(?:USD|EUR|GBP|euros?|dollars?))`,
      'iu',
    ),
  },
  {
    owner: 'the system that counts them',
    pattern: new RegExp(
      `\\b(?:has|have|had|there (?:are|were)|counts?)\\s+(?:about\\s+|around\\s+|some\\s+|over\\s+|~)?${NUMBER}\\s+(?:active\\s+|open\\s+|paying\\s+|registered\\s+|unread\\s+)?(?:users?|customers?|clients|subscribers?|employees|members|orders?|tickets?|issues?|bugs?|followers?|stars?|downloads?|rows?|records?)\\b`,
      'iu',
    ),
  },
];

/** The first value of a statement that a system probably owns; null when there is none. */
export function findOwnedValue(statement: string): OwnedValue | null {
  const text = statement.normalize('NFC');
  const readable = maskLiterals(text);
  for (const { owner, pattern } of RULES) {
    const match = pattern.exec(readable);
    if (match) return { owner, phrase: text.slice(match.index, match.index + match[0].length) };
  }
  return null;
}
