import type { IDataObject } from 'n8n-workflow';
import type { Document } from '../../../client';
import { additionalFields, choice, title, type Item } from '../../../operation/parameters';
import { sendOnce } from '../../../sending/sendOnce';
import { MAX_LENGTH } from '../../../service/limits';
import { skipIfCreatedWithin } from '../../../operation/skipIfCreatedWithin';
import { fieldsDescription } from '../fields/parameters';
import { readFields } from '../fields/read';
import { checkEverySignerSigns } from '../fields/plan';
import { planByDraft, planByFiles } from '../fields/planDocument';
import { stepsToDocument } from './createDocument';
import { filesDescription, readFiles, type DocumentFiles } from './files';
import { readRecipients, recipients } from './recipients';

const howToSend = additionalFields(
	skipIfCreatedWithin,
	choice('routing', 'Routing', {
		options: [
			{ name: 'Parallel', value: 'parallel', description: 'Everyone is asked at once' },
			{
				name: 'Sequential',
				value: 'sequential',
				description: 'One after the other, in the order of the list',
			},
		],
		default: 'parallel',
		description: 'In which order the recipients are asked',
	}),
);

export const newDocumentDescription = [
	...filesDescription,
	title.with({
		placeholder: 'e.g. Service Agreement 2026',
		description:
			'The name of the document that recipients see, up to 160 characters. Leave empty for the name of the first file without its extension. A document made of uploaded files is then called "Untitled document".',
	}),
	...recipients.description,
	...fieldsDescription(['automatic', 'form', 'json', 'none'], true),
	howToSend,
];

/**
 * Checks everything that can be known first: a refusal after the draft exists leaves an orphan that
 * no endpoint can delete.
 */
export async function makeDocument(item: Item, { send }: { send: boolean }): Promise<Document> {
	const { problems } = item;
	const { skipIfCreatedWithin: withinHours, ...options } = item.read(howToSend);
	const givenTitle = item.read(title);
	const recipients = readRecipients(item);
	const request = readFields(item);
	const files = await readFiles(item);
	const { fields, areInDraft } = await planByFiles(item, files, { request, recipients });
	if (send && !problems.any) checkEverySignerSigns(fields, recipients, problems);
	item.check();

	const document: IDataObject = { ...titleOf(givenTitle, files), ...options, recipients };
	const place = async (id: string) => await planByDraft(item, id, { request, recipients }, fields);
	const inDraft = areInDraft ? { asked: request, place } : undefined;
	return await sendOnce(item, {
		...stepsToDocument(item, { files, document, recipients, fields, inDraft }),
		send,
		withinHours,
		title: document.title as string | undefined,
		emails: recipients.map(({ email }) => email),
	});
}

/**
 * The title as given, or the name of the first file: without one the service calls the document
 * "Untitled document".
 */
function titleOf(given: string | undefined, files: DocumentFiles): { title?: string } {
	if (given !== undefined) return { title: given };
	const name = 'binary' in files ? files.binary[0]?.name : undefined;
	const characters = [...(name ?? '').replace(/\.[^./\\]*$/, '').trim()];
	return characters.length === 0 ? {} : { title: characters.slice(0, MAX_LENGTH.title).join('') };
}
