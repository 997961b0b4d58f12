import { cp, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { runGuarded } from './processes/guardedProcess';

export const projectRoot = resolve(__dirname, '..');

export interface Tarball {
	path: string;
	/** Paths inside the package, as npm lists them. */
	files: string[];
	/** Bytes of the tarball. */
	size: number;
	/** Hash over the tarball, as npm publishes it. */
	integrity: string;
	/** Removes it. */
	remove(): Promise<void>;
}

/** Builds the package in `root` and packs it into a temporary folder, exactly as publishing would. */
export async function packTarball(root = projectRoot): Promise<Tarball> {
	const npm = async (...args: string[]) => await runGuarded('npm', args, { cwd: root });
	await npm('run', 'build');
	const folder = await mkdtemp(join(tmpdir(), 'n8n-nodes-esign-tarball-'));
	const listing = await npm('pack', '--json', '--pack-destination', folder);
	const [packed] = JSON.parse(listing) as Array<
		Pick<Tarball, 'size' | 'integrity'> & { filename: string; files: Array<{ path: string }> }
	>;
	if (!packed) throw new Error(`npm pack named no tarball: ${listing}`);
	return {
		path: join(folder, packed.filename),
		files: packed.files.map(({ path }) => path).sort(),
		size: packed.size,
		integrity: packed.integrity,
		remove: async () => await rm(folder, { recursive: true, force: true }),
	};
}

/** What the package is built from, beside its dependencies. */
const SOURCE = [
	'nodes',
	'credentials',
	'package.json',
	'README.md',
	'LICENSE.md',
	'gulpfile.js',
	'tsconfig.json',
	'tsconfig.build.json',
];

/** Builds and packs a copy of the source in a temporary folder, under another version if one is given. */
export async function packCopy(version?: string): Promise<Tarball> {
	const folder = await mkdtemp(join(tmpdir(), 'n8n-nodes-esign-copy-'));
	try {
		for (const path of SOURCE) await cp(join(projectRoot, path), join(folder, path), { recursive: true });
		await symlink(join(projectRoot, 'node_modules'), join(folder, 'node_modules'));
		const description = join(folder, 'package.json');
		if (version) {
			const fields = JSON.parse(await readFile(description, 'utf8')) as Record<string, unknown>;
			await writeFile(description, JSON.stringify({ ...fields, version }, undefined, 2));
		}
		return await packTarball(folder);
	} finally {
		await rm(folder, { recursive: true, force: true });
	}
}

/**
 * Installs a packed community package where n8n looks for those a user added, in place of another version of it, with the
 * flags that n8n itself uses. Needs no network: a community package has no dependencies of its own.
 */
export async function installPackage(userFolder: string, tarball: string): Promise<void> {
	const folder = join(userFolder, '.n8n', 'nodes');
	await mkdir(folder, { recursive: true });
	await writeFile(join(folder, 'package.json'), '{"name":"installed-nodes","private":true,"dependencies":{}}\n');
	const flags = ['--offline', '--ignore-scripts', '--legacy-peer-deps', '--no-audit', '--no-fund', '--no-package-lock'];
	await runGuarded('npm', ['install', ...flags, resolve(tarball)], { cwd: folder });
}
