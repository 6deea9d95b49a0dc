// The same merge for git itself: what `git pull`, `git merge` and `git rebase` call for a file that both sides changed
// (gitattributes, "Defining a custom merge driver"). Where two versions would be kept it leaves the usual marker lines, as git
// would: the user is there to choose, and stet delivers nothing of the file until then.

import { readFile, writeFile } from 'node:fs/promises';
import { placeOf } from '../memory/item-path.ts';
import { decodeText } from '../memory/file-text.ts';
import { mergeItemFiles } from '../memory/merge/merge-item-files.ts';
import { mergePoliciesFiles } from '../memory/merge/merge-policies-files.ts';
import { mergeSettingsFiles } from '../memory/merge/merge-settings-files.ts';
import { mergeSpacesFiles } from '../memory/merge/merge-spaces-files.ts';
import { markConflicts, mergeText } from '../memory/merge/merge-text.ts';
import { mergeTombstones } from '../memory/merge/merge-tombstones.ts';
import { NO_SPACES, parseSpaces } from '../memory/spaces-file.ts';
import { tombstonedId } from '../memory/tombstone.ts';

export interface MergeDriverCall {
  /** Files with the three versions; the base is empty where there is none. The result goes into `ours`. */
  readonly base: string;
  readonly ours: string;
  readonly theirs: string;
  /** The path of the file in the memory. */
  readonly path: string;
}

/** Whether it came to one version. */
export async function runMergeDriver(call: MergeDriverCall): Promise<boolean> {
  const [base, ours, theirs] = await Promise.all([call.base, call.ours, call.theirs].map((file) => readFile(file)));
  if (base === undefined || ours === undefined || theirs === undefined) return false;
  const merged = await merge(call.path, base.length === 0 ? null : base, ours, theirs);
  await writeFile(call.ours, merged.bytes);
  return merged.isClean;
}

interface Merged {
  readonly bytes: Uint8Array | string;
  readonly isClean: boolean;
}

async function merge(path: string, base: Buffer | null, ours: Buffer, theirs: Buffer): Promise<Merged> {
  const texts = { base: base?.toString('utf8') ?? null, ours: ours.toString('utf8'), theirs: theirs.toString('utf8') };
  if (tombstonedId(path) !== null) return { bytes: mergeTombstones(path, ours, theirs), isClean: true };
  switch (path) {
    case 'policies.yaml':
      return clean(mergePoliciesFiles(texts, await readSpaces()).text ?? '');
    case 'stet.yaml':
      return clean(mergeSettingsFiles(texts).text ?? '');
    case 'spaces.yaml': {
      const merged = mergeSpacesFiles(texts);
      return merged.ok ? clean(merged.text ?? '') : marked(texts);
    }
  }
  if (placeOf(path) !== null) {
    const merged = mergeItemFiles({ base, ours, theirs, path });
    if (merged.outcome === 'merged') return { bytes: merged.bytes, isClean: true };
  } else if (isText(ours) && isText(theirs) && (base === null || isText(base))) {
    const merged = mergeText(texts.base, texts.ours, texts.theirs);
    if (merged !== null) return clean(merged);
  }
  // Of files that are no text git itself keeps ours.
  return isText(ours) && isText(theirs) ? marked(texts) : { bytes: ours, isClean: false };
}

function clean(bytes: string): Merged {
  return { bytes, isClean: true };
}

function marked({ base, ours, theirs }: { base: string | null; ours: string; theirs: string }): Merged {
  return { bytes: markConflicts(base, ours, theirs, { ours: 'ours', theirs: 'theirs' }), isClean: false };
}

function isText(bytes: Buffer): boolean {
  return bytes.length === 0 || decodeText(bytes).ok;
}

/** git runs a merge driver at the top of the working tree. */
async function readSpaces() {
  try {
    const parsed = parseSpaces(await readFile('spaces.yaml', 'utf8'));
    return parsed.ok ? parsed.value : NO_SPACES;
  } catch {
    // None there: rules name spaces by their own names.
    return NO_SPACES;
  }
}
