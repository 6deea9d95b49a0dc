// The MCP server over stdio. Nothing of the memory is opened, locked, watched or loaded before the first call; stdout
// belongs to the protocol; the process ends when its client does, after what is in flight.

import { McpServer, type ServerContext } from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { z } from 'zod';
import type { App, SessionRequest } from '../app.ts';
import { ClientFolders } from './client-folders.ts';
import type { Connection } from './call-session.ts';
import { registerResources } from './resources.ts';
import { runTool } from './run-tool.ts';
import { TOOLS } from './tools.ts';

export interface ServeOptions {
  readonly version: string;
  /** Opens the memory; called once, at the first call, which is about `expected`. */
  readonly open: (expected: string | undefined) => Promise<App>;
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
  const openOnce: ServeOptions['open'] = (expected) => {
    app ??= options.open(expected).catch((error: unknown) => {
      app = null;
      throw error;
    });
    return app;
  };

  const ended = clientGone();
  const handle = serveStdio(() => createServer({ ...options, open: openOnce, inFlight }), {
    onerror: (error) => process.stderr.write(`stet: ${error.message}\n`),
  });

  await ended;
  // Stdin no longer keeps the process alive, the model's worker never does, and what is in flight may wait for it.
  const alive = setInterval(() => undefined, PARENT_CHECK_MS);
  try {
    await finish();
  } finally {
    clearInterval(alive);
  }

  async function finish(): Promise<void> {
    // What came in while the last answers were made is answered too.
    while (inFlight.size > 0) await Promise.allSettled(inFlight);
    await handle.close();
    const opened: Promise<App> | null = app;
    if (opened)
      await opened.then(
        (each) => each.close(),
        () => undefined,
      );
  }
}

export interface ServerOptions extends ServeOptions {
  /** Holds every call from its start to its answer. */
  readonly inFlight: Set<Promise<unknown>>;
}

/** The server of one client, on no transport yet. `open` is called by every call. */
export function createServer({ version, open, named, project, inFlight }: ServerOptions): McpServer {
  const server = new McpServer(
    { name: 'stet', title: 'stet memory', version },
    { capabilities: { tools: {}, resources: {}, completions: {} } },
  );
  const connection: Connection = {
    server: server.server,
    folders: new ClientFolders(server.server, project),
    open,
    named,
  };
  for (const tool of TOOLS) {
    server.registerTool(
      tool.name,
      {
        title: tool.title,
        description: tool.description,
        inputSchema: z.preprocess(withoutNulls, tool.schema),
        annotations: tool.annotations,
      },
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
}

/** Several clients send `null` for what they do not give. Not in the schema: it would cost every agent tokens. */
function withoutNulls(given: unknown): unknown {
  if (typeof given !== 'object' || given === null || Array.isArray(given)) return given;
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== null));
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
