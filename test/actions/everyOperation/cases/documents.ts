import type { INodeParameters } from 'n8n-workflow';
import type { ServiceClient } from '../../../support/serviceClient';
import { forBoth, PIN, SIGNERS, type Case } from './case';

const FROM_ITEM = { name: '={{ $json.name }}', email: '={{ $json.email }}' };
const COPY = { name: 'Copy', email: 'cc@example.com', type: 'cc' };
const RECIPIENTS: INodeParameters = {
	recipients: {
		recipient: [{ ...FROM_ITEM, type: 'signer', pin: '={{ $json.pin }}', phone: '' }, COPY],
	},
};
const BOX = {
	type: 'SIGNATURE',
	pageNumber: 1,
	xNorm: 0.1,
	yNorm: 0.1,
	widthNorm: 0.2,
	heightNorm: 0.05,
};
const CHOICE = { ...BOX, type: 'DROPDOWN', yNorm: 0.2 };
const IS_RECIPIENT: unknown = expect.stringMatching(/^rcp_/);

/** Two documents with a signer each. */
const documents = (state: 'draft' | 'send' | 'complete') => async (service: ServiceClient) =>
	await forBoth(async ({ email }, index) => {
		const { id: documentId, recipients } = await service[state](`Contract ${index}`, [
			String(email),
		]);
		return { documentId, recipientId: recipients[0]?.id, who: email };
	});

const newOnes = async () =>
	await forBoth(async (signer, index) => ({ ...signer, pin: PIN, title: `No. ${index}` }));

export const DOCUMENTS: Record<string, Case> = {
	'document:create': {
		items: newOnes,
		parameters: {
			...RECIPIENTS,
			fieldsInput: 'form',
			fields: {
				field: [
					{ ...BOX, place: 'atPosition', recipient: FROM_ITEM.email },
					{
						...CHOICE,
						place: 'atPosition',
						recipient: '1',
						additionalFields: {
							dropdownOptions: 'Monthly, Yearly',
							required: false,
							fontColor: '#1a2B3c',
						},
					},
				],
			},
			title: '={{ $json.title }}',
			routing: 'sequential',
		},
		calls: ['POST /files', 'POST /documents', 'PUT /documents/{id}/fields'],
		bodies: ({ name, email, title }, { file_ids: files }) => [
			{
				files,
				recipients: [{ name, email, type: 'signer', pin: PIN }, COPY],
				title,
				routing: 'sequential',
			},
			{
				fields: [
					{ ...BOX, recipientId: IS_RECIPIENT },
					{
						...CHOICE,
						recipientId: IS_RECIPIENT,
						dropdownOptions: ['Monthly', 'Yearly'],
						required: false,
						fontColor: '#1a2B3c',
					},
				],
			},
		],
		output: ({ title }) => ({ status: 'draft', title }),
	},

	// Filled in no further than its file and its people.
	'document:createAndSend': {
		items: newOnes,
		parameters: RECIPIENTS,
		calls: [
			'POST /files',
			'POST /documents',
			'PUT /documents/{id}/fields',
			'POST /documents/{id}/send',
		],
		bodies: ({ name, email }, { file_ids: files, title }) => [
			{ files, recipients: [{ name, email, type: 'signer', pin: PIN }, COPY], title },
			{
				fields: [
					expect.objectContaining({ recipientId: IS_RECIPIENT, type: 'SIGNATURE', pageNumber: 3 }),
				],
			},
		],
		output: () => ({
			status: 'in_progress',
			title: expect.stringMatching(/^Vertrag ü \d$/) as string,
		}),
	},

	'document:get': {
		items: documents('draft'),
		calls: ['GET /documents/{documentId}'],
		output: ({ documentId }) => ({ id: documentId, status: 'draft' }),
	},

	'document:getAll': {
		items: async (service) => {
			const drafts = await documents('draft')(service);
			await documents('send')(service);
			return drafts.map(() => ({ newest: drafts[1]?.documentId }));
		},
		parameters: { limit: 1, filters: { status: 'draft' } },
		calls: ['GET /documents?status=draft&limit=1'],
		output: ({ newest }) => ({ id: newest }),
	},

	'document:send': {
		items: documents('draft'),
		calls: ['POST /documents/{documentId}/send'],
		output: ({ documentId }) => ({ id: documentId, status: 'in_progress' }),
	},

	'document:cancel': {
		items: documents('send'),
		calls: ['POST /documents/{documentId}/cancel'],
		output: ({ documentId }) => ({ id: documentId, status: 'cancelled' }),
	},

	'document:remind': {
		items: documents('send'),
		calls: ['POST /documents/{documentId}/remind'],
		bodies: ({ recipientId }) => [{ recipient_id: recipientId }],
		output: () => ({ reminded: 1 }),
	},

	'document:updateRecipients': {
		items: async (service) =>
			(await documents('draft')(service)).map((one) => ({ ...one, ...SIGNERS[1], pin: PIN })),
		parameters: RECIPIENTS,
		calls: ['PUT /documents/{documentId}/recipients'],
		bodies: () => [{ recipients: [{ ...SIGNERS[1], type: 'signer', pin: PIN }, COPY] }],
		output: () => ({ recipients: [{ email: SIGNERS[1]?.email }, { email: COPY.email }] }),
	},

	'document:updateFields': {
		items: documents('draft'),
		parameters: {
			fieldsInput: 'form',
			fields: {
				field: [{ ...BOX, place: 'atPosition', recipient: '={{ $json.who.toUpperCase() }}' }],
			},
		},
		calls: ['GET /documents/{documentId}', 'PUT /documents/{documentId}/fields'],
		bodies: ({ recipientId }) => [{ fields: [{ ...BOX, recipientId }] }],
		output: ({ recipientId }) => ({ fields: [{ type: 'SIGNATURE', recipient_id: recipientId }] }),
		// For tags, texts and the last page.
		afterLoss: ['GET /documents/{id}/files/{variant}'],
	},

	'document:download': {
		items: async (service) =>
			(await documents('complete')(service)).map((one, index) => ({
				...one,
				variant: ['signed', 'certificate'][index],
			})),
		parameters: { variants: ['={{ $json.variant }}'] },
		calls: ['GET /documents/{documentId}/files/{variant}'],
		output: ({ documentId, variant }) => ({ document_id: documentId, variant }),
	},

	// For this an active trigger of the same n8n is needed, too.
	'document:wait': {
		items: documents('complete'),
		calls: ['GET /webhooks', 'GET /documents/{documentId}'],
		output: ({ documentId }) => ({ id: documentId, status: 'completed' }),
	},

	'document:createEmbedLink': {
		items: async (service) => {
			const [first, second] = await documents('send')(service);
			const redirectUrl = 'https://app.example.com/done';
			return [
				{ ...first, expiresIn: 900, redirectUrl: '' },
				{ ...second, expiresIn: 60, redirectUrl },
			];
		},
		parameters: {
			additionalFields: {
				expiresIn: '={{ $json.expiresIn }}',
				redirectUrl: '={{ $json.redirectUrl }}',
			},
		},
		calls: ['POST /documents/{documentId}/recipients/{recipientId}/embed-link'],
		bodies: ({ expiresIn, redirectUrl }) => [
			{ expires_in: expiresIn, ...(redirectUrl !== '' && { redirect_url: redirectUrl }) },
		],
		output: () => ({ url: expect.any(String) as string }),
	},

	'file:upload': {
		calls: ['POST /files'],
		output: () => ({
			name: expect.stringMatching(/^Vertrag ü \d\.pdf$/) as string,
			mime_type: 'application/pdf',
		}),
	},
};
