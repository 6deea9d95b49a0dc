// Resources: `memory://item/{id}` for each visible current item and `memory://instructions`. The same session, the same
// view and the same fences as the tools; what is not visible does not exist.

import { randomBytes } from 'node:crypto';
import {
  ProtocolError,
  ProtocolErrorCode,
  ResourceTemplate,
  type McpServer,
  type ServerContext,
} from '@modelcontextprotocol/server';
import type { App, Session } from '../app.ts';
import { printInstructions } from '../memory/answer.ts';
import { neutralise } from '../memory/untrusted-text.ts';
import { isQuestion, openSession, type Connection } from './call-session.ts';
import { printRead } from './print.ts';
import { explainError } from './run-tool.ts';

/** A client shows resources to a person in a list; more than this many is no list. */
const LISTED = 200;

/** The most that the protocol lets a completion hold. */
const COMPLETED = 100;

export function registerResources(mcp: McpServer, connection: Connection): void {
  mcp.registerResource(
    'instructions',
    'memory://instructions',
    {
      title: 'Standing instructions',
      description: "The user's standing instructions in force here.",
      mimeType: 'text/plain',
    },
    async (uri, context) => {
      const opened = await guard('instructions', () => openSession(connection, context));
      if (isQuestion(opened)) return opened;
      const items = await guard('instructions', () => opened.app.instructions(opened.session));
      const text =
        items.length === 0 ? 'No standing instructions.' : printInstructions('standing instructions', items, nonce());
      return { contents: [{ uri: uri.href, mimeType: 'text/plain', text }] };
    },
  );

  mcp.registerResource(
    'item',
    new ResourceTemplate('memory://item/{id}', { list: (context) => listItems(connection, context) }),
    { title: 'Stored item', description: 'One item whole, with its chain.', mimeType: 'text/plain' },
    async (uri, { id }, context) => {
      const opened = await guard('item', () => openSession(connection, context));
      if (isQuestion(opened)) return opened;
      const found = await guard('item', () => opened.app.read(opened.session, String(id)));
      if (found.status === 'refused') throw notFound(uri.href);
      return {
        contents: [{ uri: uri.href, mimeType: 'text/plain', text: printRead(found, opened.session, nonce()).text }],
      };
    },
  );

  // The template's own completion is not told who asks, so it could not know what is visible.
  mcp.server.setRequestHandler('completion/complete', async ({ params }, context) => {
    const { ref, argument } = params;
    const asksForIds = ref.type === 'ref/resource' && ref.uri === 'memory://item/{id}' && argument.name === 'id';
    const ids = asksForIds ? await visibleIds(connection, context) : [];
    const matching = ids.filter((id) => id.startsWith(argument.value));
    return {
      completion: {
        values: matching.slice(0, COMPLETED),
        total: matching.length,
        hasMore: matching.length > COMPLETED,
      },
    };
  });
}

async function listItems(
  connection: Connection,
  context: ServerContext,
): Promise<{ resources: Array<{ uri: string; name: string; description: string; mimeType: string }> }> {
  const opened = await guard('item', () => openSession(connection, context));
  // A list cannot ask the client for its folders: until a call has, there is nothing to show.
  if (isQuestion(opened)) return { resources: [] };
  const items = await visibleItems(opened.app, opened.session);
  return {
    resources: items.slice(0, LISTED).map(({ id, kind, statement }) => ({
      uri: `memory://item/${id}`,
      name: id,
      description: neutralise(`${kind}: ${statement}`),
      mimeType: 'text/plain',
    })),
  };
}

async function visibleIds(connection: Connection, context: ServerContext): Promise<readonly string[]> {
  const opened = await guard('completion', () => openSession(connection, context));
  if (isQuestion(opened)) return [];
  return (await visibleItems(opened.app, opened.session)).map(({ id }) => id);
}

function visibleItems(app: App, session: Session): ReturnType<App['visibleItems']> {
  return guard('item', () => app.visibleItems(session));
}

/** Failures reach the client as the protocol's errors, in the same words as those of tools. */
async function guard<T>(where: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw new ProtocolError(ProtocolErrorCode.InternalError, explainError(error, where));
  }
}

function notFound(uri: string): ProtocolError {
  return new ProtocolError(ProtocolErrorCode.InvalidParams, `There is no resource ${uri} here.`);
}

function nonce(): string {
  return randomBytes(4).toString('hex');
}
