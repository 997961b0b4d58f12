import type { INodeParameters } from 'n8n-workflow';
import type { Endpoint } from '../../../nodes/ESign/client';
import { byId } from './workbench';

/** The parameters of an operation over items that hold a request of its endpoint, as `{ path, body }`. */
const id = byId('={{ $json.path.id }}');

const linkId = byId('={{ $json.path.linkId }}');

/** Every endpoint of docs/service.md section 4 as a user calls it, on items that hold its requests. */
export const OPERATIONS: Record<Endpoint, INodeParameters> = {
	'GET /account': { resource: 'account', operation: 'get' },
	'GET /templates': { resource: 'template', operation: 'getAll', returnAll: true },
	'GET /templates/{id}': { resource: 'template', operation: 'get', templateId: id },
	'POST /templates/{id}/send': {
		resource: 'template',
		operation: 'send',
		templateId: id,
		recipientsInput: 'json',
		recipientsJson: '={{ $json.body.recipients }}',
		embed: true,
		embedOptions: { expiresIn: '={{ $json.body.embed.expires_in }}' },
	},
	'POST /files': { resource: 'file', operation: 'upload', binaryPropertyName: 'data' },
	'GET /documents': { resource: 'document', operation: 'getAll', returnAll: true },
	'POST /documents': {
		resource: 'document',
		operation: 'create',
		fieldsInput: 'none',
		fileSource: 'fileIds',
		fileIds: '={{ $json.body.files }}',
		recipientsInput: 'json',
		recipientsJson: '={{ $json.body.recipients }}',
	},
	'GET /documents/{id}': { resource: 'document', operation: 'get', documentId: id },
	'POST /documents/{id}/send': { resource: 'document', operation: 'send', documentId: id },
	'POST /documents/{id}/cancel': { resource: 'document', operation: 'cancel', documentId: id },
	'POST /documents/{id}/remind': { resource: 'document', operation: 'remind', documentId: id },
	'PUT /documents/{id}/recipients': {
		resource: 'document',
		operation: 'updateRecipients',
		documentId: id,
		recipientsInput: 'json',
		recipientsJson: '={{ $json.body.recipients }}',
	},
	'PUT /documents/{id}/fields': {
		resource: 'document',
		operation: 'updateFields',
		documentId: id,
		fieldsInput: 'automatic',
		automatic: { signers: 'ada@example.com' },
	},
	'GET /documents/{id}/files/{variant}': {
		resource: 'document',
		operation: 'download',
		documentId: id,
		variants: ['={{ $json.path.variant }}'],
	},
	'POST /documents/{id}/recipients/{recipientId}/embed-link': {
		resource: 'document',
		operation: 'createEmbedLink',
		documentId: id,
		recipientId: byId('={{ $json.path.recipientId }}'),
		additionalFields: { expiresIn: '={{ $json.body.expires_in }}' },
	},
	'POST /templates/{id}/links': {
		resource: 'templateLink',
		operation: 'create',
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
	'GET /templates/{id}/links': { resource: 'templateLink', operation: 'getAll', templateId: id, returnAll: true },
	'GET /template-links/{linkId}': { resource: 'templateLink', operation: 'get', templateLinkId: linkId },
	'POST /template-links/{linkId}/rotate': { resource: 'templateLink', operation: 'rotate', templateLinkId: linkId },
	'DELETE /template-links/{linkId}': { resource: 'templateLink', operation: 'delete', templateLinkId: linkId },
	'POST /webhooks': {
		resource: 'webhook',
		operation: 'create',
		url: '={{ $json.body.url }}',
		events: '={{ $json.body.events }}',
	},
	'GET /webhooks': { resource: 'webhook', operation: 'getAll', returnAll: true },
	'DELETE /webhooks/{id}': { resource: 'webhook', operation: 'delete', webhookId: id },
	'GET /webhooks/{id}/deliveries': { resource: 'webhookDelivery', operation: 'getAll', webhookId: id, limit: 100 },
	'POST /webhooks/{id}/deliveries/{deliveryId}/replay': {
		resource: 'webhookDelivery',
		operation: 'replay',
		webhookId: id,
		deliveryId: byId('={{ $json.path.deliveryId }}'),
	},
};
