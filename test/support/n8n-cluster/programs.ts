import { accessSync, constants, existsSync, readdirSync } from 'node:fs';
import { delimiter, join } from 'node:path';

/** Where Debian keeps PostgreSQL's server programs, one folder per major version and none of them on the PATH. */
const POSTGRESQL = '/usr/lib/postgresql';

/** What PostgreSQL consists of. */
export const POSTGRES = ['initdb', 'postgres'] as const;

/** What n8n's queue mode needs beside n8n. */
export const QUEUE_MODE = ['redis-server', ...POSTGRES] as const;

export type Program = (typeof QUEUE_MODE)[number];

/**
 * Paths of programs of the system.
 *
 * @throws Error naming what is missing and how to install it
 */
export function findPrograms<Name extends Program>(needed: readonly Name[]): Record<Name, string> {
	const found = needed.map((name) => [name, pathOf(name)] as const);
	const missing = found.filter(([, path]) => path === undefined).map(([name]) => name);
	if (missing.length > 0) {
		throw new Error(
			`${needed.join(', ')} are needed beside n8n, and this machine has no ${missing.join(', no ')}. ` +
				'Debian: apt-get install --no-install-recommends redis-server postgresql; macOS: brew install redis postgresql.',
		);
	}
	return Object.fromEntries(found) as Record<Name, string>;
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
