import type { Objects } from '../objects/objects';
import { ifReadable } from '../objects/source';
import type { Dictionary, Value } from '../objects/values';
import { Content, type Page } from './content';
import { FontCache } from './fontCache';
import { geometryOf } from './geometry';
import { readContent } from './operators';
import { Runs, type TextRun } from './runs';
import { initialState } from './state';

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

/** Reads the text of pages, one after the other. */
export class TextReader {
	private readonly fonts: FontCache;

	constructor(private readonly objects: Objects) {
		this.fonts = new FontCache(objects);
	}

	/** @param dictionary of a page, with what it has from the nodes above it */
	async read(dictionary: Dictionary): Promise<PageText> {
		const { objects, fonts } = this;
		const { width, height, matrix } = await geometryOf(objects, dictionary);
		const runs = new Runs(width, height);
		const page: Page = { objects, fonts, runs, formsLeft: MOST_FORMS, isIncomplete: false };
		const isRead = await ifReadable(async () => {
			const resources = await objects.dictionary(dictionary.get('/Resources'));
			const content = await Content.open(page, resources, initialState(matrix));
			await readContent(content, contentsOf(objects, dictionary));
			return true;
		});
		const isIncomplete = !isRead || page.isIncomplete || runs.hasUnknown;
		return { width, height, runs: runs.all, isIncomplete };
	}
}

/** The content of a page: a stream, or several as one, but that no word spans two (7.7.3.3). */
async function* contentsOf(objects: Objects, page: Dictionary): AsyncGenerator<Buffer> {
	const contents = await objects.resolve(page.get('/Contents'));
	const parts: Array<Value | undefined> = Array.isArray(contents) ? contents : [contents];
	for (const part of parts) {
		yield* objects.pieces(part);
		yield Buffer.from('\n');
	}
}
