// HTTP for isomorphic-git, on Node alone. Invariants: no redirect is followed, so that credentials go where they were meant
// to; nothing is waited for longer than its limits.
import http from 'node:http';
import https from 'node:https';
import type { GitHttpRequest, GitHttpResponse, HttpClient } from 'isomorphic-git';
import type { GitLimits } from './git-program.ts';

/** The connection failed, or was given up. */
export class ConnectionError extends Error {
  readonly reason: 'unreachable' | 'silent' | 'too-long' | 'aborted' | 'broken';
  constructor(reason: ConnectionError['reason'], options?: ErrorOptions) {
    super(reason, options);
    this.name = 'ConnectionError';
    this.reason = reason;
  }
}

/** One client is for one operation: its total time begins now. */
export function createHttpClient(limits: GitLimits): HttpClient {
  const deadline = Date.now() + limits.totalMs;
  return { request: (request) => send(request, limits, deadline) };
}

async function send(given: GitHttpRequest, limits: GitLimits, deadline: number): Promise<GitHttpResponse> {
  const url = new URL(given.url);
  const body = await collect(given.body);
  const { request: start } = url.protocol === 'https:' ? https : http;
  return new Promise((resolve, reject) => {
    let gaveUp: ConnectionError | null = null;
    const headers = { ...given.headers, 'content-length': String(body.length), 'user-agent': 'git/stet' };
    const request = start(url, { method: given.method ?? 'GET', headers });
    const giveUp = (reason: ConnectionError['reason']) => () => {
      gaveUp ??= new ConnectionError(reason);
      request.destroy(gaveUp);
    };
    request.setTimeout(limits.silenceMs, giveUp('silent'));
    const total = setTimeout(giveUp('too-long'), Math.max(0, deadline - Date.now()));
    const abort = giveUp('aborted');
    limits.signal?.addEventListener('abort', abort);
    if (limits.signal?.aborted === true) abort();
    request.on('close', () => {
      clearTimeout(total);
      limits.signal?.removeEventListener('abort', abort);
    });
    const fail = (reason: 'unreachable' | 'broken') => (cause: unknown) =>
      reject(gaveUp ?? new ConnectionError(reason, { cause }));
    request.on('error', fail('unreachable'));
    const finish = async (response: http.IncomingMessage): Promise<void> => {
      try {
        const bytes = await readWhole(response);
        resolve({
          url: given.url,
          method: given.method ?? 'GET',
          statusCode: response.statusCode ?? 0,
          statusMessage: response.statusMessage ?? '',
          headers: flat(response.headers),
          body: once(bytes),
        });
      } catch (cause) {
        fail('broken')(cause);
      }
    };
    request.on('response', (response) => void finish(response));
    request.end(body);
  });
}

/** Whole before anything of it is looked at: isomorphic-git takes an answer that breaks off for one that ends. */
async function readWhole(response: http.IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of response) chunks.push(chunk as Buffer);
  // Node tells only by this that the end is missing.
  if (!response.complete) throw new Error('the answer breaks off');
  return Buffer.concat(chunks);
}

async function* once(bytes: Buffer): AsyncIterableIterator<Uint8Array> {
  yield bytes;
}

async function collect(body: GitHttpRequest['body']): Promise<Buffer> {
  const parts: Uint8Array[] = [];
  for await (const part of body ?? []) parts.push(part);
  return Buffer.concat(parts);
}

function flat(headers: http.IncomingHttpHeaders): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]));
}
