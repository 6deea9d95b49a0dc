import { describe, expect, it } from 'vitest';
import { isLocalFile } from './memory-versions.ts';

describe('a file that stays on its machine', () => {
  it.each([
    'machine.yaml',
    'deliveries/2026-09.jsonl',
    '.stet/index/words.bin',
    'Machine.YAML',
    '.STET/a',
    'machine.yaml.',
    'machine.yaml . ',
    'machine.yaml::$DATA',
    'deliveries./2026-09.jsonl',
    'deliveries:x/a',
    '.st\u200Cet/a',
    'machine.yaml\uFEFF',
    'MACHIN~1.YAM',
    'DELIVE~1/a',
    'STET~1/a',
  ])('is %j', (path) => {
    expect(isLocalFile(path)).toBe(true);
  });

  it.each([
    'personal/machine.yaml',
    'spaces/deliveries/a.md',
    'machine.yaml.md',
    'machine.yml',
    'deliveries',
    'deliveries-2026/a.md',
    '.stetson/a',
    'stet.yaml',
    'stet~/a',
    '...',
  ])('is not %j', (path) => {
    expect(isLocalFile(path)).toBe(false);
  });
});
