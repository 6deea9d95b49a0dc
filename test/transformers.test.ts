// Models of Transformers.js and of the packaged engine, loaded for real. Transformers.js is no dependency: its install
// takes 500 MB. `npm run test:transformers` installs it into a folder of its own and runs this file with it.
import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Embedder, TextRole } from '../src/index/embedder.ts';
import { makeEmbedder, tryEmbedder, type EmbedderPlaces } from '../src/index/make-embedder.ts';
import type { EmbedderChoice } from '../src/memory/embedder-name.ts';
import { OpenMemory } from './open-memory.ts';
import { TemporaryMemory } from './temporary-memory.ts';
import { TINY_DIMENSIONS, writeTinyBert, writeTinyOnnx } from './tiny-model.ts';

const library = process.env['STET_TRANSFORMERS'];
if (library === undefined) {
  process.stderr.write(
    'NOT TESTED: models of Transformers.js, which is not installed here; `npm run test:transformers` does both.\n',
  );
}

let folder = '';
const opened: Embedder[] = [];
const servers: Server[] = [];
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'stet-model-'));
});
afterEach(async () => {
  for (const embedder of opened.splice(0)) await embedder.close();
  for (const server of servers.splice(0)) await new Promise((resolve) => server.close(resolve));
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
});

const choice = (name: string, more: Partial<EmbedderChoice> = {}): EmbedderChoice => ({
  name,
  pooling: 'auto',
  questionPrefix: 'auto',
  documentPrefix: 'auto',
  languages: 'auto',
  ...more,
});

function open(wanted: EmbedderChoice): Embedder {
  const { embedder, problem } = makeEmbedder(wanted, places());
  if (embedder === null || problem !== null) throw new Error(problem ?? 'no embedder');
  opened.push(embedder);
  return embedder;
}

function places(): EmbedderPlaces {
  return { models: join(folder, 'models'), ...(library === undefined ? {} : { library }) };
}

async function vector(embedder: Embedder, text: string, role: TextRole = 'document'): Promise<number[]> {
  const result = await embedder.embed(text, role);
  if (!result.ok) throw new Error(result.reason);
  return [...result.vector];
}

describe.runIf(library !== undefined)('a model of Transformers.js', () => {
  it('makes unit vectors by the pooling and prefixes of its family', async () => {
    writeTinyOnnx(join(folder, 'e5-tiny'));
    const model = open(choice(`transformers:${join(folder, 'e5-tiny')}`));
    const [question, passage] = [await vector(model, 'acme', 'question'), await vector(model, 'acme')];
    expect(passage).toHaveLength(TINY_DIMENSIONS);
    expect(Math.hypot(...passage)).toBeCloseTo(1, 5);
    expect(question).not.toEqual(passage);
    const bare = open(choice(`transformers:${join(folder, 'e5-tiny')}`, { questionPrefix: '', documentPrefix: '' }));
    expect(bare.isSymmetric).toBe(true);
    expect(await vector(bare, 'query: acme')).toEqual(question);
    expect(await vector(bare, 'passage: acme')).toEqual(passage);
    expect(new Set([model.model, bare.model]).size).toBe(2);
  });

  it('takes the first token where that is its pooling', async () => {
    // Each token of this model has one vector wherever it stands, and the first is always the same.
    writeTinyOnnx(join(folder, 'bge-tiny'));
    const model = open(choice(`transformers:${join(folder, 'bge-tiny')}`));
    expect(await vector(model, 'acme deploys')).toEqual(await vector(model, 'the report'));
    const mean = open(choice(`transformers:${join(folder, 'bge-tiny')}`, { pooling: 'mean' }));
    expect(await vector(mean, 'acme deploys')).not.toEqual(await vector(mean, 'the report'));
  });

  it('is downloaded once, when it is chosen and only if the user lets it, and then used without a network', async () => {
    writeTinyOnnx(join(folder, 'published', 'acme', 'tiny'));
    const asked: string[] = [];
    const host = await serve(join(folder, 'published'), asked);
    const wanted = choice('transformers:acme/tiny');
    await expect(tryEmbedder(wanted, false, { ...places(), host })).rejects.toThrow(
      /acme\/tiny is not on this machine; `stet config model\.remote on`/,
    );
    expect(asked).toEqual([]);
    await tryEmbedder(wanted, true, { ...places(), host });
    expect(asked.length).toBeGreaterThan(0);
    const count = asked.length;
    expect(await vector(open(wanted), 'acme')).toHaveLength(TINY_DIMENSIONS);
    expect(asked).toHaveLength(count);
  });

  it('says what is wrong with a broken one', async () => {
    writeTinyOnnx(join(folder, 'broken'), { hidden_size: 9 });
    await expect(tryEmbedder(choice(`transformers:${join(folder, 'broken')}`), false, places())).rejects.toThrow(
      'the model makes 8 numbers, its config.json says 9',
    );
  });
});

