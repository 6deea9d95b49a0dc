// Does one operation of a script on the whole memory, and notes it in the words of the memory, so that it can be done
// again elsewhere.

import { deriveId } from '../../src/memory/id.ts';
import { effectsOf } from './hand-edits.ts';
import type { KnownItems } from './known-items.ts';
import { CLIENTS, SPACE_NAMES, type ClientCall, type Operation, type Place } from './script.ts';
import type { Effect, World } from './world.ts';

export interface ExecutedCall {
  readonly client: number;
  readonly tool: string;
  readonly given: Record<string, unknown>;
  /** What the client sees, sorted. */
  readonly visible: readonly Place[];
  /** What the outcome may depend on: a part of `visible`. */
  readonly scope: readonly Place[];
  /** Whether there was anything that it does not see. */
  readonly hides: boolean;
  /** The id that a new item got, if there was one. */
  readonly id: string;
  readonly answer: string;
}

export interface Outcome {
  readonly call: ExecutedCall | null;
  readonly mayWrite: boolean;
  /** What was written as files, whether or not it changed them. */
  readonly written: readonly Effect[];
}

const NOTHING: Outcome = { call: null, mayWrite: false, written: [] };

export async function execute(operation: Operation, index: number, world: World, items: KnownItems): Promise<Outcome> {
  if (operation.by === 'client') {
    const call = await makeCall(operation.client, operation.call, index, world, items);
    return { call, mayWrite: call.tool === 'remember' || call.tool === 'forget', written: [] };
  }
  const app = world.app(index);
  const user = async (work: Promise<unknown>) => {
    // What the user is refused changes nothing.
    await work.catch(() => undefined);
    return { call: null, mayWrite: true, written: [] };
  };
  if (operation.by === 'hand') {
    const { edit } = operation;
    const id = 'id' in edit ? items.resolve(edit.id) : '';
    const supersedes = edit.edit === 'create' ? (edit.keys?.supersedes ?? []).map((ref) => items.resolve(ref)) : [];
    const text = 'text' in edit ? items.say(edit.text) : '';
    const files = effectsOf(edit, id, supersedes, text, items.context(index));
    if (files === null) return NOTHING;
    const written = files.map((file) => ({ ...file, isCommitted: operation.commits }));
    await world.write(written);
    return { call: null, mayWrite: true, written };
  }
  const views = world.views();
  switch (operation.does) {
    case 'policy': {
      const { agent, where, effect } = operation;
      const space = where === 'acme' || where === 'globex' ? views.nameOf(where) : where;
      return user(app.changePolicy(agent, space, effect));
    }
    case 'policy-file': {
      const texts = { garbage: 'policies: [\n', missing: null, empty: 'policies: []\n', 'as-committed': undefined };
      const text = texts[operation.becomes];
      const bytes = text === undefined ? world.committedPolicies : text;
      const becomes = bytes === null ? null : Buffer.from(bytes);
      await world.write([{ path: 'policies.yaml', bytes: becomes, isCommitted: false }]);
      return { call: null, mayWrite: true, written: [] };
    }
    case 'rename': {
      const name = SPACE_NAMES[operation.space][operation.name] ?? '';
      return user(app.renameSpace(views.nameOf(operation.space), name));
    }
    case 'restore':
      return user(app.restore(items.resolve(operation.id), null));
    case 'undo':
      return user(app.undo());
    case 'look':
      return user(world.openAndClose());
    case 'settle':
      return user(app.settleReview(items.resolve(operation.id), operation.verdict));
    case 'setting':
      return user(app.changeSetting(operation.name, operation.value));
    case 'wait':
      return NOTHING;
  }
}

async function makeCall(
  client: number,
  call: ClientCall,
  index: number,
  world: World,
  items: KnownItems,
): Promise<ExecutedCall> {
  const { visible } = world.views().of(CLIENTS[client]?.agent ?? '', world.folderOf(client));
  const fresh = deriveId('drawn', String(index));
  const taken = call.tool === 'remember' && call.drawsTakenId !== null ? items.resolve(call.drawsTakenId) : null;
  world.nextIds = taken !== null && items.isTaken(taken) ? [taken, fresh] : [fresh];
  const given = argumentsOf(call, items);
  const answer = await world.call(client, call.tool, given);
  const isPersonal =
    call.tool === 'remember'
      ? call.space === 'personal'
      : call.tool === 'forget' && items.isPersonal(String(given['id']));
  const scope = isPersonal && visible.includes('personal') ? (['personal'] as const) : visible;
  const id = /"status":"stored","id":"([0-9a-z]{8})"/.exec(answer)?.[1] ?? fresh;
  const hides = [...world.tree.values()].some(({ places }) =>
    places.every((place) => place !== 'config' && !visible.includes(place)),
  );
  return { client, tool: call.tool, given, visible, scope, hides, id, answer };
}

function argumentsOf(call: ClientCall, items: KnownItems): Record<string, unknown> {
  switch (call.tool) {
    case 'recall':
      return { question: items.say(call.question).slice(0, 2_000) };
    case 'read':
    case 'forget':
      return { id: items.resolve(call.id) };
    case 'list resources':
      return {};
    case 'read resource':
      return { uri: call.id === 'instructions' ? 'memory://instructions' : `memory://item/${items.resolve(call.id)}` };
    case 'complete':
      return { value: items.resolve(call.id).slice(0, call.length) };
    case 'remember': {
      const supersedes = call.supersedes.map((ref) => items.resolve(ref));
      return {
        text: items.say(call.text),
        ...(call.kind === null ? {} : { kind: call.kind }),
        ...(call.space === null ? {} : { space: call.space }),
        ...(supersedes.length === 0 ? {} : { supersedes }),
        ...(call.until === null ? {} : { until: call.until }),
        ...(call.asOf === null ? {} : { as_of: call.asOf }),
        ...(call.target === null ? {} : { target: call.target }),
        ...(call.tags.length === 0 ? {} : { tags: call.tags }),
        ...(call.keepBoth ? { keep_both: true } : {}),
      };
    }
  }
}
