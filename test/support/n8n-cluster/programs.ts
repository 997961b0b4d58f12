import { accessSync, constants, existsSync, readdirSync } from 'node:fs';
import { delimiter, join } from 'node:path';

/** Where Debian keeps PostgreSQL's server programs, one folder per major version and none of them on the PATH. */
const POSTGRESQL = '/usr/lib/postgresql';

const NEEDED = ['redis-server', 'initdb', 'postgres'] as const;

export type Program = (typeof NEEDED)[number];

/**
 * Paths of the programs that queue mode needs beside n8n.
 *
 * @throws Error naming what is missing and how to install it
 */
export function findPrograms(): Record<Program, string> {
	const found = NEEDED.map((name) => [name, pathOf(name)] as const);
	const missing = found.filter(([, path]) => path === undefined).map(([name]) => name);
	if (missing.length > 0) {
		throw new Error(
			`n8n's queue mode needs Redis and PostgreSQL, and this machine has no ${missing.join(', no ')}. ` +
				'Debian: apt-get install --no-install-recommends redis-server postgresql; macOS: brew install redis postgresql.',
		);
	}
	return Object.fromEntries(found) as Record<Program, string>;
}

function pathOf(name: Program): string | undefined {
	const folders = [...(process.env.PATH ?? '').split(delimiter), '/usr/bin', ...serverFolders()];
	return folders.map((folder) => join(folder, name)).find(isExecutable);
}

/** The newest version first. */
function serverFolders(): string[] {
	if (!existsSync(POSTGRESQL)) return [];
	const versions = readdirSync(POSTGRESQL).sort((a, b) => Number(b) - Number(a));
	return versions.map((version) => join(POSTGRESQL, version, 'bin'));
}

function isExecutable(path: string): boolean {
	try {
		accessSync(path, constants.X_OK);
		return true;
	} catch {
		return false;
	}
}
