/**
 * `npm run mutation -- FILE...`: changes the file in every small way that Stryker knows, one at a time, and says which changes no
 * test notices. Without a file: all of files.mjs. What was tried is kept in node_modules/.cache/mutation, and only what has changed
 * is tried again; `--force` tries everything, as after a change of tests of constants.
 *
 * Exits non-zero if in some file fewer than four of five are noticed.
 */
import { spawnSync } from 'node:child_process';
import { basename } from 'node:path';
import { FILES } from './files.mjs';

const given = process.argv.slice(2);
const flags = given.filter((word) => word === '--force');
const asked = given
	.filter((word) => word !== '--force')
	.map((file) => {
		const found = Object.keys(FILES).find(
			(known) => known === file || basename(known, '.ts') === basename(file, '.ts'),
		);
		if (!found)
			throw new Error(
				`${file} is not in scripts/mutation/files.mjs, which says which tests are for it`,
			);
		return found;
	});

const weak = (asked.length > 0 ? asked : Object.keys(FILES)).filter((file) => {
	console.log(`\n== ${file}`);
	const { status } = spawnSync(
		'npx',
		['stryker', 'run', 'scripts/mutation/stryker.config.mjs', ...flags],
		{
			stdio: 'inherit',
			env: { ...process.env, MUTATION_FILE: file, MUTATION_TESTS: FILES[file].join() },
		},
	);
	return status !== 0;
});
console.log(
	weak.length === 0 ? '\nAll files hold.' : `\nToo many mutants survive in: ${weak.join(', ')}`,
);
process.exit(weak.length === 0 ? 0 : 1);
