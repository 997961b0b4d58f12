import type { DocumentFiles } from '../create/files';
import type { FieldsRequest } from './read';
import type { Problems } from '../../../parameters';
import { pageCount } from '../../../pdf';

const PARAMETER = 'Automatic Placement > Page';
const REMEDY = 'Choose First Page or Page Number there';

/**
 * The last page of the document that the files make, if fields are to go there. It is known only if the files are at hand
 * and say how many pages they have: a guess could put a signature on the wrong page of a contract.
 */
export async function lastPageOf(
	request: FieldsRequest,
	files: DocumentFiles,
	problems: Problems,
): Promise<number | undefined> {
	if (request.mode !== 'automatic' || request.automatic.page !== 'last') return undefined;
	if ('fileIds' in files) {
		const what = 'the page count of files given by ID is not known';
		problems.add(PARAMETER, what, `${REMEDY}, or use input binary fields`);
		return undefined;
	}
	let pages = 0;
	for (const { name, bytes } of files.binary) {
		const count = await pageCount(bytes);
		if (count === undefined) problems.add(PARAMETER, `the number of pages of "${name}" is not known`, REMEDY);
		pages += count ?? 0;
	}
	return pages;
}
