import { execFile, spawnSync } from 'node:child_process';
import { copyFileSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { NIGHTLY } from '../../support/nightly';
import { Workspace } from '../workspace';

const ROOT = path.join(__dirname, '../../..');
const TSCONFIG = {
	compilerOptions: {
		...{
			target: 'es2022',
			lib: ['es2023', 'dom', 'dom.iterable'],
			module: 'node20',
			types: ['node'],
		},
		...{ strict: true, noUncheckedIndexedAccess: true, skipLibCheck: true },
	},
	files: ['mainJob.ts'],
};

describe('a client that is generated from the description', () => {
	const workspace = Workspace.forTests();
	let folder: string;
	beforeAll(async () => {
		folder = mkdtempSync(path.join(os.tmpdir(), 'esign-client-'));
	});
	afterAll(async () => {
		rmSync(folder, { recursive: true, force: true });
	});

	const write = (name: string, value: string | object) =>
		writeFileSync(
			path.join(folder, name),
			typeof value === 'string' ? value : JSON.stringify(value),
		);

	const atNight = NIGHTLY ? it : it.skip;
	atNight('compiles, and does the main job of an application', async () => {
		const generate = path.join(__dirname, 'client/generate.mjs');
		const input = JSON.stringify(workspace.description.document);
		const generated = spawnSync(process.execPath, [generate], {
			input,
			encoding: 'utf8',
			maxBuffer: 2 ** 24,
		});
		expect([generated.status, generated.stderr]).toEqual([0, '']);
		write('interface.ts', generated.stdout);
		copyFileSync(path.join(__dirname, 'client/mainJob.ts'), path.join(folder, 'mainJob.ts'));
		symlinkSync(path.join(ROOT, 'node_modules'), path.join(folder, 'node_modules'));
		write('package.json', { type: 'module' });
		write('tsconfig.json', TSCONFIG);
		const compiler = require.resolve('typescript/bin/tsc');
		const compiled = spawnSync(process.execPath, [compiler, '-p', folder], { encoding: 'utf8' });
		expect([compiled.status, compiled.stdout]).toEqual([0, '']);

		const job = path.join(folder, 'mainJob.js');
		const file = path.join(ROOT, 'test/fixtures/contract.pdf');
		const { url, keys } = workspace.sandbox;
		const { stdout } = await promisify(execFile)(process.execPath, [job, url, keys.test, file]);
		expect(JSON.parse(stdout)).toEqual(['in_progress', 1, true]);
	});
});
