import { describe, expect, it } from 'vitest';
import { definitionsIn } from './definition.ts';

const pairs = (text: string) => definitionsIn(text).map(({ phrase, meaning }) => [phrase, meaning]);
const both = (text: string) => definitionsIn(text).map(({ bothWays }) => bothWays);

describe('definitionsIn', () => {
  it.each([
    ["'the quarterly doc' means the finance one", 'quarterly doc', 'finance one'],
    ['"The quarterly doc" means the finance one, not the sales one.', 'quarterly doc', 'finance one'],
    ['When Ada says “the quarterly doc”, she means the finance one.', 'quarterly doc', 'finance one'],
    ['when I say the quarterly doc I mean the finance one', 'quarterly doc', 'finance one'],
    ['By "prod" we mean the Frankfurt cluster.', 'prod', 'Frankfurt cluster'],
    ['In this project `k8s` always stands for Kubernetes.', 'k8s', 'Kubernetes'],
    ['**`QBR`**: quarterly business review', 'QBR', 'quarterly business review'],
    ['QBR is short for "quarterly business review" in every mail.', 'QBR', 'quarterly business review'],
    ['k8s = Kubernetes', 'k8s', 'Kubernetes'],
    ['Vocabulary: k8s = Kubernetes (the cluster)', 'k8s', 'Kubernetes'],
    ['HQ: the office in Berlin', 'HQ', 'office in Berlin'],
    ['The finance spreadsheet is called "the quarterly doc".', 'quarterly doc', 'finance spreadsheet'],
    ['The user calls the finance spreadsheet *the quarterly doc*.', 'quarterly doc', 'finance spreadsheet'],
    ['„Quartalsbericht“ bedeutet den der Finanzabteilung.', 'Quartalsbericht', 'der Finanzabteilung'],
    ['Wenn ich „der Bericht“ sage, meine ich die Auswertung der Finanzen.', 'Bericht', 'Auswertung der Finanzen'],
    ['Mit „ZV“ ist immer die Zentralverwaltung gemeint.', 'ZV', 'Zentralverwaltung'],
    ['«el informe» significa el de finanzas', 'informe', 'de finanzas'],
    ['Cuando digo «el informe», me refiero a la hoja de finanzas.', 'informe', 'hoja de finanzas'],
    ['« le doc » veut dire celui de la finance', 'doc', 'celui de la finance'],
    ["Par « le doc », j'entends le rapport financier.", 'doc', 'rapport financier'],
    ['「四半期資料」 = 財務報告書', '四半期資料', '財務報告書'],
  ])('reads %s', (text, phrase, meaning) => {
    expect(pairs(text)).toEqual([[phrase, meaning]]);
  });

  it('reads one a line or sentence, and several phrases of one meaning', () => {
    expect(pairs('- `k8s` = Kubernetes\n- `PR` = pull request\n\nNothing here.')).toEqual([
      ['k8s', 'Kubernetes'],
      ['PR', 'pull request'],
    ]);
    expect(pairs("'PR' stands for pull request. 'MR' or 'merge' means merge request.")).toEqual([
      ['PR', 'pull request'],
      ['MR', 'merge request'],
      ['merge', 'merge request'],
    ]);
  });

  it('takes the meaning for a name as good as the phrase only where it describes nothing', () => {
    expect(both('k8s = Kubernetes')).toEqual([true]);
    expect(both("'k8s' means Kubernetes")).toEqual([true]);
    expect(both('PR stands for pull request')).toEqual([true]);
    expect(both("'PR' means pull request")).toEqual([false]);
    expect(both("'the quarterly doc' = the finance one")).toEqual([false]);
    expect(both('QBR: review of all the numbers of a quarter')).toEqual([false]);
  });

  it.each([
    'Kubernetes runs in Frankfurt.',
    "The user's colleagues don't like tabs; they're fine with spaces.",
    'The meeting starts at 10:30 on Fridays.',
    '"k8s" = k8s',
    "'---' means nothing's there",
    `The very long winded and rather unusual name of a thing = it`,
    '',
  ])('finds nothing in %s', (text) => {
    expect(pairs(text)).toEqual([]);
  });

  it('looks at a bounded part of a text', () => {
    expect(definitionsIn('k8s = Kubernetes\n'.repeat(4_000))).toHaveLength(50);
    expect(definitionsIn(`'k8s' means Kubernetes ${'and so on '.repeat(30)}`)).toEqual([]);
    expect(definitionsIn(`${' '.repeat(10_000)}\nk8s = Kubernetes`)).toEqual([]);
  });
});
