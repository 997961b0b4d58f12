import type { IDataObject, INodeProperties } from 'n8n-workflow';
import { EMBED_LINK_SECONDS, LENGTH } from '../service/limits';
import type { Given } from './checks/given';
import type { Problems } from './checks/problems';
import { checkObject, HTTPS_URI, type PropertyRules } from './checks/rules';

const RULES: PropertyRules = {
	expiresIn: { label: 'Expires In', type: 'integer', ...EMBED_LINK_SECONDS },
	redirectUrl: {
		label: 'Redirect URL',
		type: 'string',
		max: LENGTH.embedRedirectUrl,
		mayBeNothing: true,
		pattern: HTTPS_URI,
		form: 'an address that starts with https://',
	},
};

/** What an embed link may be given (docs/service.md section 4). */
export const embedOptionProperties: INodeProperties[] = [
	{
		displayName: 'Expires In',
		name: 'expiresIn',
		type: 'number',
		typeOptions: { minValue: 60, numberPrecision: 0 },
		default: 900,
		hint: 'In seconds',
		description: 'How many seconds the link lasts, from 60 to 3,600',
	},
	{
		displayName: 'Redirect URL',
		name: 'redirectUrl',
		type: 'string',
		default: '',
		placeholder: 'e.g. https://app.example.com/signed',
		description: 'Where to redirect the signer after signing. It must start with https.',
	},
];

/** Checks the options of an embed link and returns them as the service takes them. */
export function readEmbedOptions(given: Given, label: string, problems: Problems): IDataObject {
	const { expiresIn, redirectUrl } = checkObject(given, RULES, { label, json: false }, problems);
	return {
		...(expiresIn !== undefined && { expires_in: expiresIn }),
		...(redirectUrl !== undefined && { redirect_url: redirectUrl }),
	};
}
