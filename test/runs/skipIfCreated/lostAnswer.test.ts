import type { INodeParameters } from 'n8n-workflow';
import { N8n } from '../../../harness/n8nCore/n8n';
import { ESign } from '../../../nodes/ESign/ESign.node';
import { client } from '../../../nodes/ESign/client';
import { JumpClock } from '../../client/support/jumpClock';
import { json, startScripted, type ScriptedService } from '../../client/support/scriptedService';
import { byId, DRAFT, withContract } from '../../actions/support/workbench';

const TYPE = 'n8n-nodes-esign.eSign';

const parameters: INodeParameters = {
	resource: 'template',
	operation: 'send',
	templateId: byId('tpl_1'),
	recipientsInput: 'json',
	recipientsJson: '[{ "role": "Client", "name": "Ada", "email": "ada@example.com" }]',
	additionalFields: { title: 'Wanted', skipIfCreatedWithin: 24 },
};

describe('An item that fails while nobody knows what it has created', () => {
	let service: ScriptedService;
	let created: Array<{ id: string } & object>;
	let sequence = 0;
	/** So many lists fail once something was created. */
	let failingLists: number;
	let failingWith: number;

	beforeAll(async () => {
		const clock = new JumpClock();
		Object.assign(client.settings, { clock, attempts: 2 });
		service = await startScripted(({ method }, response) => {
			const date = new Date(clock.now()).toUTCString();
			if (method === 'POST') {
				const document = {
					id: `doc_${sequence++}`,
					title: 'Wanted',
					status: 'in_progress',
					mode: 'TEST',
					recipients: [{ id: 'rcp_1', name: 'Ada', email: 'ada@example.com', role: 'Client', status: 'sent' }],
					created_at: new Date(clock.now()).toISOString(),
				};
				created.push(document);
				return response.destroy();
			}
			if (created.length > 0 && failingLists-- > 0) {
				return json(response, failingWith, { error: { code: 'unavailable', message: 'Not now' } }, { date });
			}
			json(response, 200, { data: created, has_more: false, next_cursor: null }, { date });
		});
	});
	beforeEach(() => {
		created = [];
		failingLists = 5;
		failingWith = 503;
	});
	afterAll(async () => await service.close());

	it('keeps an equal item after it from being sent while the list is refused', async () => {
		failingLists = Infinity;
		failingWith = 403;
		const { items } = await new N8n({ [TYPE]: new ESign() }, service.credential).runNode(TYPE, {
			parameters,
			items: [{ json: {} }, { json: {} }],
			settings: { onError: 'continueRegularOutput' },
		});
		expect(items.map(({ json: { error } }) => typeof error)).toEqual(['string', 'string']);
		expect(created).toHaveLength(1);
	});

	it('is taken over by an equal item after it', async () => {
		const { items } = await new N8n({ [TYPE]: new ESign() }, service.credential).runNode(TYPE, {
			parameters,
			items: [{ json: {} }, { json: {} }],
			settings: { onError: 'continueRegularOutput' },
		});
		expect(items[0]?.json.error).toEqual(expect.any(String));
		expect(items[1]?.json).toMatchObject({ id: created[0]?.id, status: 'in_progress' });
		expect(created).toHaveLength(1);
	});

	it('goes on where it ended when n8n tries it again, without a look of its own', async () => {
		const { items, error } = await new N8n({ [TYPE]: new ESign() }, service.credential).runNode(TYPE, {
			parameters,
			settings: { retryOnFail: true, maxTries: 2, waitBetweenTries: 1 },
		});
		expect(error).toBeUndefined();
		expect(items.map(({ json: item }) => item)).toEqual([created[0]]);
		expect(created).toHaveLength(1);
	});
});

/** Five requests make a draft and send it; nobody knows whether the last one has done so. */
describe('A draft of which nobody knows whether it was sent', () => {
	let service: ScriptedService;
	const drafts: object[] = [];

	beforeAll(async () => {
		const clock = new JumpClock();
		Object.assign(client.settings, { clock, attempts: 2 });
		service = await startScripted(({ method, url }, response) => {
			const headers = { date: new Date(clock.now()).toUTCString() };
			if (/send$/.test(url)) return response.destroy();
			if (method === 'PUT') return json(response, 200, { fields: [] }, headers);
			if (url.endsWith('/files')) return json(response, 201, { id: 'file_1' }, headers);
			if (method === 'GET') {
				const page = { data: drafts, has_more: false, next_cursor: null };
				return json(response, 200, url.includes('doc_') ? drafts[0] : page, headers);
			}
			drafts.push({
				id: `doc_${drafts.length}`,
				title: 'contract',
				status: 'draft',
				mode: 'TEST',
				recipients: [{ id: 'rcp_1', name: 'Ada Lovelace', email: 'ada@example.com', role: null, status: 'waiting' }],
				created_at: new Date(clock.now()).toISOString(),
			});
			json(response, 201, drafts.at(-1), headers);
		});
	});
	afterAll(async () => await service.close());

	it('is gone on with by an equal item after it', async () => {
		const { items } = await new N8n({ [TYPE]: new ESign() }, service.credential).runNode(TYPE, {
			parameters: {
				resource: 'document',
				operation: 'createAndSend',
				...DRAFT,
				additionalFields: { skipIfCreatedWithin: 24 },
			},
			items: await withContract({}, {}),
			settings: { onError: 'continueRegularOutput' },
		});
		expect(items.map(({ json: { error } }) => String(error))).toEqual([
			expect.stringMatching(/^The draft doc_0 was created, but sending it failed/),
			expect.stringMatching(/^The draft doc_0 was created, but sending it failed/),
		]);
		expect(drafts).toHaveLength(1);
	});
});
