import type { Item } from '../../../operation/parameters';
import type { DocumentFiles } from '../create/files';
import { isPlaced, readFilesText, readOriginal } from './documentText';
import { planFields } from './plan';
import type { FieldsWanted, PlannedField } from './planned';
import { asksForOriginal } from './read';

type Asked = Omit<FieldsWanted, 'document'>;

/**
 * The fields as far as the files tell where they are. `areInDraft`: the places are known only when
 * there is a draft.
 */
export async function planByFiles(item: Item, files: DocumentFiles, asked: Asked) {
	const document = await readFilesText(files, asked.request);
	const fields = await planFields(item, { ...asked, document });
	return { fields, areInDraft: asksForOriginal(asked.request) && !isPlaced(document) };
}

/**
 * The fields of a draft, placed by its `original`.
 *
 * @param expected what the words of the files have asked for
 * @throws NodeOperationError if they cannot be placed
 */
export async function planByDraft(
	item: Item,
	id: string,
	asked: Asked,
	expected: readonly PlannedField[],
): Promise<readonly PlannedField[]> {
	const { problems } = item;
	const document = await readOriginal(item, id, asked.request);
	const planned = await planFields(item, { ...asked, document });
	for (const { isTag, recipient, input } of expected) {
		const isThere = planned.some((one) => {
			return one.isTag && one.recipient === recipient && one.input.type === input.type;
		});
		if (!isTag || isThere || problems.any) continue;
		const tag = `[[${input.type.toLowerCase().replace('_', ' ')} ${Number(recipient) + 1}]]`;
		const what = `the tag ${tag} is in a file, but cannot be found in the PDF made of it`;
		problems.add('Automatic Placement > Use Tags', what, 'Check that it can be seen in the file');
	}
	// Other than before there was a draft, something was changed at the service.
	if (problems.any) throw item.error(...problems.told(''));
	return planned;
}
