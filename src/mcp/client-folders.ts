// Which folder the client works in, in the order of the design: `--project`, `CLAUDE_PROJECT_DIR`, the client's roots,
// the working directory. Never a tool argument: an agent must not choose whose memory it reads.

import { posix, win32 } from 'node:path';
import { fileURLToPath } from 'node:url';
import {
  inputRequired,
  inputResponse,
  type InputRequiredResult,
  type Server,
  type ServerContext,
} from '@modelcontextprotocol/server';
import type { NamedFolders } from '../app.ts';
import { identifyClient } from './client-identity.ts';

/** Roots that a client does not answer for are waited for this long, then the working directory decides. */
const ROOTS_TIMEOUT_MS = 2_000;
/** A client whose roots change whenever it is asked for them is answered by the latest that it gave, once. */
const MOST_TRIES = 5;

export class ClientFolders {
  readonly #server: Server;
  readonly #project: string | null;
  #roots: readonly string[] | null = null;
  /** How often the client has said that its roots are others now. */
  #changes = 0;

  constructor(server: Server, project: string | null) {
    this.#server = server;
    this.#project = project;
    server.setNotificationHandler('notifications/roots/list_changed', () => {
      this.#changes += 1;
      this.#roots = null;
    });
  }

  /** The steps to try in order, or the question that has to go to the client first. */
  async find(context: ServerContext): Promise<readonly NamedFolders[] | InputRequiredResult> {
    if (this.#project !== null) return [{ source: '--project', folders: [this.#project] }];
    const claude = process.env['CLAUDE_PROJECT_DIR'];
    if (claude !== undefined && claude !== '') return [{ source: 'CLAUDE_PROJECT_DIR', folders: [claude] }];
    const roots = await this.#askRoots(context);
    if (!Array.isArray(roots)) return roots as InputRequiredResult;
    return roots.length > 0
      ? [{ source: 'client roots', folders: roots }]
      : [{ source: 'working directory', folders: [process.cwd()] }];
  }

  async #askRoots(context: ServerContext): Promise<readonly string[] | InputRequiredResult> {
    const { capabilities, modern } = identifyClient(this.#server, context);
    if (capabilities.roots === undefined) return [];
    if (this.#roots !== null) return this.#roots;
    if (modern) {
      const response = inputResponse(context.mcpReq.inputResponses, 'roots');
      if (response.kind === 'roots') return (this.#roots = toFolders(response.roots));
      if (context.mcpReq.inputResponses !== undefined) return [];
      return inputRequired({ inputRequests: { roots: inputRequired.listRoots() } });
    }
    try {
      for (let tries = 1; ; tries++) {
        const changes = this.#changes;
        const { roots } = await this.#server.listRoots(undefined, { timeout: ROOTS_TIMEOUT_MS });
        // Where they have changed since, the answer is of another project, and must not be kept for this one.
        if (changes === this.#changes) return (this.#roots = toFolders(roots));
        if (tries === MOST_TRIES) return toFolders(roots);
      }
    } catch {
      return [];
    }
  }
}

/** Folders of this machine only: a root of another scheme or host is nobody's project here. */
export function toFolders(
  roots: ReadonlyArray<{ readonly uri: string }>,
  windows = process.platform === 'win32',
): readonly string[] {
  return roots.flatMap(({ uri }) => {
    // Some clients (newer Cursor) give a path where the protocol wants a URI. `C:` is no scheme: those have two letters.
    if ((windows ? win32 : posix).isAbsolute(uri) && !uri.startsWith('//')) return [uri];
    try {
      return [fileURLToPath(uri, { windows })];
    } catch {
      return [];
    }
  });
}
