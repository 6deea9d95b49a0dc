import { Client } from '@modelcontextprotocol/client';
import { InMemoryTransport, Server, type ServerContext } from '@modelcontextprotocol/server';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, it } from 'vitest';
import { ClientFolders, toFolders } from './client-folders.ts';

const folderOf = (project: string): string => join(tmpdir(), project);

/** A request of the protocol in which the client says at `initialize` who it is. */
const CONTEXT = { mcpReq: {} } as unknown as ServerContext;

it('keeps no roots that have changed while they were asked for', async () => {
  const server = new Server({ name: 'stet', version: '0.0.0' }, { capabilities: {} });
  const folders = new ClientFolders(server, null);
  const client = new Client({ name: 'editor', version: '1.0.0' }, { capabilities: { roots: { listChanged: true } } });
  let project = 'acme';
  client.setRequestHandler('roots/list', async () => {
    const uri = pathToFileURL(folderOf(project)).href;
    if (project === 'acme') {
      // The user opens another project just now.
      project = 'globex';
      await client.sendRootsListChanged();
    }
    return { roots: [{ uri }] };
  });
  const [near, far] = InMemoryTransport.createLinkedPair();
  await server.connect(far);
  await client.connect(near);
  for (const _ of ['first', 'second']) {
    const [found] = (await folders.find(CONTEXT)) as Awaited<ReturnType<ClientFolders['find']>> & unknown[];
    expect(found).toEqual({ source: 'client roots', folders: [folderOf('globex')] });
  }
  await client.close();
});

it.each([
  { uri: 'file:///home/ana/work/acme', windows: false, folder: '/home/ana/work/acme' },
  { uri: 'file:///home/ana/caf%C3%A9%20au%20lait', windows: false, folder: '/home/ana/café au lait' },
  { uri: '/home/ana/100% acme', windows: false, folder: '/home/ana/100% acme' },
  { uri: 'file:///C:/Users/Ana%20B/acme', windows: true, folder: 'C:\\Users\\Ana B\\acme' },
  { uri: 'file:///c%3A/Users/acme', windows: true, folder: 'c:\\Users\\acme' },
  { uri: 'C:\\Users\\acme', windows: true, folder: 'C:\\Users\\acme' },
  { uri: 'c:/Users/acme', windows: true, folder: 'c:/Users/acme' },
  { uri: '\\\\nas\\work\\acme', windows: true, folder: '\\\\nas\\work\\acme' },
])('takes $uri for a folder', ({ uri, windows, folder }) => {
  expect(toFolders([{ uri }], windows)).toEqual([folder]);
});

it.each([
  { uri: 'vscode-remote://ssh/home/ana', windows: false },
  { uri: 'file://other-host/home/ana', windows: false },
  { uri: 'work/acme', windows: false },
  { uri: 'C:\\Users\\acme', windows: false },
  { uri: '//other-host/share', windows: false },
  { uri: '', windows: true },
])('takes $uri for none', ({ uri, windows }) => {
  expect(toFolders([{ uri }], windows)).toEqual([]);
});

it('does not ask for ever where they change each time, and keeps none of them', async () => {
  const server = new Server({ name: 'stet', version: '0.0.0' }, { capabilities: {} });
  const folders = new ClientFolders(server, null);
  const client = new Client({ name: 'editor', version: '1.0.0' }, { capabilities: { roots: { listChanged: true } } });
  let asked = 0;
  client.setRequestHandler('roots/list', async () => {
    asked += 1;
    await client.sendRootsListChanged();
    return { roots: [{ uri: pathToFileURL(folderOf(`project-${asked}`)).href }] };
  });
  const [near, far] = InMemoryTransport.createLinkedPair();
  await server.connect(far);
  await client.connect(near);
  for (const last of [5, 10]) {
    const [found] = (await folders.find(CONTEXT)) as Awaited<ReturnType<ClientFolders['find']>> & unknown[];
    expect(found).toEqual({ source: 'client roots', folders: [folderOf(`project-${last}`)] });
  }
  await client.close();
});
