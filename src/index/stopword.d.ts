// Types of the parts of `stopword` 3 that are used here; the package brings none.
declare module 'stopword' {
  /** Lower-case stop words of one language, by ISO 639-3 code. */
  export const eng: readonly string[];
}
