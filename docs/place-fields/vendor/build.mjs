/**
 * Makes what the page needs of pdf.js from the pdfjs-dist that package-lock.json names, as classic scripts: a browser
 * loads no ES modules from disk. `node docs/place-fields/vendor/build.mjs` writes the files beside this one; with
 * `--check` it writes nothing, names the files that differ and ends with 1.
 */
import { createRequire } from 'node:module';
import { readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { build } from 'esbuild';

const here = import.meta.dirname;
const pdfjs = dirname(createRequire(import.meta.url).resolve('pdfjs-dist/package.json'));
const { version } = JSON.parse(await readFile(join(pdfjs, 'package.json'), 'utf8'));
const notice = `/* pdf.js ${version}, Apache License 2.0 (LICENSE), made by build.mjs */\n`;

/** One file of pdf.js as the body of a classic script; `exports` is what a page may call. */
async function bundle(file, exports, globalName) {
	const { outputFiles } = await build({
		stdin: {
			contents: `export { ${exports} } from './${file}';`,
			resolveDir: join(pdfjs, 'legacy/build'),
		},
		bundle: true,
		minify: true,
		write: false,
		format: 'iife',
		globalName,
		charset: 'utf8',
		legalComments: 'none',
		// Where a module lies matters in Node only, and a classic script cannot ask.
		define: { 'import.meta.url': '""' },
		logLevel: 'warning',
	});
	return outputFiles[0].text.trim();
}

const openjpeg = await readFile(join(pdfjs, 'wasm/openjpeg.wasm'));
const files = {
	'pdf.js': notice + (await bundle('pdf.mjs', 'getDocument, PDFWorker', 'pdfjs')) + '\n',
	// A function, so that a worker can be started from its text (a worker cannot load a file from disk either).
	'pdf.worker.js': `${notice}function startPdfWorker() {${await bundle('pdf.worker.mjs', 'WorkerMessageHandler', 'worker')}}\n`,
	// Decodes JPEG 2000 pictures, which scanners write.
	'openjpeg.js': `/* OpenJPEG, see LICENSE_OPENJPEG; made by build.mjs */\nconst OPENJPEG = '${openjpeg.toString('base64')}';\n`,
	LICENSE: await readFile(join(pdfjs, 'LICENSE'), 'utf8'),
	LICENSE_OPENJPEG: await readFile(join(pdfjs, 'wasm/LICENSE_OPENJPEG'), 'utf8'),
	LICENSE_PDFJS_OPENJPEG: await readFile(join(pdfjs, 'wasm/LICENSE_PDFJS_OPENJPEG'), 'utf8'),
};

const check = process.argv.includes('--check');
for (const [name, text] of Object.entries(files)) {
	const path = join(here, name);
	if (!check) {
		await writeFile(path, text);
		console.log(`${name}: ${Math.round(text.length / 1000)} kB`);
	} else if ((await readFile(path, 'utf8').catch(() => '')) !== text) {
		console.error(
			`${name} is not what pdfjs-dist ${version} gives: run node docs/place-fields/vendor/build.mjs`,
		);
		process.exitCode = 1;
	}
}
