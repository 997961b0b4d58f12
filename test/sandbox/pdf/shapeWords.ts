/**
 * Reads lists of words as JSON from standard input, and prints what each becomes when its words are shaped together and
 * when each is shaped alone: the clusters of each word, and all that is then written into the document. A program of its
 * own, because HarfBuzz is an ES module that Jest's CommonJS runtime cannot load.
 */
import { json } from 'node:stream/consumers';
import { PDFDocument } from 'pdf-lib';
import { FontFace } from '../../../sandbox/pdf/fonts/fontFace';
import type { Cluster } from '../../../sandbox/pdf/fonts/glyphs';
import { OutlineFont } from '../../../sandbox/pdf/fonts/outlineFont';
import { scriptFace } from '../../../sandbox/pdf/fonts/typefaces';

export interface WordList {
	script: Parameters<typeof scriptFace>[0];
	rightToLeft: boolean;
	words: string[];
}

interface Drawn {
	/** For each word its clusters: what they stand for, how wide they are, and which picture they have. */
	words: string[][];
	/** Every object of the document: the pictures, and what is copied for them. */
	objects: string[];
}

export type Shaped = Record<'together' | 'alone', Drawn>;

async function draw(
	{ script }: WordList,
	shape: (font: OutlineFont) => ReadonlyArray<readonly Cluster[]>,
): Promise<Drawn> {
	const document = await PDFDocument.create({ updateMetadata: false });
	const { fileFor, weight, script: tag } = scriptFace(script);
	const font = new OutlineFont(document, await FontFace.load(fileFor(0) ?? '', weight), { left: 1_000_000 }, tag);
	const words = shape(font).map((clusters) => {
		return clusters.map(({ text, width, glyph }) => `${text} ${width} ${glyph?.font.toString()} ${glyph?.code}`);
	});
	font.write(false);
	return { words, objects: document.context.enumerateIndirectObjects().map((entry) => entry.join(' ')) };
}

async function main(): Promise<void> {
	const shaped: Shaped[] = [];
	for (const list of (await json(process.stdin)) as WordList[]) {
		const { words, rightToLeft } = list;
		shaped.push({
			together: await draw(list, (font) => font.shapeAll(words, rightToLeft) ?? []),
			alone: await draw(list, (font) => words.map((word) => font.shape(word, rightToLeft))),
		});
	}
	process.stdout.write(JSON.stringify(shaped));
}

void main();
