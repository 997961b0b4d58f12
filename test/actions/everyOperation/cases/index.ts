import type { INodeExecutionData, INodeParameters } from 'n8n-workflow';
import type { ServiceClient } from '../../../support/serviceClient';
import { registered } from '../../support/registered';
import { byId, contract, peopleOf } from '../../support/workbench';
import { forBoth, type Case } from './case';
import { DOCUMENTS } from './documents';

export { filled, PIN, SIGNERS, type Case } from './case';

/** Two items about the NDA, with the placeholders of its roles. */
async function ndas(service: ServiceClient) {
	const templateId = await service.template('Mutual NDA');
	const { roles } = await service.api<{ roles: Array<{ id: string }> }>(
		'GET',
		`/templates/${templateId}`,
	);
	return await forBoth(async (signer) => ({
		...signer,
		templateId,
		open: roles[0]?.id,
		fixed: roles[1]?.id,
	}));
}

export const linksOf = async (service: ServiceClient) =>
	await forBoth(async (_, index) => {
		const templateId = await service.template('Mutual NDA');
		const { signers, label } = await service.linkBody(
			templateId,
			['Website', 'Newsletter'][index] ?? '',
		);
		const { id } = await service.api<{ id: string }>('POST', `/templates/${templateId}/links`, {
			signers,
			label,
		});
		return { templateLinkId: id, templateId };
	});

/** Nobody answers there. */
const webhooksOf = async (service: ServiceClient) =>
	await forBoth(async (_, index) => {
		const url = `http://127.0.0.1:${9 + index}/events`;
		return {
			webhookId: (await service.addEndpoint(url, ['document.sent', 'document.cancelled'])).id,
		};
	});

/**
 * The same, with three attempts of each to deliver two events: `deliveryId` is the newest, `before`
 * that of the other event.
 */
export async function deliveriesOf(service: ServiceClient) {
	const webhooks = await webhooksOf(service);
	await forBoth(async ({ email }) => await service.send('Contract', [String(email)]));
	await service.control.advance(60);
	const logs = webhooks.map(async ({ webhookId }) => {
		const [newest, ...older] = await service.deliveries(webhookId);
		const other = older.find(({ event_id }) => event_id !== newest?.event_id);
		return { webhookId, deliveryId: newest?.id, before: other?.id };
	});
	return await Promise.all(logs);
}

const ofLink = (call: string, output: object = {}): Case => ({
	items: linksOf,
	calls: [call],
	output: ({ templateLinkId: id }) => ({ id, ...output }),
});

