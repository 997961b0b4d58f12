import { asThrown, client, listed, readCallFailure } from '../../../client';
import { formatOf, type Item, type Refuse } from '../../../operation/parameters';
import { pageCount, textOf, type PageText } from '../../../pdf';
import type { DocumentFiles } from '../create/files';
import { asksForText, type FieldsRequest } from './request';
import { wordsOf } from './wordsOf';

/** What is known of the text of a document. */
export interface DocumentText {
	/** As messages name it, with the number of its pages. */
	name: string;
	/** Of all files that can be read, in their order. */
	pages: readonly PageText[];
	/** Whether there are files that cannot be read, and may have tags and texts, too. */
	isPartial: boolean;
	/** Whether the document has these pages: of a Word file the words are known, not their places. */
	isPlaced: boolean;
}

export const NO_TEXT: DocumentText = {
	name: 'the files',
	pages: [],
	isPartial: true,
	isPlaced: false,
};

const EMPTY: PageText = { width: 1, height: 1, runs: [], isIncomplete: false };
const UNREADABLE: PageText = { ...EMPTY, isIncomplete: true };

/** What the files themselves tell: without a request, and before there is a draft. */
export async function readFilesText(
	files: DocumentFiles,
	request: FieldsRequest,
): Promise<DocumentText> {
	if ('fileIds' in files) return NO_TEXT;
	const names: string[] = [];
	const all: PageText[] = [];
	let isPartial = false;
	let isPlaced = true;
	for (const { name, bytes } of files.binary) {
		const pages = await readPages(bytes, request);
		const isRead = pages.length > 0 && !pages.includes(UNREADABLE);
		const known = isRead || !asksForText(request) ? pages : await wordsOf(bytes);
		names.push(`"${name}"${counted(pages)}`);
		all.push(...known);
		isPartial ||= known.length === 0;
		isPlaced &&= isRead;
	}
	return { name: listed(names), pages: all, isPartial, isPlaced };
}

/**
 * What the draft's `original` tells (docs/service.md section 4, documents, rule 6): all files as
 * one PDF. The service may not have been able to make it.
 */
export async function readOriginal(
	item: Item,
	id: string,
	request: FieldsRequest,
): Promise<DocumentText> {
	let pages: readonly PageText[] = [];
	try {
		const bytes = await client.downloadBytes(item.context, {
			path: { id, variant: 'original' },
			itemIndex: item.index,
		});
		pages = await readPages(bytes, request);
	} catch (error) {
		if (readCallFailure(error).code !== 'original_not_available') throw asThrown(error);
	}
	return { name: `the document${counted(pages)}`, pages, isPartial: false, isPlaced: true };
}

/** None if they cannot be counted for certain. */
async function readPages(bytes: Buffer, request: FieldsRequest): Promise<readonly PageText[]> {
	if (formatOf(bytes) === 'picture') return [EMPTY];
	const count = (await pageCount(bytes)) ?? 0;
	if (count === 0 || !asksForText(request)) return Array<PageText>(count).fill(EMPTY);
	const pages = await textOf(bytes);
	return pages?.length === count ? pages : Array<PageText>(count).fill(UNREADABLE);
}

function counted(pages: readonly PageText[]): string {
	if (pages.length === 0) return '';
	return pages.length === 1 ? ' (1 page)' : ` (${pages.length} pages)`;
}

/** 0 if the number of pages is unknown: words of a Word file fill other pages than its PDF has. */
export function lastPage({ pages, isPlaced }: DocumentText): number {
	return isPlaced ? pages.length : 0;
}

/** Refuses a page behind the last one, if that is known. */
export function checkPage(page: number, document: DocumentText, refuse: Refuse): void {
	const last = lastPage(document);
	if (last === 0 || page <= last) return;
	const remedy = last === 1 ? 'Choose page 1' : `Choose a page from 1 to ${last}`;
	refuse(`the document has no page ${page}`, remedy);
}

/** Where texts are: on which pages, or in which files if that is all that is known. */
export function placesOf(
	{ name, isPlaced }: DocumentText,
	matches: ReadonlyArray<{ pageNumber: number }>,
): string {
	if (!isPlaced) return `in ${name}`;
	const numbers = [...new Set(matches.map(({ pageNumber }) => String(pageNumber)))];
	return `on ${numbers.length === 1 ? 'page' : 'pages'} ${listed(numbers)}`;
}

/** Where text may be that nobody can search; undefined if all of it is searched. */
export function unreadPlaces(document: DocumentText): string | undefined {
	const { name, pages } = document;
	const unread = pages.flatMap(({ isIncomplete }, index) =>
		isIncomplete ? [{ pageNumber: index + 1 }] : [],
	);
	if (unread.length === pages.length) return `in ${name}`;
	return unread.length === 0 ? undefined : placesOf(document, unread);
}
