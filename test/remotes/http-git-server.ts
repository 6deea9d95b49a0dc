// A git server over HTTP on loopback: the real `git http-backend` behind Node's server, with the ways in which real servers
// fail. `await using` closes it.

import { spawn } from 'node:child_process';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';

export interface HttpGitServerOptions {
  /** The folder whose bare repositories are served. */
  readonly root: string;
  /** Asked for by the server; none lets everybody in. */
  readonly credentials?: { readonly user: string; readonly password: string };
}

/** How the server behaves until it is told otherwise. */
export type Behaviour =
  | { kind: 'well' }
  /** Answers this status to everything. */
  | { kind: 'status'; status: number }
  /** Closes the connection after so many bytes of each answer. */
  | { kind: 'drop'; afterBytes: number }
  /** Answers, and then says nothing more. */
  | { kind: 'hang' }
  /** Sends the client elsewhere. */
  | { kind: 'redirect'; to: string };

export class HttpGitServer {
  readonly #server: Server;
  readonly #options: HttpGitServerOptions;
  readonly #sockets = new Set<Socket>();
  behaviour: Behaviour = { kind: 'well' };
  /** `method path` of every request, and what it brought along. */
  readonly requests: Array<{ readonly line: string; readonly authorization: string | undefined }> = [];

  private constructor(options: HttpGitServerOptions) {
    this.#options = options;
    this.#server = createServer((request, response) => void this.#answer(request, response));
    this.#server.on('connection', (socket) => {
      this.#sockets.add(socket);
      socket.on('close', () => this.#sockets.delete(socket));
    });
  }

  static async start(options: HttpGitServerOptions): Promise<HttpGitServer> {
    const server = new HttpGitServer(options);
    await new Promise<void>((resolve) => server.#server.listen(0, '127.0.0.1', resolve));
    return server;
  }

  url(repository: string): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/${repository}`;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { authorization } = request.headers;
    this.requests.push({ line: `${request.method} ${request.url}`, authorization });
    const { behaviour } = this;
    if (behaviour.kind === 'status') {
      response.writeHead(behaviour.status, { 'content-type': 'text/plain' }).end('no');
      return;
    }
    if (behaviour.kind === 'redirect') {
      response.writeHead(302, { location: behaviour.to + (request.url ?? '') }).end();
      return;
    }
    if (!this.#mayEnter(authorization)) {
      response.writeHead(401, { 'www-authenticate': 'Basic realm="git"' }).end();
      return;
    }
    await this.#run(request, response, behaviour);
  }

  #mayEnter(authorization: string | undefined): boolean {
    const { credentials } = this.#options;
    if (credentials === undefined) return true;
    const wanted = Buffer.from(`${credentials.user}:${credentials.password}`).toString('base64');
    return authorization === `Basic ${wanted}`;
  }

  /** CGI, as `git http-backend` wants it (git-http-backend). */
  async #run(request: IncomingMessage, response: ServerResponse, behaviour: Behaviour): Promise<void> {
    const url = new URL(request.url ?? '/', 'http://localhost');
    const child = spawn('git', ['http-backend'], {
      env: {
        ...process.env,
        GIT_PROJECT_ROOT: this.#options.root,
        GIT_HTTP_EXPORT_ALL: '1',
        REQUEST_METHOD: request.method,
        PATH_INFO: decodeURIComponent(url.pathname),
        QUERY_STRING: url.search.slice(1),
        CONTENT_TYPE: request.headers['content-type'] ?? '',
        HTTP_CONTENT_ENCODING: request.headers['content-encoding'] ?? '',
        GIT_PROTOCOL: String(request.headers['git-protocol'] ?? ''),
        REMOTE_USER: 'someone',
        GIT_CONFIG_COUNT: '1',
        GIT_CONFIG_KEY_0: 'http.receivepack',
        GIT_CONFIG_VALUE_0: 'true',
      },
      stdio: ['pipe', 'pipe', 'ignore'],
    });
    child.stdin.on('error', () => undefined);
    request.pipe(child.stdin);
    const chunks: Buffer[] = [];
    for await (const chunk of child.stdout) chunks.push(chunk as Buffer);
    const output = Buffer.concat(chunks);
    const end = output.indexOf('\r\n\r\n');
    const headers = output
      .toString('latin1', 0, end)
      .split('\r\n')
      .map((line) => line.split(': ', 2) as [string, string]);
    const status = Number(/^\d+/.exec(headers.find(([name]) => name === 'Status')?.[1] ?? '200')?.[0]);
    response.writeHead(status, Object.fromEntries(headers.filter(([name]) => name !== 'Status')));
    await this.#send(output.subarray(end + 4), response, behaviour);
  }

  async #send(body: Buffer, response: ServerResponse, behaviour: Behaviour): Promise<void> {
    switch (behaviour.kind) {
      case 'drop':
        response.write(body.subarray(0, behaviour.afterBytes));
        // What was written is on its way before the connection goes.
        await wait(20);
        response.destroy();
        return;
      case 'hang':
        response.write(body.subarray(0, 4));
        return;
      case 'well':
      case 'status':
      case 'redirect':
        response.end(body);
    }
  }
}
