export async function findSecrets(
  text: string,
): Promise<ReadonlyArray<{ rule: string; start: number; end: number; line: number }>> {
  const { lintSource } = await import('@secretlint/core');
  const { creator } = await import('@secretlint/secretlint-rule-preset-recommend');
  const result = await lintSource({
    source: { filePath: 'memory.md', content: text, contentType: 'text' },
    options: { config: { rules: [{ id: '@secretlint/secretlint-rule-preset-recommend', rule: creator }] } },
  });
  return result.messages.map((message) => ({
    rule: message.ruleId,
    start: message.range[0],
    end: message.range[1],
    line: message.loc.start.line,
  }));
}
