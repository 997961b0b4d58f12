import type { IDataObject, IExecuteFunctions, INodeProperties } from 'n8n-workflow';
import { LENGTH } from '../../service/limits';
import { documentFilesDescription, readDocumentFiles, readFileChoice, type DocumentFiles } from './files';
import { checkEverySignerSigns, planFields } from './fields/recipients';
import { automatic, fieldEntries, fieldsJson, fieldsMode } from './fields/parameters';
import { hintAtOverlaps } from './fields/overlaps';
import { readFields } from './fields/read';
import { lastPageOf } from './fields/lastPage';
import { skipIfCreatedRule, skipIfCreatedWithin, unlessCreated, type ExistingDocument } from '../../runs/skipIfCreated';
import { givenParameter } from '../../parameters/checks/given';
import { Problems } from '../../parameters/checks/problems';
import { checkObject, checkValue, type PropertyRules } from '../../parameters/checks/rules';
import { titleProperty, titleRule } from '../../parameters/sending';
import { readRecipients, recipientsDescription } from './recipients';
import type { Document } from '../../client';
import { createDocument, isBegun, type CreatedDocument } from './createDocument';

/** How many requests a document takes: uploading its files, creating the draft, placing its fields, sending it. */
export function requestsFor(context: IExecuteFunctions, itemIndex: number, send: boolean): number {
	const given = (name: string) => context.getNodeParameter(name, itemIndex);
	const uploads = given('fileSource') === 'binary' ? String(given('binaryPropertyNames')).split(',').length : 0;
	return uploads + 1 + (given('fieldsInput') === 'none' ? 0 : 1) + (send ? 1 : 0);
}

const additionalFields: INodeProperties = {
	displayName: 'Additional Fields',
	name: 'additionalFields',
	type: 'collection',
	placeholder: 'Add Field',
	default: {},
	options: [
		{
			displayName: 'Routing',
			name: 'routing',
			type: 'options',
			options: [
				{ name: 'Parallel', value: 'parallel', description: 'Everyone is asked at once' },
				{ name: 'Sequential', value: 'sequential', description: 'One after the other, in the order of the list' },
			],
			default: 'parallel',
			description: 'In which order the recipients are asked',
		},
		skipIfCreatedWithin,
	],
};

const RULES: PropertyRules = {
	skipIfCreatedWithin: skipIfCreatedRule,
	routing: { label: 'Routing', type: 'choice', choices: ['parallel', 'sequential'] },
};

/** What both operations that make a document from files ask for. */
export const newDocumentProperties: INodeProperties[] = [
	...documentFilesDescription,
	{
		...titleProperty,
		placeholder: 'e.g. Service Agreement 2026',
		description:
			'The name of the document that recipients see, up to 160 characters. Leave empty for the name of the first file without its extension.',
	},
	...recipientsDescription,
	fieldsMode('automatic', 'form', 'json', 'none'),
	automatic,
	fieldEntries,
	fieldsJson,
	additionalFields,
];

/**
 * Checks everything that can be known here, then makes the document, and sends it if it is to go out. A refusal after the
 * draft exists would leave an orphan that no endpoint can delete.
 */
export async function makeDocument(
	context: IExecuteFunctions,
	itemIndex: number,
	{ send }: { send: boolean },
): Promise<CreatedDocument | ExistingDocument | Document> {
	const problems = new Problems();
	const given = givenParameter(context, itemIndex, additionalFields.name);
	const { skipIfCreatedWithin: withinHours, ...options } = checkObject(
		given,
		RULES,
		{ label: additionalFields.displayName, json: false },
		problems,
	);
	const title = checkValue(givenParameter(context, itemIndex, titleProperty.name), titleRule, 'Title', problems);
	const recipients = readRecipients(context, itemIndex, problems);
	const request = readFields(context, itemIndex, problems, { defaultPage: 'last' });
	const choice = readFileChoice(context, itemIndex, problems);
	// Files are large: they are not read for an item that is refused anyway.
	const files = problems.any ? { binary: [] } : await readDocumentFiles(context, itemIndex, choice);
	const fields = planFields(request, recipients, problems, await lastPageOf(request, files, problems));
	if (send && !problems.any) checkEverySignerSigns(fields, recipients, problems);
	problems.throwIfAny(context, itemIndex);

	hintAtOverlaps(context, itemIndex, fields);

	const document: IDataObject = { ...titleOf(title, files), ...options, recipients };
	const plan = { files, document, recipients, fields, send };
	return await unlessCreated(context, itemIndex, {
		withinHours: withinHours as number | undefined,
		likeness: async () => ({ title: document.title as string | undefined, recipients }),
		send,
		hasBegun: async () => await isBegun(context, itemIndex, plan),
		create: async () => await createDocument(context, itemIndex, plan),
	});
}

/** The title as given, or the name of the first file: without one the service calls the document "Untitled document". */
function titleOf(given: unknown, files: DocumentFiles): { title?: string } {
	if (given !== undefined) return { title: given as string };
	const name = 'binary' in files ? files.binary[0]?.name : undefined;
	const characters = [...(name ?? '').replace(/\.[^./\\]*$/, '').trim()];
	return characters.length === 0 ? {} : { title: characters.slice(0, LENGTH.title).join('') };
}
