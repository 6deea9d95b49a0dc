import { describeRefusal } from '../memory/refusal.ts';
import type { Call } from './command.ts';

/** `stet forget`: exit code 1 when there is no such item. */
export async function run(call: Call): Promise<number> {
  const { io } = call;
  const [id = ''] = call.arguments;
  return io.withApp(async (app) => {
    const result = await app.forget(await app.userSession({ item: id }), id);
    if (result.status === 'refused') {
      const message = describeRefusal(result.refusal);
      io.complain(`stet: ${message.replace('Use `recall` to find the right id.', 'Run `stet list` to see the ids.')}`);
      io.printJson({ status: 'refused', id, commit: null, message });
      return 1;
    }
    io.print(
      result.status === 'forgotten' && !result.isKept
        ? `Forgotten: ${id}. Its last text was in no commit, and is gone.`
        : `Forgotten: ${id}. Its text stays in git history; \`stet undo\` or git brings it back.`,
    );
    if (result.commit.status === 'pending') io.note(`Commit pending: ${result.commit.reason}`);
    io.printJson({
      status: result.status,
      id,
      commit: result.commit.status === 'pending' ? null : result.commit.commit,
      message: null,
    });
    return 0;
  });
}
