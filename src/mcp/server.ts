// The MCP server over stdio. Nothing of the memory is opened, locked, watched or loaded before the first call; stdout
// belongs to the protocol; the process ends when its client does, after what is in flight.

import { McpServer, type ServerContext } from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import type { App, SessionRequest } from '../app.ts';
import { ClientFolders } from './client-folders.ts';
import type { Connection } from './call-session.ts';
import { registerResources } from './resources.ts';
import { runTool } from './run-tool.ts';
import { TOOLS } from './tools.ts';

export interface ServeOptions {
  readonly version: string;
  /** Opens the memory; called once, at the first call. */
  readonly open: () => Promise<App>;
  /** The one space of every session, where one is named at start; null when the folder decides. */
  readonly named: SessionRequest['named'];
  /** `--project`: the project folder, before anything the client says. */
  readonly project: string | null;
}

/** How often the parent process is looked for; a client that is killed on some systems leaves stdin open. */
const PARENT_CHECK_MS = 3_000;

/** Serves until the client is gone; resolves when everything in flight is finished and the memory is closed. */
export async function serveMcp(options: ServeOptions): Promise<void> {
  let app: Promise<App> | null = null;
  const inFlight = new Set<Promise<unknown>>();
  const openOnce = () => {
    app ??= options.open().catch((error: unknown) => {
      app = null;
      throw error;
    });
    return app;
  };

  const ended = clientGone();
  const handle = serveStdio(
    () => {
      const server = new McpServer(
        { name: 'stet', title: 'stet memory', version: options.version },
        { capabilities: { tools: {}, resources: {}, completions: {} } },
      );
      const connection: Connection = {
        server: server.server,
        folders: new ClientFolders(server.server, options.project),
        open: openOnce,
        named: options.named,
      };
      for (const tool of TOOLS) {
        server.registerTool(
          tool.name,
          { title: tool.title, description: tool.description, inputSchema: tool.schema, annotations: tool.annotations },
          async (given, context: ServerContext) => {
            const work = runTool(connection, { tool, given, context });
            inFlight.add(work);
            try {
              return await work;
            } finally {
              inFlight.delete(work);
            }
          },
        );
      }
      registerResources(server, connection);
      return server;
    },
    { onerror: (error) => process.stderr.write(`stet: ${error.message}\n`) },
  );

  await ended;
  await Promise.allSettled(inFlight);
  await handle.close();
  const opened: Promise<App> | null = app;
  if (opened)
    await (opened as Promise<App>).then(
      (each) => each.close(),
      () => undefined,
    );
}

/** Resolves when stdin ends, stdout breaks, the parent dies or the process is told to stop. */
function clientGone(): Promise<void> {
  return new Promise((resolve) => {
    const parent = process.ppid;
    const timer = setInterval(() => {
      if (process.ppid !== parent) resolve();
    }, PARENT_CHECK_MS);
    timer.unref();
    process.stdin.once('end', resolve);
    process.stdin.once('close', resolve);
    process.stdin.once('error', () => resolve());
    process.stdout.once('error', () => resolve());
    process.stdout.once('close', resolve);
    for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.once(signal, () => resolve());
  });
}
