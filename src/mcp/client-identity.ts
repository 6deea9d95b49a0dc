// What the client says of itself, per request: the 2026 protocol has no handshake and sends it with every request, the
// 2025 one said it at `initialize`.

import {
  CLIENT_CAPABILITIES_META_KEY,
  CLIENT_INFO_META_KEY,
  type ClientCapabilities,
  type Server,
  type ServerContext,
} from '@modelcontextprotocol/server';

export interface ClientIdentity {
  /** The client's own name, or undefined when it gave none. */
  readonly name: string | undefined;
  readonly capabilities: ClientCapabilities;
  /** Whether this request came with the envelope of the 2026 protocol. */
  readonly modern: boolean;
}

export function identifyClient(server: Server, context: ServerContext): ClientIdentity {
  const envelope = context.mcpReq.envelope as Readonly<Record<string, unknown>> | undefined;
  if (envelope === undefined) {
    return {
      name: server.getClientVersion()?.name,
      capabilities: server.getClientCapabilities() ?? {},
      modern: false,
    };
  }
  const info = envelope[CLIENT_INFO_META_KEY] as { readonly name?: unknown } | undefined;
  return {
    name: typeof info?.name === 'string' ? info.name : undefined,
    capabilities: (envelope[CLIENT_CAPABILITIES_META_KEY] as ClientCapabilities | undefined) ?? {},
    modern: true,
  };
}
