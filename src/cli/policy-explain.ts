import type { Call } from './command.ts';

export async function run({ io, arguments: [agent = '', space = ''] }: Call): Promise<void> {
  await io.withApp(async (app) => {
    const explained = await app.explainPolicy(agent, space);
    io.print(`${explained.agent} ${explained.allowed ? 'may' : 'may not'} see ${explained.space}: ${explained.rule}.`);
    io.printJson(explained);
  });
}
