import type { INodeParameters } from 'n8n-workflow';
import { resources } from '../../../nodes/ESign/actions';
import type { Operation } from '../../../nodes/ESign/actions/operation';
import type { Endpoint } from '../../../nodes/ESign/client';
import { byId } from './workbench';

/** Every operation of the package, with the endpoints that it names. */
export const registered = resources.flatMap(({ option: resource, operations }) =>
	(operations as readonly Operation[]).map(({ option, endpoint, description }) => ({
		resource: resource.value,
		operation: option.value,
		name: `${resource.value}:${option.value}`,
		labels: [resource.name, option.name],
		endpoints: [endpoint].flat() as Endpoint[],
		description,
	})),
);

/** The operation that is there for an endpoint: the one that needs no other if there is one. */
export function operationOf(endpoint: Endpoint) {
	const itsOwn = registered.filter(({ endpoints }) => endpoints[0] === endpoint);
	return itsOwn.find(({ endpoints }) => endpoints.length === 1) ?? itsOwn[0];
}

/** The parameters of an operation over items that hold a request of its endpoint, as `{ path, body }`. */
const id = byId('={{ $json.path.id }}');

const linkId = byId('={{ $json.path.linkId }}');

const PARAMETERS: Record<Endpoint, INodeParameters> = {
	'GET /account': {},
	'GET /templates': { returnAll: true },
	'GET /templates/{id}': { templateId: id },
	'POST /templates/{id}/send': {
		templateId: id,
		recipientsInput: 'json',
		recipientsJson: '={{ $json.body.recipients }}',
		embed: true,
		embedOptions: { expiresIn: '={{ $json.body.embed.expires_in }}' },
	},
	'POST /files': { binaryPropertyName: 'data' },
	'GET /documents': { returnAll: true },
	'POST /documents': {
		fieldsInput: 'none',
		fileSource: 'fileIds',
		fileIds: '={{ $json.body.files }}',
		recipientsInput: 'json',
		recipientsJson: '={{ $json.body.recipients }}',
	},
	'GET /documents/{id}': { documentId: id },
	'POST /documents/{id}/send': { documentId: id },
	'POST /documents/{id}/cancel': { documentId: id },
	'POST /documents/{id}/remind': { documentId: id },
	'PUT /documents/{id}/recipients': {
		documentId: id,
		recipientsInput: 'json',
		recipientsJson: '={{ $json.body.recipients }}',
	},
	'PUT /documents/{id}/fields': {
		documentId: id,
		fieldsInput: 'automatic',
		automatic: { signers: 'ada@example.com' },
	},
	'GET /documents/{id}/files/{variant}': {
		documentId: id,
		variants: ['={{ $json.path.variant }}'],
	},
	'POST /documents/{id}/recipients/{recipientId}/embed-link': {
		documentId: id,
		recipientId: byId('={{ $json.path.recipientId }}'),
		additionalFields: { expiresIn: '={{ $json.body.expires_in }}' },
	},
	'POST /templates/{id}/links': {
		templateId: id,
		signersInput: 'json',
		signersJson:
			'={{ $json.body.signers.map(({ placeholder_id, is_open, ...person }) => ({ placeholderId: placeholder_id, isOpen: is_open, ...person })) }}',
		additionalFields: {
			label: '={{ $json.body.label }}',
			maxUses: '={{ $json.body.max_uses }}',
			expiresAt: '={{ $json.body.expires_at }}',
		},
	},
	'GET /templates/{id}/links': { templateId: id, returnAll: true },
	'GET /template-links/{linkId}': { templateLinkId: linkId },
	'POST /template-links/{linkId}/rotate': { templateLinkId: linkId },
	'DELETE /template-links/{linkId}': { templateLinkId: linkId },
	'POST /webhooks': {
		url: '={{ $json.body.url }}',
		events: '={{ $json.body.events }}',
	},
	'GET /webhooks': { returnAll: true },
	'DELETE /webhooks/{id}': { webhookId: id },
	'GET /webhooks/{id}/deliveries': { webhookId: id, limit: 100 },
	'POST /webhooks/{id}/deliveries/{deliveryId}/replay': {
		webhookId: id,
		deliveryId: byId('={{ $json.path.deliveryId }}'),
	},
};

/** Every endpoint of docs/service.md section 4 as a user calls it, on items that hold its requests. */
export const OPERATIONS = Object.fromEntries<INodeParameters>(
	Object.entries(PARAMETERS).map(([endpoint, parameters]) => {
		const { resource = '', operation = '' } = operationOf(endpoint as Endpoint) ?? {};
		return [endpoint, { resource, operation, ...parameters }];
	}),
) as Record<Endpoint, INodeParameters>;
