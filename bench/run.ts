import { execFile } from 'node:child_process';
import { readdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { parseArgs, promisify } from 'node:util';
import { inChild } from './measure/child';
import type { BenchOptions, BenchResult } from './report/figure';
import { heading, writeResults, type Run } from './report/results';
import { renderResult } from './report/table';
import { withTemporaryFolder } from '../test/support/temporaryFolder';

const SUFFIX = '.bench.ts';

const USAGE = `npm run bench [-- NAME... [--quick] [--no-build]]

Runs the benches named, or all of them, each in a process of its own, against a sandbox in another one.
  --quick     few repeats: shows that everything works, not how fast
  --no-build  measures the build in dist/ as it is`;

async function main(): Promise<void> {
	const { values, positionals } = parseArgs({
		allowPositionals: true,
		options: {
			quick: { type: 'boolean' },
			'no-build': { type: 'boolean' },
			help: { type: 'boolean' },
		},
	});
	const known = await benchNames();
	const unknown = positionals.filter((name) => !known.includes(name));
	if (values.help || unknown.length > 0) {
		console.log(`${USAGE}\n\nBenches: ${known.join(', ')}`);
		if (unknown.length > 0) throw new Error(`No bench called ${unknown.join(', ')}`);
		return;
	}
	if (!values['no-build'])
		await promisify(execFile)('npm', ['run', 'build'], { cwd: resolve(__dirname, '..') });

	const run: Run = { startedAt: new Date(), quick: values.quick ?? false, results: {} };
	console.log(heading(run));
	const names = known.filter((name) => positionals.length === 0 || positionals.includes(name));
	await withTemporaryFolder(async (folder) => {
		// n8n-core reads this when it is loaded; the benches never touch the user's own folder.
		process.env.N8N_USER_FOLDER = folder;
		// It logs the failures of the sides that fail, which the figures count.
		process.env.N8N_LOG_LEVEL = 'silent';
		for (const name of names) {
			try {
				const result = await runBench(name, { quick: run.quick });
				run.results[name] = result;
				console.log(`\n${renderResult(result)}`);
			} catch (error) {
				// The other figures are worth having all the same.
				console.error(`\nThe bench ${name} failed.`, error);
				process.exitCode = 1;
			}
		}
	});
	console.log(`\nWritten to ${(await writeResults(run)).join(' and ')}`);
}

async function runBench(name: string, options: BenchOptions): Promise<BenchResult> {
	return await inChild<BenchOptions, BenchResult>(
		join(__dirname, `${name}${SUFFIX}`),
		'run',
		options,
	);
}

/** The benches there are: one file each. */
async function benchNames(): Promise<string[]> {
	const files = await readdir(__dirname);
	return files.filter((file) => file.endsWith(SUFFIX)).map((file) => file.slice(0, -SUFFIX.length));
}

main().catch((error: Error) => {
	console.error(error);
	process.exitCode = 1;
});
