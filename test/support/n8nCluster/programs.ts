import { accessSync, constants, existsSync, readdirSync } from 'node:fs';
import { delimiter, join } from 'node:path';

/**
 * Where Debian keeps PostgreSQL's server programs, one folder per major version and none of them on
 * the PATH.
 */
const POSTGRESQL = '/usr/lib/postgresql';

const POSTGRES = ['initdb', 'postgres'] as const;

const QUEUE_MODE = ['redis-server', ...POSTGRES] as const;

type Paths<Name extends string> = Record<Name, string>;

/**
 * Paths of the programs that queue mode needs beside n8n.
 *
 * @throws Error naming what is missing and how to install it
 */
export function findPrograms(): Paths<(typeof QUEUE_MODE)[number]> {
	return find("n8n's queue mode needs Redis and PostgreSQL", QUEUE_MODE);
}

/**
 * Paths of the programs that PostgreSQL consists of.
 *
 * @throws Error naming what is missing and how to install it
 */
export function findPostgres(): Paths<(typeof POSTGRES)[number]> {
	return find('n8n is to keep its data in PostgreSQL', POSTGRES);
}

function find<Name extends string>(purpose: string, needed: readonly Name[]): Paths<Name> {
	const found = needed.map((name) => [name, pathOf(name)] as const);
	const missing = found.filter(([, path]) => path === undefined).map(([name]) => name);
	if (missing.length > 0) {
		throw new Error(
			`${purpose}, and this machine has no ${missing.join(', no ')}. ` +
				'Debian: apt-get install --no-install-recommends redis-server postgresql; macOS: brew install redis postgresql.',
		);
	}
	return Object.fromEntries(found) as Paths<Name>;
}

function pathOf(name: string): string | undefined {
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
