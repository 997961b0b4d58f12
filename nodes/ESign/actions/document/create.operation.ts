import type { IDataObject, IExecuteFunctions, INodeExecutionData, INodeProperties } from 'n8n-workflow';
import { LENGTH } from '../../service/limits';
import { documentFilesDescription, readDocumentFiles, readFileChoice, type DocumentFiles } from './files';
import { checkEverySignerSigns, planFields } from './fields/recipients';
import { automatic, fieldEntries, fieldsJson, fieldsMode } from './fields/parameters';
import { hintAtOverlaps } from './fields/overlaps';
import { readFields } from './fields/read';
import { onLastPage } from './fields/lastPage';
import type { OperationOption } from '../operation';
import { skipIfCreatedRule, skipIfCreatedWithin, unlessCreated } from '../skipIfCreated';
import { outputItems } from '../outputItems';
import { givenParameter } from '../parameters/checks/given';
import { Problems } from '../parameters/checks/problems';
import { checkObject, checkValue, type PropertyRules } from '../parameters/checks/rules';
import { sendNotice, titleProperty, titleRule } from '../parameters/sending';
import { readRecipients, recipientsDescription } from './recipients';
import { createDocument, hasDraft } from './createDocument';

export const option = {
	name: 'Create',
	value: 'create',
	action: 'Create and send document (billed)',
	description:
		'Make a document from PDF, Word or image files with recipients and signature fields, as a draft, or sent out at once if Send is on. Switch Send on only when asked to send: recipients are written to and it is billed. For a contract that exists as a template, use Send of Template.',
} as const satisfies OperationOption;

export const once = true;

/** Uploading the files, creating the draft, placing its fields, sending it. */
export function requests(this: IExecuteFunctions, itemIndex: number): number {
	const given = (name: string) => this.getNodeParameter(name, itemIndex);
	const uploads = given('fileSource') === 'binary' ? String(given('binaryPropertyNames')).split(',').length : 0;
	if (given('fieldsInput') === 'none') return uploads + 1;
	return uploads + (given('send') === true ? 3 : 2);
}

const additionalFields: INodeProperties = {
	displayName: 'Additional Fields',
	name: 'additionalFields',
	type: 'collection',
	placeholder: 'Add Option',
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

export const description: INodeProperties[] = [
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
	{
		displayName: 'Send',
		name: 'send',
		type: 'boolean',
		default: false,
		description: 'Whether to send the document out for signature at once instead of keeping a draft',
	},
	{ ...sendNotice, displayOptions: { show: { send: [true] } } },
	additionalFields,
];

/**
 * Checks everything that can be known here, then makes the document: POST /files and POST /documents, with PUT fields and
 * POST send as needed. A refusal after the draft exists would leave an orphan that no endpoint can delete.
 */
export async function execute(this: IExecuteFunctions, itemIndex: number): Promise<INodeExecutionData[]> {
	const problems = new Problems();
	const given = givenParameter(this, itemIndex, additionalFields.name);
	const { skipIfCreatedWithin: withinHours, ...options } = checkObject(
		given,
		RULES,
		{ label: additionalFields.displayName, json: false },
		problems,
	);
	const title = checkValue(givenParameter(this, itemIndex, titleProperty.name), titleRule, 'Title', problems);
	const send = checkValue(
		givenParameter(this, itemIndex, 'send'),
		{ label: 'Send', type: 'boolean' },
		'Send',
		problems,
	);
	const recipients = readRecipients(this, itemIndex, problems);
	const request = readFields(this, itemIndex, problems, { defaultPage: 'last' });
	const choice = readFileChoice(this, itemIndex, problems);
	const planned = planFields(request, recipients, problems);
	if (send && !problems.any) checkEverySignerSigns(planned, recipients, problems);
	// Files are large: they are not read for an item that is refused anyway.
	problems.throwIfAny(this, itemIndex);
	const files = await readDocumentFiles(this, itemIndex, choice);
	const toLastPage = request.mode === 'automatic' && request.automatic.page === 'last';
	const fields = toLastPage ? await onLastPage(planned, files, problems) : planned;
	problems.throwIfAny(this, itemIndex);

	hintAtOverlaps(this, itemIndex, fields);

	const document: IDataObject = { ...titleOf(title, files), ...options, recipients };
	const plan = { files, document, recipients, fields, send: send === true };
	const created = await unlessCreated(this, itemIndex, {
		withinHours: withinHours as number | undefined,
		likeness: async () => ({ title: document.title as string | undefined, recipients }),
		send: plan.send,
		hasBegun: async () => await hasDraft(this, itemIndex),
		create: async (sends) => await createDocument(this, itemIndex, plan, sends),
	});
	return outputItems(created);
}

/** The title as given, or the name of the first file: without one the service calls the document "Untitled document". */
function titleOf(given: unknown, files: DocumentFiles): { title?: string } {
	if (given !== undefined) return { title: given as string };
	const name = 'binary' in files ? files.binary[0]?.name : undefined;
	const characters = [...(name ?? '').replace(/\.[^./\\]*$/, '').trim()];
	return characters.length === 0 ? {} : { title: characters.slice(0, LENGTH.title).join('') };
}
