import { chmod, chown, mkdir, mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runGuarded } from '../processes/guardedProcess';
import { freePort } from '../n8nServer/server';
import { findPostgres } from './programs';
import { ServerProcess } from './serverProcess';

export interface Postgres {
	port: number;
	user: string;
	database: string;
	server: ServerProcess;
}

/** The account that Debian's package makes: PostgreSQL refuses to run as root. */
const SERVICE_ACCOUNT = 'postgres';
/** initdb names the superuser after the account it runs as, and makes a database `postgres`. */
const USER = 'n8n';
const DATABASE = 'postgres';

/**
 * Starts PostgreSQL on a free port of 127.0.0.1, over TCP alone, with a fresh database in `folder`.
 * Speed comes before durability: no test cuts the power under the database.
 */
export async function startPostgres(
	programs: ReturnType<typeof findPostgres>,
	folder: string,
): Promise<Postgres> {
	await mkdir(folder);
	const unprivileged = await giveUpRoot(folder);
	const [initdb, ...initdbArgs] = unprivileged(programs.initdb, [
		...['-D', folder, '-U', USER, '--auth=trust', '--encoding=UTF8', '--locale=C', '--no-sync'],
	]);
	await runGuarded(initdb, initdbArgs, { cwd: folder });

	const port = await freePort();
	const settings = {
		listen_addresses: '127.0.0.1',
		port: String(port),
		unix_socket_directories: '',
		fsync: 'off',
		full_page_writes: 'off',
		// In the data folder, so that a SIGKILL leaves nothing in /dev/shm.
		dynamic_shared_memory_type: 'mmap',
	};
	const [command, ...args] = unprivileged(programs.postgres, [
		...['-D', folder],
		...Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]),
	]);
	const server = new ServerProcess({
		name: 'PostgreSQL',
		command,
		args,
		cwd: folder,
		readyText: 'database system is ready to accept connections',
	});
	await server.start();
	return { port, user: USER, database: DATABASE, server };
}

/**
 * Starts PostgreSQL with its data in a temporary folder, which `close` removes.
 *
 * @throws Error that says what to install when PostgreSQL is missing
 */
export async function startTemporaryPostgres(): Promise<Postgres & { close(): Promise<void> }> {
	const programs = findPostgres();
	const folder = await realpath(await mkdtemp(join(tmpdir(), 'n8n-nodes-esign-postgres-')));
	const remove = async () => await rm(folder, { recursive: true, force: true });
	try {
		// It runs as another account, and its folder is inside.
		await chmod(folder, 0o711);
		const postgres = await startPostgres(programs, join(folder, 'data'));
		const close = async () => {
			await postgres.server.stop();
			await remove();
		};
		return { ...postgres, close };
	} catch (error) {
		await remove();
		throw error;
	}
}

/** What makes an n8n keep its data there. */
export function postgresEnvironment({ port, user, database }: Postgres): NodeJS.ProcessEnv {
	return {
		DB_TYPE: 'postgresdb',
		DB_POSTGRESDB_HOST: '127.0.0.1',
		DB_POSTGRESDB_PORT: String(port),
		DB_POSTGRESDB_DATABASE: database,
		DB_POSTGRESDB_USER: user,
		DB_POSTGRESDB_PASSWORD: 'not asked for',
	};
}

/**
 * What to run instead of a command so that it does not run as root; gives the folder to whom it
 * then runs as.
 */
async function giveUpRoot(
	folder: string,
): Promise<(command: string, args: string[]) => [string, ...string[]]> {
	if (process.getuid?.() !== 0) return (command, args) => [command, ...args];
	const id = async (option: '-u' | '-g') =>
		Number(await runGuarded('id', [option, SERVICE_ACCOUNT]));
	const [uid, gid] = [await id('-u'), await id('-g')];
	await chown(folder, uid, gid);
	const account = [`--reuid=${uid}`, `--regid=${gid}`, '--clear-groups'];
	return (command, args) => ['setpriv', ...account, command, ...args];
}
