// Prints, as JSON, the words that pdf.js finds in each of the PDFs named, with the place of the text
// that each is in. In a process of its own: pdf.js is an ES module, which Jest does not load.
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname } from 'node:path';
import { getDocument, Util } from 'pdfjs-dist/legacy/build/pdf.mjs';

const root = dirname(createRequire(import.meta.url).resolve('pdfjs-dist/package.json'));

/** Control, private, unassigned: what pdf.js itself does not know. */
const NO_WORD = /[\p{Cc}\p{Co}\p{Cn}\uFFFD]/u;

async function wordsOf(path) {
	const task = getDocument({
		data: new Uint8Array(await readFile(path)),
		cMapUrl: `${root}/cmaps/`,
		cMapPacked: true,
		standardFontDataUrl: `${root}/standard_fonts/`,
		verbosity: 0,
	});
	const document = await task.promise;
	const words = [];
	for (let page = 0; page < document.numPages; page++) {
		const source = await document.getPage(page + 1);
		const { transform, width, height } = source.getViewport({ scale: 1 });
		const { items } = await source.getTextContent({ disableNormalization: true });
		for (const item of items) {
			const [, , , , x, y] = Util.transform(transform, item.transform);
			if (x < 0 || y < 0 || x > width || y > height) continue;
			const texts = item.str.split(/\s+/).filter((text) => text !== '' && !NO_WORD.test(text));
			for (const [at, text] of texts.entries()) {
				const isFirst = at === 0 && item.dir === 'ltr';
				words.push({ text, page, x, y, isFirst });
			}
		}
	}
	await task.destroy();
	return words;
}

const all = {};
for (const path of process.argv.slice(2)) all[path] = await wordsOf(path);
process.stdout.write(JSON.stringify(all));
