import { execFile } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { textOf, type PageText } from '../../nodes/ESign/pdf';
import { fixture } from '../fixtures/fixture';
import { findText, folded } from './findText';

const FOLDER = 'pdf-text/producers';
const FILES = readdirSync(join(__dirname, '../fixtures', FOLDER));
const pathOf = (name: string) => join(__dirname, '../fixtures', FOLDER, name);

/** A word that pdf.js finds. */
interface Word {
	text: string;
	/** From 0 on. */
	page: number;
	/** Where the text begins that it is in. */
	x: number;
	y: number;
	/** Whether it is the first word there, so that this is its own place. */
	isFirst: boolean;
}

async function wordsByPdfJs(): Promise<Record<string, Word[]>> {
	const script = join(__dirname, 'wordsByPdfJs.mjs');
	const { stdout } = await promisify(execFile)('node', [script, ...FILES.map(pathOf)], {
		maxBuffer: 2 ** 26,
	});
	return JSON.parse(stdout) as Record<string, Word[]>;
}

/** In points. */
const FARTHEST_BOX = 0.5;

/** Whether a word is there; and if its place is known, whether it is right. */
function lookFor(page: PageText | undefined, word: Word): { isFound: boolean; isRight: boolean } {
	const found = page ? findText(page, word.text) : [];
	const distances = found.map(({ first }) =>
		Math.max(Math.abs(first.x - word.x), Math.abs(first.y - word.y)),
	);
	const isRight = !word.isFirst || Math.min(...distances) < FARTHEST_BOX;
	return { isFound: found.length > 0, isRight };
}

/** Each program that made one of the files is a row. What pdf.js reads is the measure. */
describe('The text that real programs write', () => {
	let words: Record<string, Word[]>;

	beforeAll(async () => {
		words = await wordsByPdfJs();
	});

	it('comes from twelve producers and more', () => {
		expect(FILES.length).toBeGreaterThanOrEqual(12);
	});

	it.each(FILES)('is what pdf.js reads: %s', async (name) => {
		const bytes = fixture(`${FOLDER}/${name}`);
		const pages = (await textOf(bytes)) ?? [];
		const wanted = words[pathOf(name)] ?? [];
		const results = wanted.map((word) => ({ word, ...lookFor(pages[word.page], word) }));
		const missing = results.filter(({ isFound }) => !isFound).map(({ word }) => word.text);
		const misplaced = results.filter(({ isFound, isRight }) => isFound && !isRight);
		expect(wanted.length).toBeGreaterThan(5);
		expect(missing.length / wanted.length).toBeLessThanOrEqual(0.01);
		expect(misplaced.length / wanted.length).toBeLessThanOrEqual(0.05);
	});

	it.each(FILES)('has tags in it: %s', async (name) => {
		const pages = (await textOf(fixture(`${FOLDER}/${name}`))) ?? [];
		const tags = pages.flatMap((page) => [
			...findText(page, '[[signature 1]]'),
			...findText(page, '[[date 1]]'),
		]);
		expect(tags.length).toBeGreaterThanOrEqual(2);
		for (const { first, last } of tags)
			expect([first.text, last.text].map(folded)).toEqual(['[', ']']);
	});
});
