// What a shell asks for on every press of the key: `stet complete -- WORDS`. @bomb.sh/tab matches the words against the
// declarations; what names a thing of the memory is offered from what is there.

import { Argument, RootCommand, ShellCompDirective } from '@bomb.sh/tab';
import { resolve } from 'node:path';
import { clientIds, knownNames } from '../app-without-memory.ts';
import { KNOWN_AGENTS } from '../memory/agent-name.ts';
import { KINDS } from '../memory/item.ts';
import { SETTINGS } from '../memory/settings.ts';
import { COMMANDS, GLOBAL_OPTIONS, GROUP_SUMMARIES } from './commands.ts';

type Names = ReadonlyArray<readonly [value: string, description: string]>;

/** Where a name stands for something in the memory, or one of few words, by the placeholder of argument or option. */
type Offers = Readonly<Record<string, () => Names>>;

/** Placeholders that the shell completes by itself. */
const FILES: ReadonlySet<string> = new Set(['folder', 'file', 'path']);

/** Prints what can stand where the last word is, and how the shell is to take it. `memory` is the one of the environment. */
export function complete(words: readonly string[], memory: string): void {
  const root = new RootCommand();
  let wantsFiles = false;
  const offers = offersOf(memoryIn(words) ?? memory);
  const handlerOf = (placeholder: string) => (offer: (value: string, description: string) => void) => {
    const word = /\w+/.exec(placeholder)?.[0] ?? '';
    wantsFiles ||= FILES.has(word);
    for (const [value, description] of offers[word]?.() ?? []) offer(value, description);
  };
  for (const [group, summary] of Object.entries(GROUP_SUMMARIES)) root.command(group, summary);
  for (const spec of COMMANDS) {
    if (spec.isHidden === true) continue;
    const command = root.command(spec.name, spec.summary);
    for (const { flags, summary } of [...spec.options, ...GLOBAL_OPTIONS]) {
      const [flag = '', placeholder] = flags.split(' ');
      const name = flag.replace(/^--/, '');
      if (placeholder === undefined) command.option(name, summary);
      else command.option(name, summary, handlerOf(placeholder));
    }
    for (const { name, offers: other } of spec.arguments) {
      const handler = handlerOf(other ?? name);
      command.arguments.set(name, new Argument(command, name, handler, name.includes('...')));
    }
  }
  // The library offers no files where a command has a handler, and sets this just before it prints it.
  Object.defineProperty(root, 'directive', {
    get: () =>
      wantsFiles ? ShellCompDirective.ShellCompDirectiveDefault : ShellCompDirective.ShellCompDirectiveNoFileComp,
    set: () => {},
  });
  root.parse([...words]);
}

function offersOf(memory: string): Offers {
  const plain = (values: readonly string[]) => (): Names => values.map((value) => [value, '']);
  const names = once(() => knownNames(memory));
  return {
    id: () => names().ids.map(({ id, hint }) => [id, hint]),
    space: () => [['personal', 'what goes everywhere'], ...names().spaces.map((space) => [space, ''] as const)],
    what: () => [
      ...names().spaces.map((space) => [space, 'a space'] as const),
      ...names().ids.map(({ id, hint }) => [id, hint] as const),
    ],
    agent: plain(KNOWN_AGENTS),
    client: plain(clientIds()),
    kind: plain(KINDS),
    setting: () => SETTINGS.map(({ name, summary }) => [name, summary]),
    verdict: plain(['accept', 'reject']),
    when: plain(['then', 'now']),
    shell: plain(['bash', 'zsh', 'fish']),
  };
}

/** The memory of `--memory` in the line that is being typed. */
function memoryIn(words: readonly string[]): string | null {
  const folder = words[words.indexOf('--memory') + 1];
  return words.includes('--memory') && folder !== undefined && folder !== '' ? resolve(folder) : null;
}

function once<T>(make: () => T): () => T {
  let made: { value: T } | null = null;
  return () => (made ??= { value: make() }).value;
}
