import { resolve } from 'node:path';
import { serveMcp } from '../mcp/server.ts';
import { text, type Call } from './command.ts';
import { version } from './version.ts';

/** `stet mcp`: serves until the client is gone. Nothing is opened before the first call. */
export async function run(call: Call): Promise<void> {
  const project = text(call, 'project');
  await serveMcp({
    version: version(),
    named: namedSpace(text(call, 'space')),
    project: project === undefined ? null : resolve(project),
    open: async (expected) => {
      const { openApp } = await import('../app.ts');
      return openApp({ memory: call.io.memory, watch: true, expected });
    },
  });
}

/** The option first, then the environment; blank ones say nothing. */
function namedSpace(option: string | undefined): { by: '--space' | 'STET_SPACE'; space: string } | null {
  if (option !== undefined && option.trim() !== '') return { by: '--space', space: option };
  const fromEnvironment = process.env['STET_SPACE'] ?? '';
  return fromEnvironment.trim() === '' ? null : { by: 'STET_SPACE', space: fromEnvironment };
}
