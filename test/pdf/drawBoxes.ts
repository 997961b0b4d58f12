/**
 * Draws the fields that the tags of PDFs ask for over their pages, to be looked at:
 *
 *     npx tsx test/pdf/drawBoxes.ts FOLDER FILE.pdf...
 *
 * Each page with a tag becomes a picture in the folder.
 */
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { basename, dirname, join } from 'node:path';
import type { Place } from '../../nodes/ESign/actions/document/fields/field';
import { placeFields } from '../../nodes/ESign/actions/document/fields/placeFields';
import { findTags } from '../../nodes/ESign/actions/document/fields/tags/tagFields';
import type { Tag } from '../../nodes/ESign/actions/document/fields/tags/readTag';
import { textOf } from '../../nodes/ESign/pdf';

/** Pixels of a point. */
const SCALE = 1.5;

const RECIPIENTS = Array.from({ length: 10 }, (_, at) => ({ email: `person${at}@example.com` }));

/** What is used of a canvas, which pdf.js makes. */
interface Canvas {
	toBuffer: (type: 'image/png') => Buffer;
}
interface Surface {
	canvas: Canvas;
	context: Pen;
}
interface Pen {
	fillStyle: string;
	strokeStyle: string;
	resetTransform: () => void;
	fillRect: (x: number, y: number, width: number, height: number) => void;
	strokeRect: (x: number, y: number, width: number, height: number) => void;
}

async function placesIn(bytes: Buffer): Promise<Place[]> {
	const tags = await findTags((await textOf(bytes)) ?? [], RECIPIENTS);
	const placements = tags.flatMap(({ reading, ...match }) =>
		reading.kind === 'tag' ? [{ ...fieldOf(reading.input), match }] : [],
	);
	await placeFields(placements);
	return placements as unknown as Place[];
}

/** The options of a tag are a text until they are checked. */
function fieldOf({ type, dropdownOptions }: Tag['input']) {
	return { type, dropdownOptions: String(dropdownOptions ?? '').split(',') };
}

async function draw(folder: string, path: string): Promise<void> {
	const bytes = await readFile(path);
	const places = await placesIn(bytes);
	const root = dirname(createRequire(__filename).resolve('pdfjs-dist/package.json'));
	const { getDocument } = await import('pdfjs-dist/legacy/build/pdf.mjs');
	const task = getDocument({
		data: new Uint8Array(bytes),
		standardFontDataUrl: `${root}/standard_fonts/`,
		verbosity: 0,
	});
	const document = await task.promise;
	for (const number of new Set(places.map(({ pageNumber }) => pageNumber))) {
		const page = await document.getPage(number);
		const viewport = page.getViewport({ scale: SCALE });
		const { width, height } = viewport;
		const factory = document.canvasFactory as { create: (w: number, h: number) => Surface };
		const { canvas, context } = factory.create(width, height);
		await page.render({ canvasContext: context as never, canvas: null, viewport }).promise;
		context.resetTransform();
		context.strokeStyle = 'red';
		for (const { xNorm, yNorm, widthNorm, heightNorm } of places.filter(
			({ pageNumber }) => pageNumber === number,
		)) {
			const box = [xNorm * width, yNorm * height, widthNorm * width, heightNorm * height] as const;
			context.fillStyle = 'rgba(0, 128, 255, 0.2)';
			context.fillRect(...box);
			context.strokeRect(...box);
		}
		const picture = join(folder, `${basename(path, '.pdf')}-${number}.png`);
		await writeFile(picture, canvas.toBuffer('image/png'));
	}
	await task.destroy();
	console.log(`${path}: ${places.length} fields`);
}

async function main([folder = '.', ...paths]: string[]): Promise<void> {
	await mkdir(folder, { recursive: true });
	for (const path of paths) await draw(folder, path);
}

void main(process.argv.slice(2));
