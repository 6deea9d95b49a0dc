// What embedding models want around a text, by family. Invariant: what a model's own files say counts more than its name,
// and what the user says more than both; see model-folder.ts.

export type Pooling = 'mean' | 'cls' | 'last';

export interface ModelFamily {
  readonly pooling: Pooling;
  readonly questionPrefix: string;
  readonly documentPrefix: string;
  readonly multilingual: boolean;
}

const SEARCH = 'Represent this sentence for searching relevant passages: ';
const SEARCH_CHINESE = '为这个句子生成表示以用于检索相关文章：';

/** The first that fits counts. `name`: of the model and its folder. Prefixes and poolings are those of the model cards. */
const FAMILIES: ReadonlyArray<ModelFamily & { readonly name: RegExp }> = [
  family(/multilingual-e5|e5-multilingual/, 'mean', 'query: ', 'passage: ', true),
  family(/(?:^|[^a-z0-9])e5(?:[^a-z0-9]|$)/, 'mean', 'query: ', 'passage: ', false),
  family(/bge-m3/, 'cls', '', '', true),
  family(/bge-.*-zh/, 'cls', SEARCH_CHINESE, '', true),
  family(/(?:^|[^a-z0-9])bge(?:[^a-z0-9]|$)/, 'cls', SEARCH, '', false),
  family(/gte-multilingual/, 'cls', '', '', true),
  family(/gte-.*-v1\.5|gte-modernbert/, 'cls', '', '', false),
  family(/(?:^|[^a-z0-9])gte(?:[^a-z0-9]|$)/, 'mean', '', '', false),
  family(/arctic-embed.*-v2/, 'cls', 'query: ', '', true),
  family(/arctic-embed|mxbai-embed/, 'cls', SEARCH, '', false),
  family(/nomic-embed/, 'mean', 'search_query: ', 'search_document: ', false),
  family(/multilingual|labse|distiluse|xlm-r/, 'mean', '', '', true),
];
const OTHER: ModelFamily = { pooling: 'mean', questionPrefix: '', documentPrefix: '', multilingual: false };

/** Mean pooling, no prefixes and English for a model that no rule knows. */
export function familyOf(name: string): ModelFamily {
  const lower = name.toLowerCase();
  return FAMILIES.find((each) => each.name.test(lower)) ?? OTHER;
}

function family(
  name: RegExp,
  pooling: Pooling,
  questionPrefix: string,
  documentPrefix: string,
  multilingual: boolean,
): ModelFamily & { readonly name: RegExp } {
  return { name, pooling, questionPrefix, documentPrefix, multilingual };
}
