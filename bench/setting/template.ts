import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { byId, eSign } from './eSign';
import { httpRequest } from './httpRequest';
import type { Document, ServiceClient } from '../../test/support/serviceClient';
import type { ChainNode } from './workbench';

export interface Template {
	id: string;
	roles: Array<{ role: string; type: string }>;
}

/** A published template of the seed whose roles are all signers. */
export async function signerTemplate(service: ServiceClient): Promise<Template> {
	const { data } = await service.api<{ data: Template[] }>('GET', '/templates');
	const template = data.find(({ roles }) => roles.every(({ type }) => type === 'SIGNER'));
	if (!template) throw new Error('The seed has no template with signers only');
	return template;
}

/** What an upstream node would hand over for one contract. */
export function contract(index: number): IDataObject {
	return {
		title: `Contract ${index}`,
		name: `Customer ${index}`,
		email: `customer${index}@example.com`,
	};
}

/** Sends a document from the template, past n8n. */
export async function sendTemplate(
	service: ServiceClient,
	template: Template,
	title: string,
): Promise<Document> {
	const recipients = template.roles.map(({ role }, index) => ({
		role,
		name: `Signer ${index}`,
		email: `signer${index}@example.com`,
	}));
	return await service.api('POST', `/templates/${template.id}/send`, { title, recipients });
}

/** Our side: sends the template to the contract of each item, the other roles taken by us. */
export function eSignTemplateSend(template: Template): ChainNode {
	const value = recipientsOf(template).flatMap(({ role, name, email }) => [
		[`${role} name`, `=${name}`],
		[`${role} email`, `=${email}`],
	]);
	return eSign('template', 'send', {
		templateId: byId(template.id),
		recipientsInput: 'roles',
		people: {
			mappingMode: 'defineBelow',
			value: Object.fromEntries(value) as INodeParameters,
			schema: [],
		},
		additionalFields: { title: '={{ $json.title }}' },
	});
}

/** The same with the HTTP Request node. */
export function httpTemplateSend(
	service: ServiceClient,
	template: Template,
	options: IDataObject = {},
): ChainNode {
	const recipients = recipientsOf(template).map(
		({ role, name, email }) =>
			`{ role: '${role}', name: ${literal(name)}, email: ${literal(email)} }`,
	);
	return httpRequest('Send template', {
		method: 'POST',
		url: `${service.url}/templates/${template.id}/send`,
		json: `={{ { title: $json.title, recipients: [${recipients.join(', ')}] } }}`,
		options,
	});
}

/** The first role is the customer of the item, every other one is us. */
function recipientsOf({ roles }: Template) {
	return roles.map(({ role }, index) =>
		index === 0
			? { role, name: '{{ $json.name }}', email: '{{ $json.email }}' }
			: { role, name: `Colleague ${index}`, email: `colleague${index}@example.org` },
	);
}

/** The text inside a JavaScript expression: what stands in braces is one already. */
function literal(text: string): string {
	const expression = /^\{\{(.*)\}\}$/.exec(text)?.[1];
	return expression?.trim() ?? `'${text}'`;
}
