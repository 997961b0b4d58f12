const { spawnSync } = require('node:child_process');
const { existsSync } = require('node:fs');
const { mkdtemp, rm } = require('node:fs/promises');
const { tmpdir } = require('node:os');
const { dirname, isAbsolute, join, relative, resolve } = require('node:path');
const { transform } = require('esbuild');
const { dest, series, src } = require('gulp');
const { rollup } = require('rollup');
const { n8n } = require('./package.json');

/** Removes the previous build, so that a deleted source leaves nothing in the tarball. */
async function clean() {
	await rm('dist', { recursive: true, force: true });
}

/** Compiles nodes and credentials, and joins their files; a type error fails the build. */
async function compile() {
	const folder = await mkdtemp(join(tmpdir(), 'n8n-nodes-esign-build-'));
	try {
		const tsc = require.resolve('typescript/bin/tsc');
		const options = ['-p', 'tsconfig.build.json', '--outDir', folder];
		const { status } = spawnSync(process.execPath, [tsc, ...options], { stdio: 'inherit' });
		if (status !== 0) throw new Error('tsc failed');
		await joinFiles(folder);
	} finally {
		await rm(folder, { recursive: true, force: true });
	}
}

/**
 * One file for each node and for the credential, and one for what they share: n8n reads four files and not two hundred, and
 * what the process keeps (the pace of a key, the secrets of the triggers) is there once. White space goes, and statements are
 * written shorter; names stay, so that whoever formats a file of `dist` can read it.
 */
async function joinFiles(folder) {
	const entries = new Map(
		[...n8n.credentials, ...n8n.nodes].map((path) => {
			const name = relative('dist', path);
			return [join(folder, name), name];
		}),
	);
	const bundle = await rollup({
		input: Object.fromEntries([...entries].map(([file, name]) => [name, file])),
		// n8n-workflow and what Node brings.
		external: (id) => !id.startsWith('.') && !isAbsolute(id),
		preserveSymlinks: true,
		plugins: [
			{
				name: 'files',
				resolveId: sourceFile,
				renderChunk: async (code) =>
					await transform(code, { minifyWhitespace: true, minifySyntax: true }),
			},
		],
		onwarn: (warning) => {
			throw new Error(warning.message);
		},
	});
	await bundle.write({
		dir: 'dist',
		format: 'cjs',
		entryFileNames: '[name]',
		chunkFileNames: 'nodes/ESign/[name].js',
		manualChunks: (id, { getModuleInfo }) => {
			const users = [...entries.keys()].filter((entry) =>
				reachedFrom(entry, getModuleInfo).has(id),
			);
			return users.length > 1 ? 'shared' : undefined;
		},
		generatedCode: { preset: 'es2015', symbols: false },
		externalLiveBindings: false,
		freeze: false,
	});
	await bundle.close();
}

/** The file that a relative import means: a file, or the index of a folder. */
function sourceFile(path, importer) {
	if (!importer || !path.startsWith('.')) return null;
	const named = resolve(dirname(importer), path);
	return [`${named}.js`, join(named, 'index.js')].find((file) => existsSync(file));
}

/** Every module that a file needs, itself among them. */
function reachedFrom(entry, getModuleInfo) {
	const reached = new Set([entry]);
	for (const id of reached)
		for (const imported of getModuleInfo(id).importedIds) reached.add(imported);
	return reached;
}

/** Copies icons, codex files and sample outputs beside the compiled nodes, where n8n looks for them. */
function assets() {
	return src(
		['nodes/**/*.{svg,node.json}', 'nodes/**/__schema__/**/*.json', 'credentials/**/*.svg'],
		{
			base: '.',
			encoding: false,
		},
	).pipe(dest('dist'));
}

exports.build = series(clean, compile, assets);
exports.default = exports.build;
