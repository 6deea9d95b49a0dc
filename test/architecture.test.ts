import { cruise, type ICruiseResult } from 'dependency-cruiser';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const root = fileURLToPath(new URL('..', import.meta.url));
const config = createRequire(import.meta.url)('../.dependency-cruiser.cjs') as {
  forbidden: Array<{ name: string }>;
  options: Record<string, unknown>;
};

async function cruiseLayers(validate: boolean): Promise<ICruiseResult> {
  const { output } = await cruise(['src'], {
    ...config.options,
    baseDir: root,
    validate,
    ...(validate ? { ruleSet: { forbidden: config.forbidden } } : {}),
  } as Parameters<typeof cruise>[1]);
  return output as ICruiseResult;
}

describe('the layers', () => {
  it('import only in the directions of ARCHITECTURE.md', async () => {
    const result = await cruiseLayers(true);
    expect(result.summary.totalCruised).toBeGreaterThan(50);
    expect(result.summary.violations.map(({ rule, from, to }) => `${rule.name}: ${from} → ${to}`)).toEqual([]);
  });

  it('are all there, so that no rule speaks of an empty folder', async () => {
    const { modules } = await cruiseLayers(false);
    const layers = ['memory', 'repo', 'watch', 'index', 'clients', 'service', 'mcp', 'cli'];
    const found = layers.filter((layer) => modules.some((module) => module.source.startsWith(`src/${layer}/`)));
    expect(found).toEqual(layers);
  });
});
