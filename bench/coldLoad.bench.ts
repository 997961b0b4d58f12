import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { median } from '../test/support/statistics';
import { HTTP_REQUEST, OURS, type Bench } from './report/figure';
import { n8nNodeFile, ownNodeFile } from './setting/n8nNodes';
import { packInto } from '../test/support/packing';
import { withTemporaryFolder } from '../test/support/temporaryFolder';

const execute = promisify(execFile);

interface Load {
	ms: number;
	modules: number;
}

/**
 * Requiring the node files in a fresh process in which n8n-workflow is loaded already, as it is in
 * n8n.
 */
export const run: Bench = async ({ quick }) => {
	const httpRequest = await n8nNodeFile('HttpRequest/HttpRequest.node.js');
	const sides = {
		[OURS]: [ownNodeFile('ESign'), ownNodeFile('ESignTrigger')],
		[HTTP_REQUEST]: [httpRequest],
	};
	const loads: Record<string, Load[]> = { [OURS]: [], [HTTP_REQUEST]: [] };
	for (let repeat = 0; repeat < (quick ? 3 : 15); repeat++) {
		for (const [side, files] of Object.entries(sides)) loads[side]?.push(await load(files));
	}
	const values = (read: (load: Load) => number) =>
		Object.fromEntries(Object.entries(loads).map(([side, all]) => [side, median(all.map(read))]));
	const tarball = await withTemporaryFolder(async (folder) => await packInto(folder));
	return {
		title: 'Cold load: both node files of the package, beside the HTTP Request node',
		sides: [OURS, HTTP_REQUEST],
		figures: [
			{
				name: 'Time to load',
				unit: 'ms',
				values: values(({ ms }) => ms),
				meaning:
					'requiring the files in a fresh process; n8n does so once, when it first needs the node.',
			},
			{
				name: 'Modules loaded',
				unit: 'files',
				values: values(({ modules }) => modules),
				meaning: 'files that requiring them read, those n8n-workflow had read before not counted.',
			},
			{
				name: 'Tarball',
				unit: 'kB',
				values: { [OURS]: tarball.size / 1000 },
				target: { atMost: 100 },
				meaning: 'what npm publishes and a user downloads, compressed.',
			},
			{
				name: 'Installed size',
				unit: 'kB',
				values: { [OURS]: tarball.unpackedSize / 1000 },
				meaning: 'the same unpacked; the package brings no dependencies.',
			},
		],
	};
};

async function load(files: string[]): Promise<Load> {
	const script = `
		const { createRequire } = require('node:module');
		const files = ${JSON.stringify(files)};
		const load = createRequire(files[0]);
		load('n8n-workflow');
		const before = Object.keys(require.cache).length;
		const started = performance.now();
		for (const file of files) load(file);
		const ms = performance.now() - started;
		console.log(JSON.stringify({ ms, modules: Object.keys(require.cache).length - before }));`;
	const { stdout } = await execute(process.execPath, ['-e', script]);
	return JSON.parse(stdout) as Load;
}
