import type { IDataObject } from 'n8n-workflow';
import type { Document, EmbedLink } from '../../client';
import {
	additionalFields,
	collection,
	embedOptions,
	sendNotice,
	skipIfCreatedWithin,
	templateLocator,
	title,
	toggle,
	asBody,
	hintAtMade,
	type Item,
} from '../../operation';
import { sendOnce } from '../../sending/sendOnce';
import { fieldValues, readFieldValues } from './fieldValues';
import { readTemplateRecipients, recipients } from './recipients';
import { isSigner, readTemplate } from './templateFields';

export const option = {
	name: 'Send',
	value: 'send',
	action: 'Send document from template by email (billed)',
	description:
		'Make a document from a template with one recipient per role and prefilled fields, and send it unless Send is off. A live key is billed for it.',
};

const send = toggle('send', 'Send', {
	mandatory: true,
	default: true,
	description: 'Whether to send the document out for signature at once instead of keeping a draft',
});

const embed = toggle('embed', 'Create Embed Links', {
	displayOptions: { show: { send: [true] } },
	description:
		'Whether to return a short-lived URL per signer, with which they sign inside your own application. The workspace needs an allowed embed origin.',
});

const linkOptions = collection('embedOptions', 'Embed Options', embedOptions, {
	placeholder: 'Add Option',
	displayOptions: { show: { send: [true], embed: [true] } },
});

const about = additionalFields(
	skipIfCreatedWithin,
	title.with({
		placeholder: 'e.g. NDA with Example Ltd',
		description: `${title.property.description}. The template name if empty.`,
	}),
);

export const description = [
	templateLocator,
	...recipients.description,
	fieldValues,
	send,
	{ property: { ...sendNotice.property, displayOptions: { show: { send: [true] } } } },
	embed,
	linkOptions,
	about,
];

/** The template is read where values are given for its fields. */
export const endpoint = [
	'POST /templates/{id}/send',
	'GET /templates/{id}',
	'POST /documents/{id}/send',
	'POST /documents/{id}/recipients/{recipientId}/embed-link',
] as const;

export async function execute(item: Item) {
	const { problems } = item;
	const id = item.read(templateLocator);
	// An empty Send means do not send, also when a model left it out.
	const isToBeSent = item.read(send) === true;
	const isEmbedded = item.read(embed) === true;
	if (isEmbedded && !isToBeSent && !problems.any) {
		problems.add(
			embed.label,
			'a draft has no embed links',
			'Switch Send on, or Create Embed Links off',
		);
	}
	const { title, skipIfCreatedWithin: withinHours } = item.read(about);
	const links = isEmbedded ? asBody(item.read(linkOptions)) : undefined;
	const recipients = await readTemplateRecipients(item, id);
	const values = await readFieldValues(item, id, isToBeSent);
	item.check();

	// What is undefined is not sent.
	const field_values = Object.keys(values).length > 0 ? values : undefined;
	const body: IDataObject = { recipients, title, field_values, send: isToBeSent, embed: links };
	const [make] = endpoint;
	const path = { id };
	const draftBody = { ...body, send: false, embed: undefined };
	const created = await sendOnce(item, {
		asked: [id, body],
		send: isToBeSent,
		withinHours,
		title,
		titleOf: async () => (await readTemplate(item, id)).name,
		emails: recipients.map(({ email }) => String(email)),
		direct: async () => await item.call(make, { path, body }),
		draft: async () => await item.call(make, { path, body: draftBody }),
		complete: async (document) => {
			return links ? await withEmbedLinks(item, id, document, links) : document;
		},
	});
	await hintAtMade(item.context, created, isToBeSent);
	return created;
}

/**
 * One link for each signer; a cc has none. The service gives links by itself only with a document
 * that it sends in the same request.
 */
async function withEmbedLinks(
	item: Item,
	templateId: string,
	document: Document,
	body: IDataObject,
): Promise<Document> {
	const { roles } = await readTemplate(item, templateId);
	const signers = roles.filter(isSigner).map(({ role }) => role.toLowerCase());
	const { id, recipients } = document;
	const links: EmbedLink[] = [];
	for (const { id: recipientId, role } of recipients) {
		if (!signers.includes(role?.toLowerCase() ?? '')) continue;
		const { url, expires_at } = await item.call(endpoint[3], { path: { id, recipientId }, body });
		links.push({ recipient_id: recipientId, url, expires_at });
	}
	return Object.assign({}, document, { embed_links: links });
}
