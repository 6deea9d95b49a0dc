// Runs bench/eval from its TypeScript sources, with the product's index beside it.
import { runTypeScript } from './run-typescript.mjs';

const { main } = await runTypeScript('bench/eval/main.ts');
process.exitCode = await main(process.argv.slice(2));
