// Runs one call of any tool: finds the session, opens the memory, and turns failures into words. The one place in MCP
// where errors are caught to be shown.

import type { CallToolResult, InputRequiredResult, Server, ServerContext } from '@modelcontextprotocol/server';
import type { App, SessionRequest } from '../app.ts';
import { StetError } from '../memory/failure.ts';
import type { ClientFolders } from './client-folders.ts';
import { identifyClient } from './client-identity.ts';
import type { Tool, ToolAnswer } from './tools.ts';

export interface ToolCall {
  readonly tool: Tool;
  /** Arguments, valid by the tool's schema. */
  readonly given: Record<string, unknown>;
  readonly context: ServerContext;
  readonly server: Server;
  readonly folders: ClientFolders;
  readonly open: () => Promise<App>;
  readonly named: SessionRequest['named'];
}

export async function runTool(call: ToolCall): Promise<CallToolResult | InputRequiredResult> {
  try {
    const answer = await answerCall(call);
    return 'resultType' in answer ? answer : toResult(answer);
  } catch (error) {
    if (error instanceof StetError) return toResult({ text: error.message, isError: true });
    process.stderr.write(
      `stet: internal error in ${call.tool.name}: ${error instanceof Error ? error.stack : String(error)}\n`,
    );
    return toResult({
      text: 'stet failed, and it is a bug of stet: see its log. Nothing was half-written.',
      isError: true,
    });
  }
}

async function answerCall(call: ToolCall): Promise<ToolAnswer | InputRequiredResult> {
  // A space that is named at start needs no folder, and so no question to the client.
  const folders = call.named === null ? await call.folders.find(call.context) : [];
  if (!Array.isArray(folders)) return folders as InputRequiredResult;
  const app = await call.open();
  const session = await app.session({
    client: identifyClient(call.server, call.context).name,
    named: call.named,
    folders,
  });
  return call.tool.handle({ app, session, arguments: call.given, signal: call.context.mcpReq.signal });
}

function toResult(answer: ToolAnswer): CallToolResult {
  return {
    content: [{ type: 'text', text: answer.text }],
    ...(answer.isError ? { isError: true } : {}),
    ...(answer.meta === undefined ? {} : { _meta: answer.meta }),
  };
}
