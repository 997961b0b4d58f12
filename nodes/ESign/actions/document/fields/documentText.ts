import { client, listed, readCallFailure, asThrown } from '../../../client';
import type { Item, Problems } from '../../../operation/parameters';
import { pageCount, textOf, type PageText } from '../../../pdf';
import type { DocumentFiles } from '../create/files';
import { asksForText, type FieldsRequest } from './read';
import { isSearchable } from './text/flow';
import { wordsOf } from './word/wordsOf';

/** A file of a document as far as it is known. */
interface FileText {
	/** As messages name it. */
	name: string;
	/** Undefined if nobody knows how many there are. */
	pages?: readonly PageText[];
	/** Whether the document has these pages: of a Word file the words are known, not their places. */
	isPlaced: boolean;
}

/** The files of a document in their order; their pages count on. */
export type DocumentText = readonly FileText[];

const EMPTY: PageText = { width: 1, height: 1, runs: [], isIncomplete: false };
const UNREADABLE: PageText = { ...EMPTY, isIncomplete: true };

/** A PDF begins before (nodes/ESign/pdf). */
const FARTHEST_BEGINNING = 1024;

/** What the files themselves tell: without a request, and before there is a draft. */
export async function readFilesText(
	files: DocumentFiles,
	request: FieldsRequest,
): Promise<DocumentText> {
	if (request.mode === 'none') return [];
	if ('fileIds' in files) return [{ name: 'the files', isPlaced: false }];
	const read: FileText[] = [];
	for (const { name, bytes } of files.binary) {
		const pages = await readPages(bytes, asksForText(request));
		const words = pages || !asksForText(request) ? undefined : await wordsOf(bytes);
		read.push({ name: `"${name}"`, pages: pages ?? words, isPlaced: pages !== undefined });
	}
	return read;
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
	const name = 'the document';
	const path = { id, variant: 'original' };
	try {
		const { url } = await item.call('GET /documents/{id}/files/{variant}', { path });
		const bytes = await client.downloadBytes(item.context, url, name, item.index);
		const count = (await pageCount(bytes)) ?? 0;
		const pages = await readPages(bytes, asksForText(request));
		const unreadable = count > 0 ? Array<PageText>(count).fill(UNREADABLE) : undefined;
		return [{ name, pages: pages ?? unreadable, isPlaced: true }];
	} catch (error) {
		if (readCallFailure(error).code !== 'original_not_available') throw asThrown(error);
		return [{ name, isPlaced: true }];
	}
}

/** Undefined if they cannot be counted for certain, or their text is wanted and cannot be read. */
async function readPages(
	bytes: Buffer,
	isTextWanted: boolean,
): Promise<readonly PageText[] | undefined> {
	const count = await pageCount(bytes);
	const isPdf = bytes.subarray(0, FARTHEST_BEGINNING).includes('%PDF-');
	if (count === undefined) return undefined;
	if (!isPdf || !isTextWanted) return Array<PageText>(count).fill(EMPTY);
	const pages = await textOf(bytes);
	return pages?.length === count ? pages : undefined;
}

/** All pages; a file of which nobody knows the pages has none. */
export function pagesOf(document: DocumentText): readonly PageText[] {
	return document.flatMap(({ pages = [] }) => pages);
}

/** Undefined if nobody knows how many there are. */
export function countPages(document: DocumentText): number | undefined {
	const isKnown = document.every(({ pages }) => pages !== undefined);
	return isKnown && document.length > 0 ? pagesOf(document).length : undefined;
}

/** Whether the pages are those of the document, and not the words of a Word file. */
export function isPlaced(document: DocumentText): boolean {
	return document.every((file) => file.isPlaced);
}

/** Refuses a page behind the last one, if that is known. */
export function checkPage(
	page: number,
	last: number | undefined,
	parameter: string,
	problems: Problems,
): void {
	if (last === undefined || page <= last) return;
	const remedy = last === 1 ? 'Choose page 1' : `Choose a page from 1 to ${last}`;
	problems.add(parameter, `the document has no page ${page}`, remedy);
}

/** Where a text is: on which pages, or in which file if that is all that is known. */
export function placesOf(document: DocumentText, numbers: readonly number[]): string {
	const pages = [...new Set(numbers)];
	if (isPlaced(document)) {
		return `on ${pages.length === 1 ? 'page' : 'pages'} ${listed(pages.map(String))}`;
	}
	let before = 0;
	const names = document.filter(({ pages: own = [] }) => {
		const first = before + 1;
		before += own.length;
		return pages.some((page) => page >= first && page <= before);
	});
	return `in ${filesOf(names)}`;
}

/** Where text may be that nobody can search; undefined if all of it is searched. */
export function unreadPlaces(document: DocumentText): string | undefined {
	const pages = pagesOf(document);
	const unread = pages.flatMap((page, index) => (isSearchable(page) ? [] : [index + 1]));
	if (unread.length > 0 && unread.length < pages.length) return placesOf(document, unread);
	const isRead = unread.length === 0 && countPages(document) !== undefined;
	return isRead ? undefined : `in ${filesOf(document)}`;
}

export function filesOf(document: DocumentText): string {
	const names = document.map(({ name, pages = [], isPlaced }) => {
		if (!isPlaced || pages.length === 0) return name;
		return `${name} (${pages.length === 1 ? '1 page' : `${pages.length} pages`})`;
	});
	return listed(names);
}
