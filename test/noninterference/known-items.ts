// All that ever had an id, in the order of appearance: what the references of a script stand for.

import { deriveId } from '../../src/memory/id.ts';
import { parseItemFile } from '../../src/memory/item-file.ts';
import type { EditContext, KnownItem } from './hand-edits.ts';
import type { Ref, Text } from './script.ts';
import type { SeenEffect, World } from './world.ts';

interface GoodItem {
  readonly id: string;
  readonly text: string;
}

export class KnownItems {
  readonly #world: World;
  readonly #ids: string[] = [];
  readonly #good = new Map<string, KnownItem>();
  readonly #parsed = new WeakMap<Buffer, GoodItem | null>();

  constructor(world: World) {
    this.#world = world;
  }

  learn(effects: readonly SeenEffect[]): void {
    for (const { path, bytes } of effects) {
      const item = bytes === null ? null : this.#itemIn(path, bytes);
      if (item === null || bytes === null) continue;
      if (!this.#good.has(item.id)) this.#ids.push(item.id);
      this.#good.set(item.id, { path, bytes, text: item.text });
    }
  }

  resolve(ref: Ref): string {
    return (ref === 'nobody' ? undefined : this.#ids[ref % this.#ids.length]) ?? 'zzzzzzzz';
  }

  say(text: Text): string {
    if ('words' in text) return text.words;
    const said = this.#good.get(this.resolve(text.copyOf))?.text ?? 'Nobody said anything.';
    switch (text.change) {
      case 'none':
        return said;
      case 'shout':
        return said.toUpperCase();
      case 'stop':
        return said.endsWith('.') ? said.slice(0, -1) : `${said}.`;
      case 'number':
        return said.replace(/\d+/, (digits) => String(Number(digits) + 1));
      case 'word':
        return `${said} It is so.`;
    }
  }

  /** Whether a new item that draws this id has to draw again. */
  isTaken(id: string): boolean {
    return this.#isForgotten(id) || this.#pathsOf(id).length > 0;
  }

  isPersonal(id: string): boolean {
    const paths = this.#pathsOf(id);
    return paths.length > 0 && paths.every((path) => path.startsWith('personal/'));
  }

  context(operation: number): EditContext {
    return {
      operation,
      known: (id) => this.#good.get(id) ?? null,
      pathsOf: (id) => this.#pathsOf(id),
      isForgotten: (id) => this.#isForgotten(id),
      bytesAt: (path) => this.#bytesAt(path),
      views: this.#world.views(),
      freshId: deriveId('by hand', String(operation)),
    };
  }

  #pathsOf(id: string): readonly string[] {
    return [...this.#world.tree].flatMap(([path, { bytes }]) => (this.#itemIn(path, bytes)?.id === id ? [path] : []));
  }

  /** The item in a file, if it is good. */
  #itemIn(path: string, bytes: Buffer): GoodItem | null {
    const known = this.#parsed.get(bytes);
    if (known !== undefined) return known;
    const parsed = parseItemFile({ path, bytes, modified: new Date(0) });
    const item = parsed.ok ? { id: parsed.value.item.id, text: parsed.value.item.text } : null;
    this.#parsed.set(bytes, item);
    return item;
  }

  #isForgotten(id: string): boolean {
    return this.#world.tree.has(`forgotten/${id}.yaml`);
  }

  #bytesAt(path: string): Buffer | null {
    return this.#world.tree.get(path)?.bytes ?? null;
  }
}
