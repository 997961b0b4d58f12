import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

interface Manifest {
	scripts: Record<string, string>;
	dependencies?: Record<string, string>;
	optionalDependencies?: Record<string, string>;
	bundledDependencies?: string[];
	peerDependencies: Record<string, string>;
	devDependencies: Record<string, string>;
}

interface Lock {
	packages: Record<
		string,
		{ link?: boolean; optional?: boolean; integrity?: string; resolved?: string }
	>;
}

const projectRoot = join(__dirname, '..');
const textOf = async (path: string) => await readFile(join(projectRoot, path), 'utf8');

/** What npm runs on a user's machine when a package is installed or removed. */
const INSTALL_SCRIPTS =
	'preinstall install postinstall prepare preuninstall uninstall postuninstall'.split(' ');

describe('What a user installs', () => {
	it('brings no other package along but the n8n that is there', async () => {
		const manifest = JSON.parse(await textOf('package.json')) as Manifest;
		expect(manifest.dependencies ?? {}).toEqual({});
		expect(manifest.optionalDependencies ?? {}).toEqual({});
		expect(manifest.bundledDependencies ?? []).toEqual([]);
		expect(Object.keys(manifest.peerDependencies)).toEqual(['n8n-workflow']);
	});

	it('runs nothing at its installation', async () => {
		const { scripts } = JSON.parse(await textOf('package.json')) as Manifest;
		expect(Object.keys(scripts).filter((name) => INSTALL_SCRIPTS.includes(name))).toEqual([]);
	});
});

describe('What a contributor installs', () => {
	it('is named to the version', async () => {
		const { devDependencies } = JSON.parse(await textOf('package.json')) as Manifest;
		const loose = Object.entries(devDependencies).filter(
			([, version]) => !/^\d+\.\d+\.\d+(-[\w.]+)?$/.test(version),
		);
		expect(loose).toEqual([]);
	});

	it('runs no script of a package at its installation', async () => {
		expect((await textOf('.npmrc')).split('\n')).toContain('ignore-scripts=true');
	});

	it.each([
		'package-lock.json',
		...['v1', 'v2'].map((line) => `test/support/n8nServer/${line}/package-lock.json`),
	])('is known by its hash, from a registry only: %s', async (path) => {
		const { packages } = JSON.parse(await textOf(path)) as Lock;
		const installed = Object.entries(packages).filter(([name]) => name !== '');
		expect(installed.length).toBeGreaterThan(100);
		// npm knows no hash for a platform whose package the registry did not have when the lock file
		// was written.
		const unknown = installed.filter(
			([, { integrity, optional }]) => !integrity?.startsWith('sha512-') && !optional,
		);
		expect(unknown.map(([name]) => name)).toEqual([]);
		expect(
			installed.filter(([, { link, resolved }]) => link || resolved).map(([name]) => name),
		).toEqual([]);
	});
});

describe('What GitHub runs', () => {
	it('is an action pinned to a commit, with its version beside it, or a workflow of this repository', async () => {
		const folder = '.github/workflows';
		const workflows = await Promise.all(
			(await readdir(join(projectRoot, folder))).map(
				async (name) => await textOf(join(folder, name)),
			),
		);
		const uses = workflows.flatMap((text) => text.match(/\buses: .*/g) ?? []);
		expect(uses.length).toBeGreaterThan(5);
		const loose = uses.filter(
			(line) =>
				!/^uses: (\.\/\.github\/workflows\/\w+\.yml|[\w-]+(\/[\w-]+)+@[0-9a-f]{40} # v\d+\.\d+\.\d+)$/.test(
					line,
				),
		);
		expect(loose).toEqual([]);
	});
});
