import { describe, expect, it } from 'vitest';
import { countTerms, wordsOf } from './tokenize.ts';

const terms = (text: string): string[] => [...countTerms(text).keys()];

describe('tokenize', () => {
  it('stems words and drops stop words, also where a contraction hides them', () => {
    expect(terms("What's the team deploying, and don't they test?")).toEqual(['team', 'deploy', 'test']);
  });

  it('keeps an identifier whole and gives its parts', () => {
    expect(wordsOf('PAY-1041')).toEqual([{ term: 'pay-1041', parts: ['pay', '1041'], lower: 'pay-1041' }]);
    expect(wordsOf('getUserById').map(({ term, parts }) => [term, ...parts])).toEqual([['getuserbyid', 'user', 'id']]);
    expect(terms('in src/index/open.ts')).toEqual(['src/index/open.ts', 'src', 'index', 'open', 'ts']);
    expect(terms('HTTPServer react.js C++ C# k8s')).toEqual([
      'httpserver', 'http', 'server', 'react.js', 'react', 'js', 'c++', 'c#', 'k8s',
    ]); // prettier-ignore
  });

  it('takes one word for one word however it is written', () => {
    expect(wordsOf('ReactJS')[0]?.term).toBe(wordsOf('REACTJS')[0]?.term);
    expect(wordsOf('TypeScript')[0]?.term).toBe(wordsOf('typescript')[0]?.term);
  });

  it('cuts Chinese, Japanese and Thai into bigrams, also when Latin words touch them', () => {
    expect(terms('黑豹队')).toEqual(['黑豹', '豹队']);
    expect(terms('用Redis缓存')).toEqual(['用', 'redi', '缓存']);
    expect(terms('東京タワー')).toEqual(['東京', '京タ', 'タワ', 'ワー']);
    expect(terms('ประเทศ').length).toBeGreaterThan(1);
  });

  it('meets full-width, composed and accented spellings', () => {
    expect(terms('Ｒｅｄｉｓ')).toEqual(terms('redis'));
    expect(terms('Zürich')).toEqual(terms('Zurich'));
    expect(terms('cafe\u0301')).toEqual(terms('café'));
    expect(terms('Ещё один счёт и ЁЛКА')).toEqual(terms('Еще один счет и елка'));
    expect([...countTerms('Её счёт', 'ru').keys()]).toEqual(['счет']);
  });

  it('takes off what is elided before a word, in French and Italian alone', () => {
    const termsIn = (text: string, language: 'fr' | 'it' | 'en') => [...countTerms(text, language).keys()];
    expect(termsIn("L'authentification", 'fr')).toEqual(termsIn('authentification', 'fr'));
    expect(termsIn('qu’utilise d’Orange', 'fr')).toEqual(termsIn('utilise Orange', 'fr'));
    expect(termsIn("dell'azienda", 'it')).toEqual(termsIn('azienda', 'it'));
    expect(termsIn("d'Artagnan", 'en')).toContain("d'artagnan");
  });

  it('meets the forms of a Polish word that differ by ending', () => {
    const termsIn = (text: string) => [...countTerms(text, 'pl').keys()];
    expect(termsIn('Faktury wysyłamy, bazy danych')).toEqual(['faktur', 'wysyl', 'baz', 'dan']);
    expect(termsIn('faktura wysyłana, baza danymi')).toEqual(termsIn('Faktury wysyłana, bazy danych'));
    expect(termsIn('księgową')).toEqual(termsIn('Księgowa'));
    expect(termsIn('księgową')).not.toEqual(termsIn('księgowości'));
    expect(termsIn('Kto jest naszą')).toEqual([]);
  });

  it('meets both pairs of i of Turkish, and letters written without their stroke', () => {
    const termsIn = (text: string) => [...countTerms(text, 'tr').keys()];
    expect(termsIn('IŞIK İSTANBUL')).toEqual(termsIn('ışık istanbul'));
    expect(terms('İstanbul ISPARTA')).toEqual(terms('istanbul isparta'));
    expect(terms('Łódź Tromsø')).toEqual(terms('Lodz Tromso'));
    expect(terms('cœur')).toEqual(terms('coeur'));
  });

  it('drops the polite ending of a Korean sentence, and half-width kana are kana', () => {
    expect(terms('누구입니까')).toEqual(['누구']);
    expect(terms('한국')).toEqual(['한국']);
    expect(terms('나요')).toEqual(['나요']);
    expect(terms('ﾃﾞｰﾀ')).toEqual(terms('データ'));
  });

  it.each([
    ['es', '¿Quién es nuestra gestora? ¿Cuándo y dónde está?', ['gestor']],
    ['fr', 'Quand et comment la facture est-elle payée ?', ['factur', 'est-elle', 'pai']],
    ['pt', 'Onde está a fatura?', ['fatur']],
    ['nl', 'Wanneer wordt onze factuur betaald?', ['factur', 'betaald']],
    ['ru', 'Какая наша фирма и сколько счетов?', ['фирм', 'счет']],
  ] as const)('takes no question word of %s for what is asked about', (language, text, wanted) => {
    expect([...countTerms(text, language).keys()]).toEqual(wanted);
  });

  it('leaves marks of other scripts alone', () => {
    expect(terms('हिन्दी')).toEqual(['हिन्दी']);
  });

  it('gives nothing for punctuation, white space and stop words', () => {
    expect(terms('  …?! -- the and of \n')).toEqual([]);
  });
});
