import type { IDataObject, IExecuteFunctions, INodeExecutionData, INodeProperties } from 'n8n-workflow';
import { givenParameter } from '../../parameters/checks/given';
import { idParameter, templateLocator } from '../../parameters/locators';
import type { OperationOption } from '../operation';
import { outputItems } from '../outputItems';
import { Problems } from '../../parameters/checks/problems';
import { checkObject, HTTPS_URI, type PropertyRules } from '../../parameters/checks/rules';
import { simplify, wantsSimple } from '../../parameters/simplify';
import { LENGTH, MOST_USES } from '../../service/limits';
import { apiRequest } from '../../client';
import { simpleLink } from './simpleLink';
import { readSigners, signersDescription } from './signers';

export const option = {
	name: 'Create',
	value: 'create',
	action: 'Create public template link',
	description:
		'Publish a template under a public URL. Everybody who has the URL can start a document from it, so do this only when asked to.',
} as const satisfies OperationOption;

export const once = true;

const RULES: PropertyRules = {
	label: { label: 'Label', type: 'string', max: LENGTH.linkLabel, mayBeNothing: true },
	headline: { label: 'Headline', type: 'string', max: LENGTH.linkHeadline, mayBeNothing: true },
	message: { label: 'Message', type: 'string', max: LENGTH.linkMessage, mayBeNothing: true },
	redirectUrl: {
		label: 'Redirect URL',
		type: 'string',
		max: LENGTH.linkRedirectUrl,
		mayBeNothing: true,
		pattern: HTTPS_URI,
		form: 'an address that starts with https://',
	},
	maxUses: { label: 'Max Uses', type: 'integer', min: 1, max: MOST_USES },
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
			description: 'The heading of the start page, up to 160 characters',
		},
		{
			displayName: 'Label',
			name: 'label',
			type: 'string',
			default: '',
			placeholder: 'e.g. Website footer',
			description: 'A name that only you see, to tell links apart, up to 120 characters',
		},
		{
			displayName: 'Max Uses',
			name: 'maxUses',
			type: 'number',
			typeOptions: { minValue: 1, numberPrecision: 0 },
			default: 100,
			description: 'The number of documents that visitors can start before the link stops working, from 1 to 100,000',
		},
		{
			displayName: 'Message',
			name: 'message',
			type: 'string',
			typeOptions: { rows: 3 },
			default: '',
			description: 'The text of the start page, up to 600 characters',
		},
		{
			displayName: 'Redirect URL',
			name: 'redirectUrl',
			type: 'string',
			default: '',
			placeholder: 'e.g. https://example.com/thanks',
			description: 'Where to redirect the visitor after signing. It must start with https.',
		},
	],
};

export const description: INodeProperties[] = [templateLocator, ...signersDescription, simplify, additionalFields];

/** POST /templates/{id}/links */
export async function execute(this: IExecuteFunctions, itemIndex: number): Promise<INodeExecutionData[]> {
	const problems = new Problems();
	const id = idParameter(this, itemIndex, templateLocator);
	const simple = wantsSimple(this, itemIndex);
	const signers = readSigners(this, itemIndex, problems);
	const given = givenParameter(this, itemIndex, additionalFields.name);
	const rules: PropertyRules = {
		...RULES,
		expiresAt: { label: 'Expires At', type: 'moment', timezone: this.getTimezone() },
	};
	const place = { label: additionalFields.displayName, json: false };
	const { redirectUrl, maxUses, expiresAt, ...texts } = checkObject(given, rules, place, problems);
	problems.throwIfAny(this, itemIndex);

	const body: IDataObject = {
		signers,
		...texts,
		...(redirectUrl !== undefined && { redirect_url: redirectUrl }),
		...(expiresAt !== undefined && { expires_at: expiresAt }),
		...(maxUses !== undefined && { max_uses: maxUses }),
	};
	const link = await apiRequest(this, 'POST /templates/{id}/links', { path: { id }, body, itemIndex });
	return outputItems(simple ? simpleLink(link) : link);
}
