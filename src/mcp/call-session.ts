// The app and the session of one request: who asks (per request), from which folder, in which space.

import type { InputRequiredResult, Server, ServerContext } from '@modelcontextprotocol/server';
import type { App, Session, SessionRequest } from '../app.ts';
import type { ClientFolders } from './client-folders.ts';
import { identifyClient } from './client-identity.ts';

/** What one connection needs to make sessions. */
export interface Connection {
  readonly server: Server;
  readonly folders: ClientFolders;
  /** Opens the memory, at the first request, which is about `expected`. */
  readonly open: (expected: string | undefined) => Promise<App>;
  /** The one space of every session, where one is named at start. */
  readonly named: SessionRequest['named'];
}

/** The session, or the question that has to go to the client first. `expected`: what the call asks or stores. */
export async function openSession(
  connection: Connection,
  context: ServerContext,
  expected?: string,
): Promise<{ readonly app: App; readonly session: Session } | InputRequiredResult> {
  // A space that is named at start needs no folder, and so no question to the client.
  const folders = connection.named === null ? await connection.folders.find(context) : [];
  if (!Array.isArray(folders)) return folders as InputRequiredResult;
  const app = await connection.open(expected);
  const client = identifyClient(connection.server, context).name;
  return { app, session: await app.session({ client, named: connection.named, folders }) };
}

export function isQuestion(opened: object): opened is InputRequiredResult {
  return 'resultType' in opened;
}
