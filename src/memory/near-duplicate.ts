export function compareStatements(
  a: string,
  b: string,
  cosine: number | null,
): 'identical' | 'near-identical' | 'similar' | 'different' {
  const words = (text: string) =>
    text
      .normalize('NFKC')
      .toLowerCase()
      .match(/[\p{L}\p{N}]+/gu)
      ?.join(' ') ?? '';
  if (words(a) === words(b)) return 'near-identical';
  return cosine !== null && cosine > 0.6 ? 'similar' : 'different';
}
