import type { DocumentFiles } from '../files';
import type { PlannedField } from './recipients';
import { pageCount } from './pageCount';
import type { Problems } from '../../parameters/checks/problems';

const PARAMETER = 'Automatic Placement > Page';
const REMEDY = 'Choose First Page or Page Number there';

/**
 * Moves automatically placed fields to the last page, if that is asked for. The last page is known only if the files are
 * at hand and say how many pages they have: a guess could put a signature on the wrong page of a contract.
 */
export async function onLastPage(
	fields: readonly PlannedField[],
	files: DocumentFiles,
	problems: Problems,
): Promise<PlannedField[]> {
	if ('fileIds' in files) {
		problems.add(
			PARAMETER,
			'the page count of files given by ID is not known',
			`${REMEDY}, or use input binary fields`,
		);
		return [...fields];
	}
	let pageNumber = 0;
	for (const { name, bytes } of files.binary) {
		const count = await pageCount(bytes);
		if (count === undefined) {
			const what = `the number of pages of "${name}" cannot be told`;
			problems.add(PARAMETER, what, REMEDY);
		}
		pageNumber += count ?? 0;
	}
	return fields.map(({ input, ...field }) => ({ ...field, input: { ...input, pageNumber } }));
}
