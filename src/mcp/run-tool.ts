// Runs one call of any tool: finds the session, opens the memory, and turns failures into words. The one place in MCP
// where errors are caught to be shown.

import type { CallToolResult, InputRequiredResult, ServerContext } from '@modelcontextprotocol/server';
import { StetError, systemFailure } from '../memory/failure.ts';
import { MAX_STATEMENT_CODE_POINTS } from '../memory/statement.ts';
import { isQuestion, openSession, type Connection } from './call-session.ts';
import { describeForAgent } from './describe-for-agent.ts';
import type { Tool, ToolAnswer } from './tools.ts';

export interface ToolCall {
  readonly tool: Tool;
  /** Arguments, valid by the tool's schema. */
  readonly given: Record<string, unknown>;
  readonly context: ServerContext;
}

export async function runTool(connection: Connection, call: ToolCall): Promise<CallToolResult | InputRequiredResult> {
  const { tool, given, context } = call;
  try {
    const opened = await openSession(connection, context, textOf(given));
    if (isQuestion(opened)) return opened;
    return toResult(await tool.handle({ ...opened, arguments: given, signal: context.mcpReq.signal }));
  } catch (error) {
    return toResult({ text: explainError(error, tool.name), isError: true });
  }
}

/** What a call asks or stores, unless it will be refused for its length: a model would read all of it first. */
function textOf({ question, text }: Record<string, unknown>): string | undefined {
  return [question, text].find((value) => typeof value === 'string' && value.length <= MAX_STATEMENT_CODE_POINTS) as
    string | undefined;
}

/**
 * A failure in its own words; a bug goes to the log, with its stack, and leaves only that it was one. How far it had come,
 * nobody knows.
 */
export function explainError(caught: unknown, where: string): string {
  const error = systemFailure(caught) ?? caught;
  if (error instanceof StetError) {
    process.stderr.write(`stet: ${where}: ${error.message}\n`);
    return describeForAgent(error.failure);
  }
  process.stderr.write(`stet: internal error in ${where}: ${error instanceof Error ? error.stack : String(error)}\n`);
  return 'stet failed, and it is a bug of stet: see its log. If this was to change something, recall first to see whether it did. Tell the user.';
}

function toResult(answer: ToolAnswer): CallToolResult {
  return {
    content: [{ type: 'text', text: answer.text }],
    ...(answer.isError ? { isError: true } : {}),
    ...(answer.meta === undefined ? {} : { _meta: answer.meta }),
  };
}
