import {
	additionalFields,
	HTTPS_URI,
	integer,
	moment,
	simplify,
	templateLocator,
	text,
	type Item,
} from '../../operation/parameters';
import { asBody } from '../../operation/asBody';
import { MAX_LENGTH, MAX_USES } from '../../service/limits';
import { linkOutput } from './linkOutput';
import { readSigners, signers } from './signers';

export const option = {
	name: 'Create',
	value: 'create',
	action: 'Create public template link',
	description:
		'Publish a template under a public URL. Everybody who has the URL can start a document from it.',
};

const about = additionalFields(
	text('label', 'Label', {
		max: MAX_LENGTH.linkLabel,
		mayBeNothing: true,
		placeholder: 'e.g. Website footer',
		description: 'A name that only you see, to tell links apart, up to 120 characters',
	}),
	text('headline', 'Headline', {
		max: MAX_LENGTH.linkHeadline,
		mayBeNothing: true,
		placeholder: 'e.g. Sign our NDA',
		description: 'The heading of the start page, up to 160 characters',
	}),
	text('message', 'Message', {
		max: MAX_LENGTH.linkMessage,
		mayBeNothing: true,
		typeOptions: { rows: 3 },
		description: 'The text of the start page, up to 600 characters',
	}),
	text('redirectUrl', 'Redirect URL', {
		max: MAX_LENGTH.linkRedirectUrl,
		mayBeNothing: true,
		pattern: HTTPS_URI,
		form: 'an address that starts with https://',
		placeholder: 'e.g. https://example.com/thanks',
		description: 'Where to redirect the visitor after signing. It must start with https.',
	}),
	integer('maxUses', 'Max Uses', {
		min: 1,
		max: MAX_USES,
		default: 100,
		description:
			'The number of documents that visitors can start before the link stops working, from 1 to 100,000',
	}),
	moment('expiresAt', 'Expires At', {
		description:
			'When the link stops working, in the timezone of the workflow unless the value names one',
	}),
);

export const description = [templateLocator, ...signers.description, simplify, about];

export const endpoint = 'POST /templates/{id}/links';

export async function execute(item: Item) {
	const path = { id: item.read(templateLocator) };
	const toOutput = linkOutput(item);
	const body = { signers: readSigners(item), ...asBody(item.read(about)) };
	return toOutput(await item.call(endpoint, { path, body }));
}
