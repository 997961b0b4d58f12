/**
 * Makes sure that `node_modules` is what `package-lock.json` says, so that every command works on a fresh clone.
 *
 * npm leaves its own stamp: `node_modules/.package-lock.json`, written when an install is through, lists what is there.
 * While that agrees with the lock file nothing is done (some 30 ms); otherwise `npm ci` runs.
 */
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');

if (!isInstalled()) {
	process.stderr.write('Installing the development dependencies (npm ci), a minute or two ...\n');
	const { status, error } = spawnSync(
		'npm',
		['ci', '--no-audit', '--no-fund', '--loglevel=error'],
		{
			cwd: root,
			stdio: ['ignore', 2, 2],
			// npm is a .cmd file on Windows, which only a shell can start.
			shell: process.platform === 'win32',
		},
	);
	if (status !== 0) {
		process.stderr.write(
			`npm ci failed${error ? `: ${error.message}` : ''}; see the lines above.\n`,
		);
		process.exit(1);
	}
}

/** Whether every package of the lock file is there in its version, and nothing else is. */
function isInstalled() {
	const locked = packagesIn(join(root, 'package-lock.json'));
	const present = packagesIn(join(root, 'node_modules', '.package-lock.json'));
	if (!locked || !present) return false;
	delete locked[''];
	// An optional package may be absent: it is for another platform.
	const missing = Object.entries(locked).some(
		([path, { version, optional }]) =>
			present[path]?.version !== version && !(optional && !present[path]),
	);
	return !missing && Object.keys(present).every((path) => path in locked);
}

function packagesIn(lockFile) {
	try {
		return JSON.parse(readFileSync(lockFile, 'utf8')).packages;
	} catch {
		return undefined;
	}
}