/** Every operation. What holds for all of them is tested with these. */
export const CASES: Record<string, Case> = {
	'account:get': {
		calls: ['GET /account'],
		output: () => ({ mode: 'TEST', usage: { documents_used: 0 } }),
	},
	...DOCUMENTS,

	'template:get': {
		items: ndas,
		calls: ['GET /templates/{templateId}'],
		output: ({ templateId: id }) => ({ id }),
	},
	'template:getAll': {
		parameters: { limit: 1 },
		calls: ['GET /templates?limit=1'],
		output: () => ({ id: expect.stringMatching(/^tpl_/) as string }),
	},
	'template:send': {
		items: ndas,
		parameters: {
			...peopleOf(
				{ role: 'Client', name: '={{ $json.name }}', email: '={{ $json.email }}' },
				{ role: 'Company', name: 'Ltd', email: 'ltd@example.com', phone: '+1 5' },
			),
			fieldValues: {
				mappingMode: 'defineBelow',
				value: { client_company: '={{ $json.name }}', position: '' },
			},
			embed: true,
			embedOptions: { expiresIn: 300, redirectUrl: 'https://app.example.com/done' },
			additionalFields: { title: '={{ $json.name }}' },
		},
		once: ['GET /templates/{templateId}'],
		calls: ['POST /templates/{templateId}/send'],
		afterLoss: [
			'POST /documents/{id}/send',
			'POST /documents/{id}/recipients/{recipientId}/embed-link',
		],
		bodies: ({ name, email }) => [
			{
				recipients: [
					{ role: 'Client', name, email },
					{ role: 'Company', name: 'Ltd', email: 'ltd@example.com', phone: '+1 5' },
				],
				title: name,
				field_values: { client_company: name },
				send: true,
				embed: { expires_in: 300, redirect_url: 'https://app.example.com/done' },
			},
		],
		output: ({ name }) => ({ title: name, status: 'in_progress', embed_links: [{}, {}] }),
	},

	'templateLink:create': {
		items: async (service) => {
			const [first, second] = await ndas(service);
			return [
				{ ...first, label: 'A', expiresAt: '2030-01-31T18:00:00+02:00' },
				{ ...second, label: '', expiresAt: '2030-01-31' },
			];
		},
		parameters: {
			signers: {
				signer: [
					{
						placeholderId: '={{ $json.fixed }}',
						isOpen: false,
						name: '={{ $json.name }}',
						email: '={{ $json.email }}',
					},
					{ placeholderId: '={{ $json.open }}', isOpen: true },
				],
			},
			additionalFields: {
				label: '={{ $json.label }}',
				headline: 'Sign',
				message: 'Please',
				redirectUrl: 'https://example.com/thanks',
				expiresAt: '={{ $json.expiresAt }}',
				maxUses: 3,
			},
		},
		calls: ['POST /templates/{templateId}/links'],
		bodies: ({ open, fixed, name, email, label }) => [
			{
				signers: [
					{ placeholder_id: fixed, is_open: false, name, email },
					{ placeholder_id: open, is_open: true },
				],
				...(label === 'A' && { label }),
				headline: 'Sign',
				message: 'Please',
				redirect_url: 'https://example.com/thanks',
				expires_at: label === 'A' ? '2030-01-31T16:00:00.000Z' : '2030-01-31T05:00:00.000Z',
				max_uses: 3,
			},
		],
		output: ({ label }) => ({ label: label === 'A' ? label : null }),
	},
	'templateLink:get': ofLink('GET /template-links/{templateLinkId}'),
	// The list has no paging: the limit is applied here, to the newest.
	'templateLink:getAll': {
		items: linksOf,
		parameters: { limit: 1 },
		calls: ['GET /templates/{templateId}/links'],
		output: () => ({ label: 'Newsletter' }),
	},
	'templateLink:rotate': ofLink('POST /template-links/{templateLinkId}/rotate'),
	'templateLink:delete': ofLink('DELETE /template-links/{templateLinkId}', { deleted: true }),

	'webhook:create': {
		items: async () =>
			await Promise.resolve(
				['https://example.com/a', 'http://127.0.0.1:9/b'].map((url) => ({ url })),
			),
		parameters: { url: '={{ $json.url }}', events: ['document.sent', 'recipient.signed'] },
		calls: ['POST /webhooks'],
		bodies: ({ url }) => [{ url, events: ['document.sent', 'recipient.signed'] }],
		output: ({ url }) => ({ url, signing_secret: expect.stringMatching(/^whsec_/) as string }),
	},
	// As that of links.
	'webhook:getAll': {
		items: async (service) => {
			const webhooks = await webhooksOf(service);
			return webhooks.map(() => ({ newest: webhooks[1]?.webhookId }));
		},
		parameters: { limit: 1 },
		calls: ['GET /webhooks'],
		output: ({ newest }) => ({ id: newest }),
	},
	'webhook:delete': {
		items: webhooksOf,
		calls: ['DELETE /webhooks/{webhookId}'],
		output: ({ webhookId: id }) => ({ id, deleted: true }),
	},

	'webhookDelivery:getAll': {
		items: deliveriesOf,
		parameters: { limit: 1 },
		calls: ['GET /webhooks/{webhookId}/deliveries?limit=1'],
		output: ({ deliveryId: id }) => ({ id }),
	},
	'webhookDelivery:replay': {
		items: deliveriesOf,
		calls: ['POST /webhooks/{webhookId}/deliveries/{deliveryId}/replay'],
		output: () => ({ replayed: true }),
	},
	// Each event once, oldest first.
	'webhookDelivery:replayFailed': {
		items: deliveriesOf,
		calls: [
			'GET /webhooks/{webhookId}/deliveries?limit=100',
			'POST /webhooks/{webhookId}/deliveries/{before}/replay',
			'POST /webhooks/{webhookId}/deliveries/{deliveryId}/replay',
		],
		output: ({ before, deliveryId }) => [{ delivery_id: before }, { delivery_id: deliveryId }],
	},
};

/** Parameters and items of an operation's case, each item with a file of its own. */
export async function given(
	name: string,
	service: ServiceClient,
): Promise<{ parameters: INodeParameters; items: INodeExecutionData[] }> {
	const { items, parameters } = caseOf(name);
	const {
		resource = '',
		operation = '',
		description = [],
	} = registered.find((one) => one.name === name) ?? {};
	const rows = (await items?.(service)) ?? [{}, {}];
	const named = description
		.map(({ property }) => property)
		.filter(({ type }) => type === 'resourceLocator');
	const locators = named.filter((property) => property.name in (rows[0] ?? {}));
	return {
		parameters: {
			...{ resource, operation },
			...Object.fromEntries(
				locators.map((locator) => [locator.name, byId(`={{ $json.${locator.name} }}`)]),
			),
			...parameters,
		},
		items: await Promise.all(
			rows.map(async (json, index) => ({
				json,
				binary: { data: await contract(`Vertrag ü ${index}.pdf`) },
			})),
		),
	};
}

export function caseOf(name: string): Case {
	const found = CASES[name];
	if (!found) throw new Error(`There is no case of ${name}`);
	return found;
}
