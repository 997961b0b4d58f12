import type { DocumentFiles } from '../create/files';
import type { FieldsRequest } from './read';
import { formatOf, type Problems } from '../../../operation/parameters';
import { pageCount } from '../../../pdf';

const PARAMETER = 'Automatic Placement > Page';
const REMEDY = 'Choose First Page or Page Number there';

/**
 * How many pages the files make, if fields are to go on the last one or behind the first. It is
 * known only if the files are at hand and say it: a guess could put a signature on the wrong page
 * of a contract. A page behind the last one is refused.
 */
export async function countPages(
	request: FieldsRequest,
	files: DocumentFiles,
	problems: Problems,
): Promise<number | undefined> {
	const wanted = pagesWanted(request);
	const isLast = wanted.some(({ page }) => page === 'last');
	if (!isLast && !wanted.some(({ page }) => Number(page) > 1)) return undefined;
	if ('fileIds' in files) {
		const what = 'the page count of files given by ID is not known';
		if (isLast) problems.add(PARAMETER, what, `${REMEDY}, or use input binary fields`);
		return undefined;
	}
	let pages = 0;
	for (const { name, bytes } of files.binary) {
		const count = await pageCount(bytes);
		if (count === undefined && isLast) {
			const what = isProtected(bytes)
				? `"${name}" is protected, so its pages cannot be counted`
				: `the number of pages of "${name}" is not known`;
			problems.add(PARAMETER, what, REMEDY);
		}
		pages += count ?? NaN;
	}
	for (const { page, parameter } of pages === 0 ? [] : wanted) {
		const remedy = pages === 1 ? 'Choose page 1' : `Choose a page from 1 to ${pages}`;
		if (Number(page) > pages) problems.add(parameter, `the document has no page ${page}`, remedy);
	}
	return pages;
}

/** Whether a PDF has a password, if only against changes: that stands in it unprotected. */
function isProtected(bytes: Buffer): boolean {
	return formatOf(bytes) === 'pdf' && bytes.includes('/Encrypt');
}

function pagesWanted(request: FieldsRequest): Array<{ page: number | 'last'; parameter: string }> {
	if (request.mode === 'none') return [];
	const parameter = 'Automatic Placement > Page Number';
	if (request.mode === 'automatic') return [{ page: request.automatic.page, parameter }];
	return request.fields.map(({ pageNumber }, index) => ({
		page: pageNumber,
		parameter: `${request.label} > ${index + 1}`,
	}));
}
