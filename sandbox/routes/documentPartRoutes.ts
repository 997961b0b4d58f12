import { exclusively } from '../documents/exclusive';
import { replaceFields } from '../documents/fields/placing';
import { requireDocument } from '../documents/transitions';
import { replaceRecipients, requireRecipient } from '../documents/recipients';
import { DOWNLOAD_SECONDS, type DownloadUrls } from '../documents/files/downloadUrls';
import { createEmbedLink } from '../documents/embedLinks';
import { route } from '../http/route';
import { rawRecipientsWire, replacedFieldsWire } from './wire';
import {
	downloadSchema,
	embedLinkSchema,
	replacedFieldsSchema,
	replacedRecipientsSchema,
} from '../schemas/documentAnswers';
import { fileVariantSchema } from '../schemas/enums';
import {
	embedOptions,
	replaceFieldsBody,
	replaceRecipientsBody,
} from '../schemas/documentRequests';
import type { FileVariant } from '../state/vocabulary';
import type { World } from '../state/world';

const tag = 'Documents';

/** What belongs to one document: its recipients, fields, files and embed links. */
export function documentPartRoutes(world: World, downloads: DownloadUrls) {
	return [
		route({
			method: 'PUT',
			path: '/documents/{id}/recipients',
			operationId: 'replaceRecipients',
			scope: 'documents:write',
			summary:
				'Replaces all recipients of a draft, and answers with their statuses in the internal form',
			tag,
			body: replaceRecipientsBody,
			status: 200,
			response: replacedRecipientsSchema,
			errors: [
				'document_not_found',
				'document_not_draft',
				'max_recipients_exceeded',
				'duplicate_email',
			],
			handle: async ({ mode, path, body }) => {
				const document = requireDocument(world, path.id ?? '', mode);
				await exclusively(document, () =>
					replaceRecipients(world.state, document, body.recipients),
				);
				return { recipients: rawRecipientsWire(document) };
			},
		}),
		route({
			method: 'PUT',
			path: '/documents/{id}/fields',
			operationId: 'replaceFields',
			scope: 'documents:write',
			summary: 'Replaces all fields of a draft, each of which gets a new id',
			tag,
			body: replaceFieldsBody,
			status: 200,
			response: replacedFieldsSchema,
			errors: ['document_not_found', 'document_not_draft', 'field_out_of_bounds'],
			handle: async ({ mode, path, body }) => {
				const document = requireDocument(world, path.id ?? '', mode);
				await exclusively(document, () => replaceFields(document, body.fields));
				return replacedFieldsWire(document);
			},
		}),
		route({
			method: 'GET',
			path: '/documents/{id}/files/{variant}',
			operationId: 'getDocumentFile',
			params: { variant: fileVariantSchema },
			scope: 'documents:read',
			summary:
				'Gets an address of the signed PDF, the certificate or the original, which works for 600 seconds without a key',
			tag,
			status: 200,
			response: downloadSchema,
			errors: [
				'document_not_found',
				'signed_not_available',
				'certificate_not_available',
				'original_not_available',
			],
			handle: ({ mode, path }) => {
				const variant = path.variant as FileVariant;
				const document = requireDocument(world, path.id ?? '', mode);
				return { url: downloads.create(document, variant), expires_in: DOWNLOAD_SECONDS };
			},
		}),
		route({
			method: 'POST',
			path: '/documents/{id}/recipients/{recipientId}/embed-link',
			operationId: 'createEmbedLink',
			scope: 'documents:write',
			summary:
				'Creates a short-lived address at which one signer signs inside the application of the caller',
			tag,
			body: embedOptions,
			bodyOptional: true,
			status: 200,
			response: embedLinkSchema,
			errors: [
				'document_not_found',
				'recipient_not_found',
				'document_not_in_progress',
				'embedding_not_configured',
			],
			handle: ({ mode, path, body }) => {
				const document = requireDocument(world, path.id ?? '', mode);
				return createEmbedLink(
					world,
					document,
					requireRecipient(document, path.recipientId ?? ''),
					body,
				);
			},
		}),
	];
}
