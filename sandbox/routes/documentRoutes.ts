import { createDocument, sendDraft } from '../documents/create';
import { exclusively } from '../documents/exclusive';
import { cancelDocument, remind, requireDocument } from '../documents/transitions';
import { requireRecipient } from '../documents/recipients';
import { route } from '../http/route';
import { readPage, type Cursors } from './cursors';
import { documentWire } from './wire';
import { documentSchema, remindedSchema } from '../schemas/documentAnswers';
import { createDocumentBody, noBody, remindBody } from '../schemas/documentRequests';
import { documentsQuery, pageOf } from '../schemas/lists';
import type { World } from '../state/world';

const tag = 'Documents';

export function documentRoutes(world: World, cursors: Cursors) {
	return [
		route({
			method: 'GET',
			path: '/documents',
			operationId: 'listDocuments',
			scope: 'documents:read',
			summary: 'Lists the documents of the key’s mode, newest first',
			tag,
			query: documentsQuery,
			status: 200,
			response: pageOf(documentSchema, 'DocumentPage'),
			errors: [],
			handle: ({ mode, query }) =>
				readPage(cursors, world.state.documents, {
					name: 'documents',
					mode,
					query,
					wanted: ({ status }) => query.status === undefined || status === query.status,
					wire: documentWire,
				}),
		}),
		route({
			method: 'POST',
			path: '/documents',
			operationId: 'createDocument',
			scope: 'documents:write',
			summary: 'Creates a document from uploaded files, and sends it when `send` is true',
			tag,
			body: createDocumentBody,
			status: 201,
			response: documentSchema,
			errors: [
				'unknown_file',
				'max_recipients_exceeded',
				'duplicate_email',
				'field_out_of_bounds',
				'signer_missing_signature_field',
			],
			handle: async ({ mode, body }) => documentWire(await createDocument(world, mode, body)),
		}),
		route({
			method: 'GET',
			path: '/documents/{id}',
			operationId: 'getDocument',
			scope: 'documents:read',
			summary: 'Gets one document',
			tag,
			status: 200,
			response: documentSchema,
			errors: ['document_not_found'],
			handle: ({ mode, path }) => documentWire(requireDocument(world, path.id ?? '', mode)),
		}),
		route({
			method: 'POST',
			path: '/documents/{id}/send',
			operationId: 'sendDocument',
			scope: 'documents:write',
			summary: 'Sends a draft',
			tag,
			body: noBody,
			bodyOptional: true,
			status: 200,
			response: documentSchema,
			errors: ['document_not_found', 'document_not_draft', 'signer_missing_signature_field'],
			handle: async ({ mode, path }) => {
				const document = requireDocument(world, path.id ?? '', mode);
				await exclusively(document, () => sendDraft(world, document));
				return documentWire(document);
			},
		}),
		route({
			method: 'POST',
			path: '/documents/{id}/cancel',
			operationId: 'cancelDocument',
			scope: 'documents:write',
			summary: 'Withdraws a document that is in progress',
			tag,
			body: noBody,
			bodyOptional: true,
			status: 200,
			response: documentSchema,
			errors: ['document_not_found', 'document_not_in_progress'],
			handle: async ({ mode, path }) => {
				const document = requireDocument(world, path.id ?? '', mode);
				await cancelDocument(world, document);
				return documentWire(document);
			},
		}),
		route({
			method: 'POST',
			path: '/documents/{id}/remind',
			operationId: 'remindRecipients',
			scope: 'documents:write',
			summary: 'Reminds everyone outstanding, or one recipient',
			tag,
			body: remindBody,
			bodyOptional: true,
			status: 200,
			response: remindedSchema,
			errors: ['document_not_found', 'recipient_not_found', 'no_recipients_to_remind'],
			handle: ({ mode, path, body }) => {
				const document = requireDocument(world, path.id ?? '', mode);
				const one =
					body.recipient_id === undefined
						? undefined
						: requireRecipient(document, body.recipient_id);
				return { reminded: remind(world, document, one) };
			},
		}),
	];
}
