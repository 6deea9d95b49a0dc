// What git stores: typed bytes, named by the SHA-1 of a header and the bytes (gitformat-loose, git-hash-object).
import { createHash } from 'node:crypto';
import { constants, deflateSync, inflateSync } from 'node:zlib';

export type ObjectType = 'blob' | 'tree' | 'commit';

/** 40 lower-case hexadecimal digits. */
export type ObjectId = string;

export interface GitObject {
  readonly id: ObjectId;
  readonly type: ObjectType;
  readonly bytes: Uint8Array;
}

export function isObjectId(text: string): boolean {
  return /^[0-9a-f]{40}$/.test(text);
}

export function makeObject(type: ObjectType, bytes: Uint8Array): GitObject {
  const id = createHash('sha1').update(header(type, bytes)).update(bytes).digest('hex');
  return { id, type, bytes };
}

/** The content of a loose object's file. Fastest compression, as git's own `core.looseCompression` defaults to. */
export function packLoose(object: GitObject): Buffer {
  return deflateSync(Buffer.concat([header(object.type, object.bytes), object.bytes]), {
    level: constants.Z_BEST_SPEED,
  });
}

/** The object in a loose object's file; null unless it inflates to exactly what its name promises. */
export function unpackLoose(id: ObjectId, file: Uint8Array): GitObject | null {
  let whole: Buffer;
  try {
    whole = inflateSync(file);
  } catch {
    return null;
  }
  if (createHash('sha1').update(whole).digest('hex') !== id) return null;
  const end = whole.indexOf(0);
  const type = whole.toString('latin1', 0, whole.indexOf(0x20));
  if (type !== 'blob' && type !== 'tree' && type !== 'commit') return null;
  return { id, type, bytes: whole.subarray(end + 1) };
}

function header(type: ObjectType, bytes: Uint8Array): Buffer {
  return Buffer.from(`${type} ${bytes.length}\0`, 'latin1');
}
