/**
 * Reads a PDF from standard input with pdf.js, which shares no code with the pdf-lib that wrote it, and prints as JSON
 * what a person would see: per page its size, its texts with their places, and the box around everything drawn.
 * All places are fractions of the page as seen, from its top-left corner. A program of its own, because pdf.js is an
 * ES module that Jest's CommonJS runtime cannot load.
 */
import { buffer } from 'node:stream/consumers';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { getDocument, VerbosityLevel } from 'pdfjs-dist/legacy/build/pdf.mjs';

const SCALE = 1.5;
const WHITE = 250;
const assets = dirname(createRequire(import.meta.url).resolve('pdfjs-dist/package.json'));

const document = await getDocument({
	data: new Uint8Array(await buffer(process.stdin)),
	standardFontDataUrl: join(assets, 'standard_fonts/'),
	verbosity: VerbosityLevel.ERRORS,
}).promise;

const pages = [];
for (let number = 1; number <= document.numPages; number++)
	pages.push(await readPage(await document.getPage(number)));
const { info } = await document.getMetadata();
process.stdout.write(JSON.stringify({ info, pages }));

async function readPage(page) {
	const viewport = page.getViewport({ scale: SCALE });
	const { items } = await page.getTextContent();
	const texts = items
		.filter((item) => item.str.trim() !== '')
		.map((item) => {
			const [x, y] = viewport.convertToViewportPoint(item.transform[4], item.transform[5]);
			return { text: item.str, x: x / viewport.width, y: y / viewport.height };
		});
	const { canvas } = document.canvasFactory.create(
		Math.round(viewport.width),
		Math.round(viewport.height),
	);
	await page.render({ canvas, viewport }).promise;
	return {
		width: viewport.width / SCALE,
		height: viewport.height / SCALE,
		texts,
		ink: inkBox(canvas),
	};
}

/** Null on an empty page. */
function inkBox(canvas) {
	const { width, height } = canvas;
	const { data } = canvas.getContext('2d').getImageData(0, 0, width, height);
	let [left, top, right, bottom] = [width, height, -1, -1];
	for (let y = 0; y < height; y++) {
		for (let x = 0; x < width; x++) {
			const at = (y * width + x) * 4;
			if (data[at] > WHITE && data[at + 1] > WHITE && data[at + 2] > WHITE) continue;
			left = Math.min(left, x);
			right = Math.max(right, x);
			top = Math.min(top, y);
			bottom = Math.max(bottom, y);
		}
	}
	if (right < 0) return null;
	return {
		left: left / width,
		top: top / height,
		right: (right + 1) / width,
		bottom: (bottom + 1) / height,
	};
}
