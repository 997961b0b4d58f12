import type { IDataObject, INodeParameters } from 'n8n-workflow';
import {
	asSent,
	deliveries,
	documents,
	fromItem,
	items,
	links,
	openBench,
	run,
	sent,
	templateIds,
	webhooks,
} from './support/operationRun';

openBench();

/** An operation that is one request without a body. */
type Row = {
	/** What two items hold. */
	items?: () => Promise<IDataObject[]>;
	parameters?: INodeParameters;
	/** The request of an item, without `query`. */
	request: (item: IDataObject) => `${string} ${string}`;
	query?: object;
	/** What comes out for an item, beside other things. */
	output: (item: IDataObject) => object;
};

const withIds = async (ids: Promise<string[]>) => (await ids).map((id) => ({ id }));
const templates = async () => await withIds(templateIds().then(({ nda, offer }) => [nda, offer]));
const nda = async () => await withIds(templateIds().then(({ nda: id }) => [id, id]));
const ofDocument = { documentId: fromItem('documentId') };
const ofLink = { templateLinkId: fromItem('id') };

const OPERATIONS: Record<string, Row> = {
	'account get': { request: () => 'GET /account', output: () => ({ mode: 'TEST', usage: { documents_used: 0 } }) },
	'document get': {
		items: async () => await documents(false),
		parameters: ofDocument,
		request: ({ documentId }) => `GET /documents/${String(documentId)}`,
		output: ({ documentId }) => ({ id: documentId, status: 'draft' }),
	},
	'document send': {
		items: async () => await documents(false),
		parameters: ofDocument,
		request: ({ documentId }) => `POST /documents/${String(documentId)}/send`,
		output: ({ documentId }) => ({ id: documentId, status: 'in_progress' }),
	},
	'document cancel': {
		items: async () => await documents(true),
		parameters: ofDocument,
		request: ({ documentId }) => `POST /documents/${String(documentId)}/cancel`,
		output: ({ documentId }) => ({ id: documentId, status: 'cancelled' }),
	},
	'template get': {
		items: templates,
		parameters: { templateId: fromItem('id') },
		request: ({ id }) => `GET /templates/${String(id)}`,
		output: ({ id }) => ({ id }),
	},
	'template getAll': {
		parameters: { limit: 1 },
		request: () => 'GET /templates',
		query: { limit: '1' },
		output: () => ({ id: expect.stringMatching(/^tpl_/) as string }),
	},
	'templateLink get': {
		items: async () => await withIds(links()),
		parameters: ofLink,
		request: ({ id }) => `GET /template-links/${String(id)}`,
		output: ({ id }) => ({ id }),
	},
	// The list has no paging: the limit is applied here, to the newest.
	'templateLink getAll': {
		items: async () => {
			await links();
			return await nda();
		},
		parameters: { templateId: fromItem('id'), limit: 1 },
		request: ({ id }) => `GET /templates/${String(id)}/links`,
		output: () => ({ label: 'Newsletter' }),
	},
	'templateLink rotate': {
		items: async () => await withIds(links()),
		parameters: ofLink,
		request: ({ id }) => `POST /template-links/${String(id)}/rotate`,
		output: ({ id }) => ({ id }),
	},
	'templateLink delete': {
		items: async () => await withIds(links()),
		parameters: ofLink,
		request: ({ id }) => `DELETE /template-links/${String(id)}`,
		output: ({ id }) => ({ id, deleted: true }),
	},
	// As that of links.
	'webhook getAll': {
		items: async () => {
			const [, newest] = await webhooks();
			return [{ newest }, { newest }];
		},
		parameters: { limit: 1 },
		request: () => 'GET /webhooks',
		output: ({ newest }) => ({ id: newest }),
	},
	'webhook delete': {
		items: async () => await withIds(webhooks()),
		parameters: { webhookId: fromItem('id') },
		request: ({ id }) => `DELETE /webhooks/${String(id)}`,
		output: ({ id }) => ({ id, deleted: true }),
	},
	'webhookDelivery replay': {
		items: deliveries,
		parameters: { webhookId: fromItem('webhook'), deliveryId: fromItem('delivery') },
		request: ({ webhook, delivery }) => `POST /webhooks/${String(webhook)}/deliveries/${String(delivery)}/replay`,
		output: () => ({ replayed: true }),
	},
};

it.each(Object.entries(OPERATIONS))(
	'%s is one request for each item, and nothing but what is named',
	async (name, row) => {
		const [resource = '', operation = ''] = name.split(' ');
		const given = (await row.items?.()) ?? [{}, {}];
		const { requests, output } = await run([resource, operation], row.parameters ?? {}, items(...given));
		const expected = given.map((item) => {
			const [method = '', path = ''] = row.request(item).split(' ');
			return sent(method, path, { query: row.query });
		});
		expect(asSent(requests)).toEqual(expected);
		expect(output).toMatchObject(given.map(row.output));
	},
);
