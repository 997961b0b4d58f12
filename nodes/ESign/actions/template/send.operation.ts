import type { IDataObject, IExecuteFunctions, INodeExecutionData, INodeProperties } from 'n8n-workflow';
import { embedOptionProperties, readEmbedOptions } from '../../parameters/embedOptions';
import { givenParameter } from '../../parameters/checks/given';
import { hintAtDraft, hintAtTestKey } from '../hints';
import { idParameter, templateLocator } from '../../parameters/locators';
import type { OperationOption } from '../operation';
import { skipIfCreatedRule, skipIfCreatedWithin, unlessCreated } from '../../runs/skipIfCreated';
import { outputItems } from '../outputItems';
import { Problems } from '../../parameters/checks/problems';
import { checkObject, checkValue } from '../../parameters/checks/rules';
import { sendNotice, titleProperty, titleRule } from '../../parameters/sending';
import { apiRequest, isUnfinished } from '../../client';
import { fieldValues, readFieldValues } from './fieldValues';
import { readTemplate } from './templateFields';
import { readTemplateRecipients, templateRecipientsDescription } from './recipients';

export const option = {
	name: 'Send',
	value: 'send',
	action: 'Send document from template by email (billed)',
	description:
		'Make a document from a template with one recipient per role and prefilled fields, and send it out for signature unless Send is off. Recipients are asked to sign a legally binding document and a live key is billed for it, so do this only when asked to.',
} as const satisfies OperationOption;

export const once = true;

export const requests = () => 1;

const embedOptions: INodeProperties = {
	displayName: 'Embed Options',
	name: 'embedOptions',
	type: 'collection',
	placeholder: 'Add Option',
	default: {},
	displayOptions: { show: { send: [true], embed: [true] } },
	options: embedOptionProperties,
};

const additionalFields: INodeProperties = {
	displayName: 'Additional Fields',
	name: 'additionalFields',
	type: 'collection',
	placeholder: 'Add Field',
	default: {},
	options: [
		skipIfCreatedWithin,
		{
			...titleProperty,
			placeholder: 'e.g. NDA with Example Ltd',
			description: `${titleProperty.description}. The template name if empty.`,
		},
	],
};

export const description: INodeProperties[] = [
	templateLocator,
	...templateRecipientsDescription,
	fieldValues,
	{
		displayName: 'Send',
		name: 'send',
		type: 'boolean',
		default: true,
		description: 'Whether to send the document out for signature at once instead of keeping a draft',
	},
	{ ...sendNotice, displayOptions: { show: { send: [true] } } },
	{
		displayName: 'Create Embed Links',
		name: 'embed',
		type: 'boolean',
		default: false,
		displayOptions: { show: { send: [true] } },
		description:
			'Whether to return a short-lived URL per signer, with which they sign inside your own application. The workspace needs an allowed embed origin.',
	},
	embedOptions,
	additionalFields,
];

/** POST /templates/{id}/send */
export async function execute(this: IExecuteFunctions, itemIndex: number): Promise<INodeExecutionData[]> {
	const problems = new Problems();
	const id = idParameter(this, itemIndex, templateLocator);
	const toggle = (name: string, label: string, required: boolean) =>
		checkValue(givenParameter(this, itemIndex, name), { label, type: 'boolean', required }, label, problems);
	// Nothing is no order to send, not even when a model left it out.
	const send = toggle('send', 'Send', true) === true;
	const embed = toggle('embed', 'Create Embed Links', false) === true;
	if (embed && !send && !problems.any) {
		problems.add('Create Embed Links', 'a draft has no embed links', 'Switch Send on, or Create Embed Links off');
	}
	const given = givenParameter(this, itemIndex, additionalFields.name);
	const place = { label: additionalFields.displayName, json: false };
	const rules = { skipIfCreatedWithin: skipIfCreatedRule, title: titleRule };
	const { title, skipIfCreatedWithin: withinHours } = checkObject(given, rules, place, problems);
	const links = embed
		? readEmbedOptions(givenParameter(this, itemIndex, embedOptions.name), embedOptions.displayName, problems)
		: undefined;
	const recipients = await readTemplateRecipients(this, itemIndex, id, problems);
	const values = await readFieldValues(this, itemIndex, id, problems);
	problems.throwIfAny(this, itemIndex);

	const body: IDataObject = {
		recipients,
		...(title !== undefined && { title }),
		...(Object.keys(values).length > 0 && { field_values: values }),
		send,
		...(links && { embed: links }),
	};
	const request = { path: { id }, body, itemIndex };
	const created = await unlessCreated(this, itemIndex, {
		withinHours: withinHours as number | undefined,
		likeness: async () => ({
			title: (title as string | undefined) ?? (await readTemplate(this, itemIndex, id)).name,
			recipients,
		}),
		send,
		hasBegun: async () => await isUnfinished(this, 'POST /templates/{id}/send', request),
		create: async () => await apiRequest(this, 'POST /templates/{id}/send', request),
	});
	if (send) await hintAtTestKey(this);
	else hintAtDraft(this, created);
	return outputItems(created);
}