describe('without Transformers.js', () => {
  it('its models are refused with what to install, and nothing is changed', async () => {
    writeTinyOnnx(join(folder, 'e5-tiny'));
    await using memory = await OpenMemory.make();
    const name = `transformers:${join(folder, 'e5-tiny')}`;
    await expect(memory.app.changeSetting('embedder', name)).rejects.toThrow(
      /@huggingface\/transformers is not installed.*npm install --global/,
    );
    const settings = await memory.app.listSettings();
    expect(settings.find((each) => each.name === 'embedder')?.value).toBe('none');
  });
});

describe('the built command line', () => {
  it('has the file that the thread of such a model starts from', async () => {
    writeTinyOnnx(join(folder, 'e5-tiny'));
    await using memory = await TemporaryMemory.make();
    const { code, stderr } = await memory.stet('config', 'embedder', `transformers:${join(folder, 'e5-tiny')}`);
    expect(stderr).toMatch(/@huggingface\/transformers is not installed/);
    expect(code).not.toBe(0);
  });
});

describe('the packaged engine', () => {
  it('reads the folder of another BERT', async () => {
    writeTinyBert(join(folder, 'bert-tiny'));
    const model = open(choice(join(folder, 'bert-tiny')));
    const made = await vector(model, 'Acme deploys with Kubernetes');
    expect(made).toHaveLength(TINY_DIMENSIONS);
    expect(Math.hypot(...made)).toBeCloseTo(1, 4);
    expect(await vector(model, 'the report')).not.toEqual(made);
  });

  it('serves a memory whose setting names such a folder, and recall says why where it is gone', async () => {
    writeTinyBert(join(folder, 'bert-tiny'));
    await using memory = await OpenMemory.make();
    await memory.app.changeSetting('embedder', join(folder, 'bert-tiny'));
    const next = await memory.open();
    await memory.keep('Acme deploys with Kubernetes on Friday.');
    await next.rebuildIndex(() => undefined);
    expect((await next.status()).vectors).toMatchObject({ ready: 1, waiting: 0, problem: null });
    expect((await next.status()).vectors.model).toMatch(/^bert\/bert-tiny\//);
    rmSync(join(folder, 'bert-tiny'), { recursive: true });
    const gone = await memory.open();
    const session = await memory.session('codex', null);
    const { answer } = await gone.recall(session, { question: 'Acme deploys' });
    expect(answer.notes.join()).toMatch(/words only: there is no folder .*bert-tiny/);
  });
});

/** Serves the models of a folder as a hub does: `owner/name/resolve/revision/file`. */
async function serve(models: string, asked: string[]): Promise<string> {
  const server = createServer((request, response) => {
    asked.push(request.url ?? '');
    const [, owner = '', name = '', , , ...file] = (request.url ?? '').split('?')[0]?.split('/') ?? [];
    const path = join(models, owner, name, ...file);
    const stat = statSync(path, { throwIfNoEntry: false });
    if (stat?.isFile() !== true) {
      response.writeHead(404).end();
      return;
    }
    response.writeHead(200, { 'content-length': stat.size });
    response.end(request.method === 'HEAD' ? undefined : readFileSync(path));
  });
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
}
