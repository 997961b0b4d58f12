import { readFont, type Font } from '../fonts';
import { Dictionary, ifReadable, Reference, type Source, type Value } from '../objects/values';
import { Content, type Page } from './content';
import { geometryOf } from './geometry';
import { readContent } from './operators';
import { Runs, type TextRun } from './runs';

export type { TextRun } from './runs';

export interface PageText {
	/** In points, as it is seen: what is cropped away is not there. */
	width: number;
	height: number;
	runs: TextRun[];
	/** Whether some text could not be read: what is not found may be there all the same. */
	isIncomplete: boolean;
}

/** For a page. */
const MOST_FORMS = 2_000;

/** At a time. A contract has some ten of them. */
const MOST_FONTS = 200;

/** Reads the text of pages, one after the other: what has been read of fonts is kept. */
export function pageReader(source: Source): (dictionary: Dictionary) => Promise<PageText> {
	const fonts = new Map<unknown, Font | undefined>();

	async function fontOf(value: Value | undefined): Promise<Font | undefined> {
		const key = value instanceof Reference ? value.number : value;
		if (!fonts.has(key)) {
			const font = await ifReadable(async () => await readFont(source, value));
			if (fonts.size >= MOST_FONTS) fonts.clear();
			fonts.set(key, font);
		}
		return fonts.get(key);
	}

	// A page comes with what it has from the nodes above it.
	return async (dictionary) => {
		const { width, height, matrix } = await geometryOf(dictionary);
		const runs = new Runs(width, height);
		const page: Page = { source, fontOf, runs, formsLeft: MOST_FORMS };
		const text = { size: 0, charSpace: 0, wordSpace: 0, scale: 100, leading: 0, rise: 0 };
		const outside = new Content(page, new Dictionary(source), { ctm: matrix, ...text }, 0);
		await readContent(outside, dictionary, dictionary.get('/Contents'));
		return { width, height, runs: runs.all, isIncomplete: runs.isIncomplete };
	};
}
