import { readFont, type Font } from '../fonts';
import type { Objects } from '../objects/objects';
import { ifReadable } from '../objects/source';
import { Reference, type Dictionary, type Value } from '../objects/values';
import { Content, type Page, type State } from './content';
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

/** Reads the text of pages, one after the other. */
export class TextReader {
	/** Those that were used, so that each page does not read them again. */
	private readonly fonts = new Map<unknown, Font | undefined>();

	constructor(private readonly objects: Objects) {}

	/** @param dictionary of a page, with what it has from the nodes above it */
	async read(dictionary: Dictionary): Promise<PageText> {
		const { objects, fontOf } = this;
		const { width, height, matrix } = await geometryOf(objects, dictionary);
		const runs = new Runs(width, height);
		const page: Page = { objects, fontOf, runs, formsLeft: MOST_FORMS };
		const state: State = {
			ctm: matrix,
			size: 0,
			charSpace: 0,
			wordSpace: 0,
			scale: 100,
			leading: 0,
			rise: 0,
		};
		const outside = new Content(page, new Map(), state, 0);
		await readContent(outside, dictionary, dictionary.get('/Contents'));
		return { width, height, runs: runs.all, isIncomplete: runs.isIncomplete };
	}

	private readonly fontOf = async (value: Value | undefined): Promise<Font | undefined> => {
		const { fonts, objects } = this;
		const key = value instanceof Reference ? value.number : value;
		if (!fonts.has(key)) {
			const font = await ifReadable(async () => await readFont(objects, value));
			if (fonts.size >= MOST_FONTS) fonts.clear();
			fonts.set(key, font);
		}
		return fonts.get(key);
	};
}
