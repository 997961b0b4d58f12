import { cp, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { runGuarded } from './processes/guardedProcess';

export const projectRoot = resolve(__dirname, '../..');

/** The packed package. */
export interface Packed {
	path: string;
	/** Paths inside the package, as npm lists them. */
	files: string[];
	/** Bytes, packed and unpacked. */
	size: number;
	unpackedSize: number;
	/** Hash over the tarball, as npm publishes it. */
	integrity: string;
}

export interface Tarball extends Packed {
	/** Removes it. */
	remove(): Promise<void>;
}

/** Packs the build as it is into the folder, exactly as publishing would. */
export async function packInto(folder: string, root = projectRoot): Promise<Packed> {
	const listing = await runGuarded('npm', ['pack', '--json', '--pack-destination', folder], {
		cwd: root,
	});
	const [packed] = JSON.parse(listing) as Array<
		Omit<Packed, 'path' | 'files'> & { filename: string; files: Array<{ path: string }> }
	>;
	if (!packed) throw new Error(`npm pack named no tarball: ${listing}`);
	const { filename, files, size, unpackedSize, integrity } = packed;
	return {
		path: join(folder, filename),
		files: files.map(({ path }) => path).sort(),
		size,
		unpackedSize,
		integrity,
	};
}

/** Set by `.ci/run`, which has built the package: what is in `dist` is of this source. */
const IS_BUILT = process.env.N8N_ESIGN_BUILT === '1';

/** Builds the package in `root` and packs it into a temporary folder. */
export async function packTarball(root = projectRoot): Promise<Tarball> {
	if (!IS_BUILT || root !== projectRoot) await runGuarded('npm', ['run', 'build'], { cwd: root });
	const folder = await mkdtemp(join(tmpdir(), 'n8n-nodes-esign-tarball-'));
	return {
		...(await packInto(folder, root)),
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

/**
 * Builds and packs a copy of the source in a temporary folder, under another version if one is
 * given.
 */
export async function packCopy(version?: string): Promise<Tarball> {
	const folder = await mkdtemp(join(tmpdir(), 'n8n-nodes-esign-copy-'));
	try {
		for (const path of SOURCE)
			await cp(join(projectRoot, path), join(folder, path), { recursive: true });
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
 * Installs a packed community package where n8n looks for those a user added, in place of another
 * version of it, with the flags that n8n itself uses. Needs no network: a community package has no
 * dependencies of its own.
 */
export async function installPackage(userFolder: string, tarball: string): Promise<void> {
	const folder = join(userFolder, '.n8n', 'nodes');
	await mkdir(folder, { recursive: true });
	await writeFile(
		join(folder, 'package.json'),
		'{"name":"installed-nodes","private":true,"dependencies":{}}\n',
	);
	const flags = [
		'--offline',
		'--ignore-scripts',
		'--legacy-peer-deps',
		'--no-audit',
		'--no-fund',
		'--no-package-lock',
	];
	await runGuarded('npm', ['install', ...flags, resolve(tarball)], { cwd: folder });
}
