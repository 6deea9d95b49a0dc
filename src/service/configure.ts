// `stet config`: settings by name, each in the file that it belongs to. Shared ones are committed.

import { StetError } from '../memory/failure.ts';
import { USER } from '../memory/remember.ts';
import { checkSetting, editSetting, SETTINGS, type SettingSpec } from '../memory/settings.ts';
import type { CommitOutcome } from '../repo/repository.ts';
import { subjectLine } from './commit-message.ts';
import type { Memory } from './memory.ts';
import { editYamlFiles } from './yaml-edit.ts';

export interface SettingReport {
  readonly name: string;
  readonly value: string;
  /** Whether a file says so, or it is the value that holds when none does. */
  readonly set: boolean;
  readonly file: string;
  readonly summary: string;
}

export async function listSettings(memory: Memory): Promise<readonly SettingReport[]> {
  await memory.refresh();
  return SETTINGS.map(({ name, file, summary }) => ({
    name,
    value: memory.config.setting(name),
    set: memory.config.isSet(name),
    file,
    summary,
  }));
}

/** Throws `bad-argument` for an unknown name or a value that the setting cannot have. */
export async function changeSetting(memory: Memory, name: string, value: string): Promise<CommitOutcome | null> {
  const spec = findSetting(name);
  const checked = checkSetting(spec, value);
  if (!checked.ok) {
    throw new StetError({
      code: 'bad-argument',
      argument: name,
      reason: checked.reason.replace(/\.$/, ''),
      hint: 'Nothing was changed.',
    });
  }
  return memory.repository.exclusive(async (transaction) => {
    const changed = await editYamlFiles(memory, transaction, [
      { path: spec.file, argument: name, edit: (text) => editSetting(spec, text, checked.value) },
    ]);
    // machine.yaml is this machine's own and ignored by git.
    const commit =
      spec.file === 'stet.yaml' && changed.has(spec.file)
        ? await transaction.commit([spec.file], {
            subject: subjectLine('config', `${name} ${checked.value}`),
            trailers: [['Stet-Agent', USER]],
            author: null,
          })
        : null;
    await memory.take([spec.file]);
    return commit;
  });
}

export function findSetting(name: string): SettingSpec {
  const spec = SETTINGS.find((each) => each.name === name);
  if (spec) return spec;
  throw new StetError({
    code: 'bad-argument',
    argument: name,
    reason: 'there is no such setting',
    hint: `Known: ${SETTINGS.map((each) => each.name).join(', ')}.`,
  });
}
