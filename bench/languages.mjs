// Questions in twelve languages, asked as a user asks them: which get their item, and which get something although no item
// says it. Twice: by what was known when the code was written, and by pairs written later. A memory each, sixty items a language and a hundred in English, the packaged model, the built command line's app.
//
//   node bench/languages.mjs     (needs `npm run build`)

import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { itemsIn, itemsInEnglish, LANGUAGES, LATER_NONE, LATER_PAIRS } from './language-pairs.mjs';
import { entry, openBuilt } from './make-memory.mjs';

await measure('known when the code was written', LANGUAGES);
const later = Object.keys(LANGUAGES).map((code) => [code, { pairs: LATER_PAIRS[code], none: LATER_NONE[code] }]);
await measure('written later', Object.fromEntries(later));

async function measure(title, languages) {
  const scratch = mkdtempSync(join(tmpdir(), 'stet-bench-'));
  const memory = join(scratch, 'memory');
  try {
    stet('init', memory);
    for (const [code, { pairs }] of Object.entries(languages)) put(memory, code, itemsIn(code, pairs));
    put(memory, 'en', itemsInEnglish());
    stet('index', 'rebuild', '--memory', memory);
    const app = await openBuilt({ memory });
    console.log(`${title}:`);
    await ask(app, languages);
    await app.close();
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

async function ask(app, languages) {
  const session = await app.userSession({});
  const total = { pairs: 0, first: 0, amongEight: 0, nothing: 0, others: 0, unanswerable: 0, answered: 0 };
  for (const [code, { pairs, none }] of Object.entries(languages)) {
    const count = { ...total, pairs: pairs.length, unanswerable: none.length };
    for (const key of ['first', 'amongEight', 'nothing', 'others', 'answered']) count[key] = 0;
    for (const [statement, question] of pairs) {
      const { facts } = await app.recall(session, { question });
      const place = facts.findIndex(({ item }) => item.text.trim() === statement);
      if (place === 0) count.first += 1;
      if (place >= 0) count.amongEight += 1;
      else if (facts.length === 0) count.nothing += 1;
      else count.others += 1;
      if (place < 0) console.log(`  ${code}: not found: ${question}`);
    }
    for (const question of none) {
      const { facts } = await app.recall(session, { question });
      if (facts.length === 0) continue;
      count.answered += 1;
      console.log(`  ${code}: answered although nothing says it: ${question}`);
    }
    console.log(`  ${code}  ${describe(count)}`);
    for (const key of Object.keys(total)) total[key] += count[key];
  }
  console.log(`  all ${describe(total)}`);
}

function describe({ pairs, first, amongEight, nothing, others, unanswerable, answered }) {
  return `${pairs} questions: ${first} find their item first, ${amongEight} among eight, ${nothing} nothing, ${others} others alone; ${answered} of ${unanswerable} that no item answers get something`;
}

function put(memory, folder, texts) {
  mkdirSync(join(memory, 'personal', folder), { recursive: true });
  for (const [n, text] of texts.entries()) writeFileSync(join(memory, 'personal', folder, `${n}.md`), `${text}\n`);
}

function stet(...args) {
  const { status, stderr } = spawnSync(process.execPath, [entry, ...args], { encoding: 'utf8' });
  if (status !== 0) throw new Error(`stet ${args[0]}: ${stderr}`);
}
