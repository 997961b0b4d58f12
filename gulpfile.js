const { spawnSync } = require('node:child_process');
const { rm } = require('node:fs/promises');
const { dest, series, src } = require('gulp');

/** Removes the previous build, so that a deleted source leaves nothing in the tarball. */
async function clean() {
	await rm('dist', { recursive: true, force: true });
}

/** Compiles nodes and credentials, file by file; a type error fails the build. */
async function compile() {
	const tsc = require.resolve('typescript/bin/tsc');
	const { status } = spawnSync(process.execPath, [tsc, '-p', 'tsconfig.build.json'], {
		stdio: 'inherit',
	});
	if (status !== 0) throw new Error('tsc failed');
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
