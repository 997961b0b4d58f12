import {
	tryToParseDateTime,
	type IDataObject,
	type IExecuteFunctions,
	type INodeExecutionData,
	type INodeProperties,
} from 'n8n-workflow';
import { idParameter, templateLocator } from '../parameters/locators';
import type { OperationOption } from '../operation';
import { outputItems } from '../outputItems';
import { Problems } from '../parameters/problems';
import { checkObject, HTTPS_URI, type PropertyRules } from '../parameters/rules';
import { apiRequest } from '../../transport';
import { readSigners, signersDescription } from './signers';

export const option = {
	name: 'Create',
	value: 'create',
	action: 'Create a template link',
	description:
		'Publish a template under a public URL. Everybody who has the URL can start a document from it, so do this only when asked to.',
} as const satisfies OperationOption;

export const once = true;

const RULES: PropertyRules = {
	label: { label: 'Label', type: 'string', max: 120 },
	headline: { label: 'Headline', type: 'string', max: 160 },
	message: { label: 'Message', type: 'string', max: 600 },
	redirectUrl: {
		label: 'Redirect URL',
		type: 'string',
		max: 500,
		pattern: HTTPS_URI,
		form: 'an address that starts with https://',
	},
	maxUses: { label: 'Max Uses', type: 'integer', min: 1, max: 100000 },
};

const additionalFields: INodeProperties = {
	displayName: 'Additional Fields',
	name: 'additionalFields',
	type: 'collection',
	placeholder: 'Add Field',
	default: {},
	options: [
		{
			displayName: 'Expires At',
			name: 'expiresAt',
			type: 'dateTime',
			default: '',
			description: 'When the link stops working, in the timezone of the workflow unless the value names one',
		},
		{
			displayName: 'Headline',
			name: 'headline',
			type: 'string',
			default: '',
			placeholder: 'e.g. Sign our NDA',
			description: 'What the start page says above, up to 160 characters',
		},
		{
			displayName: 'Label',
			name: 'label',
			type: 'string',
			default: '',
			placeholder: 'e.g. Website footer',
			description: 'A name for yourself by which to tell links apart, up to 120 characters',
		},
		{
			displayName: 'Max Uses',
			name: 'maxUses',
			type: 'number',
			typeOptions: { minValue: 1, numberPrecision: 0 },
			default: 100,
			description: 'After how many completed starts the link stops, from 1 to 100,000',
		},
		{
			displayName: 'Message',
			name: 'message',
			type: 'string',
			typeOptions: { rows: 3 },
			default: '',
			description: 'What the start page tells the visitor, up to 600 characters',
		},
		{
			displayName: 'Redirect URL',
			name: 'redirectUrl',
			type: 'string',
			default: '',
			placeholder: 'e.g. https://example.com/thanks',
			description: 'Where the visitor goes after signing. It must start with https.',
		},
	],
};

export const description: INodeProperties[] = [templateLocator, ...signersDescription, additionalFields];

/** POST /templates/{id}/links */
export async function execute(this: IExecuteFunctions, itemIndex: number): Promise<INodeExecutionData[]> {
	const problems = new Problems();
	const id = idParameter(this, itemIndex, templateLocator);
	const signers = readSigners(this, itemIndex, problems);
	const { expiresAt, ...given } = this.getNodeParameter(additionalFields.name, itemIndex, {}) as IDataObject;
	const place = { label: additionalFields.displayName, json: false };
	const { redirectUrl, maxUses, ...texts } = checkObject(given, RULES, place, problems);
	const expiry = expiresAt ? timestamp(expiresAt, this.getTimezone(), problems) : undefined;
	problems.throwIfAny(this, itemIndex);

	const body: IDataObject = {
		signers,
		...texts,
		...(redirectUrl !== undefined && { redirect_url: redirectUrl }),
		...(expiry !== undefined && { expires_at: expiry }),
		...(maxUses !== undefined && { max_uses: maxUses }),
	};
	return outputItems(await apiRequest(this, 'POST /templates/{id}/links', { path: { id }, body, itemIndex }));
}

function timestamp(value: unknown, timezone: string, problems: Problems): string | undefined {
	const parameter = `${additionalFields.displayName} > Expires At`;
	try {
		const at = tryToParseDateTime(value, timezone);
		return at.toUTC().toISO() ?? undefined;
	} catch {
		problems.add(parameter, `"${String(value)}" is no date and time`, 'Use one such as 2026-12-31T18:00:00');
		return undefined;
	}
}
