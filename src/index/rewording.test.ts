import { describe, expect, it } from 'vitest';
import { reword, type Defined } from './rewording.ts';

const defined = (phrase: string, meaning: string, more: Partial<Defined> = {}): Defined => ({
  id: 'v1',
  created: '2026-01-01',
  phrase,
  meaning,
  bothWays: false,
  ...more,
});
const DOC = defined('quarterly doc', 'finance one');
const K8S = defined('k8s', 'Kubernetes', { id: 'v2', bothWays: true });
const texts = (question: string, ...all: Defined[]) => reword(question, all).map(({ text }) => text);

describe('reword', () => {
  it('replaces every defined phrase, in any form of its words, and says by which document', () => {
    expect(reword('Where is the quarterly doc?', [DOC])).toEqual([{ text: 'Where is the finance one?', by: ['v1'] }]);
    expect(texts('are "Quarterly docs" done', DOC)).toEqual(['are "finance one" done']);
    expect(reword('Is K8s in the quarterly doc, and why k8s?', [DOC, K8S])).toEqual([
      { text: 'Is Kubernetes in the finance one, and why Kubernetes?', by: ['v2', 'v1'] },
    ]);
  });

  it('wants all words of a phrase, side by side and in order', () => {
    for (const question of ['the quarterly finance doc', 'the doc of the quarterly', 'quarterly', 'docs', '']) {
      expect(texts(question, DOC)).toEqual([]);
    }
  });

  it('goes from meaning to phrase only where both are names', () => {
    expect(texts('which kubernetes version?', K8S)).toEqual(['which k8s version?']);
    expect(texts('what about the finance one', DOC)).toEqual([]);
  });

  it('prefers the longest phrase', () => {
    expect(texts('the quarterly doc', defined('quarterly', 'Q3'), DOC, defined('doc', 'file'))).toEqual([
      'the finance one',
    ]);
  });

  it('tries every meaning of a phrase, the newest first, and no more than three', () => {
    const meanings = ['one', 'two', 'three', 'four'].map((meaning, n) =>
      defined('prod', meaning, { id: `v${n}`, created: `2026-0${n + 1}-01` }),
    );
    const expected = ['is four up?', 'is three up?', 'is two up?'];
    expect(texts('is prod up?', ...meanings)).toEqual(expected);
    expect(texts('is prod up?', ...meanings.toReversed())).toEqual(expected);
    expect(texts('is prod up?', defined('prod', 'same'), defined('prod', 'same', { id: 'v0' }))).toEqual([
      'is same up?',
    ]);
  });

  it('finds a phrase in a script without spaces as it is written', () => {
    expect(texts('四半期資料はどこですか', defined('四半期資料', '財務報告書'))).toEqual(['財務報告書はどこですか']);
  });

  it('takes no phrase of stop words alone', () => {
    expect(texts('what is it and how', defined('it', 'the IT department'))).toEqual([]);
  });
});
