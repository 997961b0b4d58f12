/**
 * `npm run demo [-- --once]`: works on a fresh clone with nothing but Node 20 and npm, so this file is plain Node: it
 * installs the development dependencies when they are missing, and only then loads the rest.
 */
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const install = fileURLToPath(new URL('../scripts/install.mjs', import.meta.url));
const { status } = spawnSync(process.execPath, [install], { stdio: 'inherit' });
if (status !== 0) process.exit(status ?? 1);

const tsx = await import('tsx/cjs/api');
const { main } = tsx.require('./demo.ts', import.meta.url);
// Ends even what an interruption left half started: every child of the demo goes when this process does.
process.exit(await main(process.argv.slice(2)));
