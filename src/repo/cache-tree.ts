// The index's `TREE` extension: the tree objects that the index would make, folder by folder (gitformat-index).
// Invariant: after a change, no folder above a changed path claims to know its tree.
import { toByteString } from './tree.ts';

interface Node {
  readonly name: string;
  /** Entries of the index below this folder; -1 when its tree is not known. */
  count: number;
  readonly id: Buffer | null;
  readonly folders: Node[];
}

/** The extension without the trees above these paths; null (drop it) when it cannot be read. */
export function invalidatePaths(content: Buffer, paths: readonly string[]): Buffer | null {
  const root = parse(content);
  if (root === null) return null;
  for (const path of paths) {
    const parts = toByteString(path).split('/');
    let node: Node | undefined = root;
    for (const [depth, part] of parts.entries()) {
      if (node === undefined) break;
      node.count = -1;
      const next: Node | undefined = node.folders.find((folder) => folder.name === part);
      // A file where a folder was: the folder's trees are of nothing.
      if (depth === parts.length - 1 && next !== undefined) node.folders.splice(node.folders.indexOf(next), 1);
      node = next;
    }
  }
  const pieces: Buffer[] = [];
  print(root, pieces);
  return Buffer.concat(pieces);
}

function parse(content: Buffer): Node | null {
  let at = 0;
  const readNode = (): Node | null => {
    const nameEnd = content.indexOf(0, at);
    const lineEnd = content.indexOf(0x0a, nameEnd);
    if (nameEnd < 0 || lineEnd < 0) return null;
    const name = content.toString('latin1', at, nameEnd);
    const [count = NaN, folderCount = NaN] = content
      .toString('latin1', nameEnd + 1, lineEnd)
      .split(' ')
      .map(Number);
    if (!Number.isInteger(count) || !Number.isInteger(folderCount)) return null;
    at = lineEnd + 1;
    let id: Buffer | null = null;
    if (count >= 0) {
      id = content.subarray(at, at + 20);
      at += 20;
      if (at > content.length) return null;
    }
    const folders: Node[] = [];
    for (let folder = 0; folder < folderCount; folder++) {
      const node = readNode();
      if (node === null) return null;
      folders.push(node);
    }
    return { name, count, id, folders };
  };
  return readNode();
}

function print(node: Node, pieces: Buffer[]): void {
  pieces.push(Buffer.from(`${node.name}\0${node.count} ${node.folders.length}\n`, 'latin1'));
  if (node.count >= 0 && node.id !== null) pieces.push(node.id);
  for (const folder of node.folders) print(folder, pieces);
}
