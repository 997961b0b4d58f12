import type { IDataObject } from 'n8n-workflow';
import type { ItemTry } from '../../../nodes/ESign/client/run';
import type { Asked } from '../../actions/support/scriptedItem';
import { has, Scenario, type Reply } from './support/scenario';

/** What POST does: create and answer, or lose the answer before or after creating. */
type Step = 'answer' | 'lost before' | 'lost after' | 503;

const ADA = { name: 'Ada', email: 'ada@example.com', role: 'Client' };
const BEN = { name: 'Ben', email: 'ben@example.com', role: 'HR' };
const SEND = 'POST /templates/{id}/send';
const TEMPLATE = {
	id: 'tpl_1',
	name: 'The template',
	roles: [
		{ role: 'Client', type: 'SIGNER' },
		{ role: 'HR', type: 'CC' },
	],
};

function people(...recipients: IDataObject[]): IDataObject[] {
	return recipients.map((recipient, index) => ({
		id: `rcp_${index}`,
		role: null,
		status: 'sent',
		...recipient,
	}));
}

/** A service that makes documents from a template, and loses what it says of them. */
class Templates extends Scenario {
	plan: Step[] = [];
	documents: IDataObject[] = [];
	/** How often a list is not to be had. */
	blind = 0;
	onCreate: (document: IDataObject) => void = () => undefined;

	constructor() {
		super((asked) => this.serve(asked));
	}

	made(document: IDataObject): IDataObject {
		const id = `doc_${this.documents.length + 1}`;
		const entry = { id, status: 'in_progress', title: 'T', created_at: this.now(), ...document };
		this.documents.push(entry);
		return entry;
	}

	/** Sends to Ada and Ben as the request spells them. */
	async send(
		more: IDataObject = { title: 'T' },
		itemTry: Partial<ItemTry> = {},
		itemIndex = 1,
		deadline = Infinity,
	): Promise<IDataObject> {
		const body = { recipients: [{ ...ADA, role: 'client' }, BEN], ...more };
		const request = { path: { id: 'tpl_1' }, body, itemIndex, deadline };
		return (await this.call(SEND, request, {
			item: `item ${itemIndex}`,
			...itemTry,
		})) as IDataObject;
	}

	requests(): string[] {
		return this.timeline.map((one) => one.replace('tpl_1', '{id}').replace(/^[\d.]+ /, ''));
	}

	private serve({ method, path, body }: Asked): Reply {
		if (path === '/documents') {
			const there = this.documents.filter(
				({ created_at: at }) => Date.parse(String(at)) <= this.clock.now(),
			);
			return this.blind-- > 0 ? 503 : { data: there.reverse() };
		}
		if (method === 'GET')
			return this.documents.find(({ id }) => path.endsWith(`/${id as string}`)) ?? TEMPLATE;
		if (path.endsWith('/embed-link')) return { url: `https://embed${path}`, expires_at: 'later' };
		const step = this.plan.shift() ?? 'answer';
		if (step === 'lost before') return 500;
		if (step === 503) return step;
		const { title = TEMPLATE.name, recipients = [] } = body as {
			title?: string;
			recipients?: IDataObject[];
		};
		const asked = people(
			...recipients.map(({ name, email, role = null }) => ({ name, email, role })),
		);
		const document = this.made({ title, recipients: asked });
		this.onCreate(document);
		return step === 'lost after' ? 500 : document;
	}
}

let service: Templates;

beforeEach(() => {
	service = new Templates();
});

describe('After a lost answer to POST /templates/{id}/send', () => {
	it('the document that it left is found with one request, and returned as if nothing had happened', async () => {
		service.plan = ['lost after'];
		expect(await service.send()).toEqual(service.documents[0]);
		expect(service.requests()).toEqual([SEND, 'GET /documents']);
		expect(service.hints).toHaveLength(1);
		expect(service.hints[0]).toContain(
			'was carried out, though its answer was lost: document doc_1.',
		);
	});
	it('the document with the name of the template is found for a send without a title', async () => {
		service.plan = ['lost after'];
		await service.send({});
		expect(service.requests()).toEqual([SEND, 'GET /documents', 'GET /templates/{id}']);
		expect(service.documents).toHaveLength(1);
	});

	it('it is sent again if nothing was left, and the template is not read where no document could be the one', async () => {
		service.plan = ['lost before', 'lost before'];
		await service.send({});
		expect(service.documents).toHaveLength(1);
		expect(service.requests()).toEqual([SEND, 'GET /documents', SEND, 'GET /documents', SEND]);
	});

	it.each<[string, IDataObject]>([
		['an older one', { created_at: '2023-11-14T22:12:00.000Z' }],
		['one with another title', { title: 'U' }],
		[
			'one with another recipient',
			{ recipients: people(ADA, { ...BEN, email: 'other@example.com' }) },
		],
		['one with another name', { recipients: people(ADA, { ...BEN, name: 'Benjamin' }) }],
		[
			'one with a recipient more',
			{ recipients: people(ADA, BEN, { name: 'C', email: 'c@example.com' }) },
		],
		[
			'one with the roles exchanged',
			{ recipients: people({ ...ADA, role: 'HR' }, { ...BEN, role: 'Client' }) },
		],
		['a draft', { status: 'draft' }],
		['one that is another item’s', { id: 'doc_9' }],
	])('%s is not taken for it', async (_, other) => {
		service.plan = ['lost before'];
		service.made({ recipients: people(ADA, BEN), ...other });
		expect((await service.send({ title: 'T' }, { ids: ['doc_9'] })).id).toBe('doc_2');
	});

	it('more than one that fits ends it, and both are named', async () => {
		service.plan = ['lost after'];
		service.onCreate = () => service.made({ recipients: people(ADA, BEN) });
		await expect(service.send()).rejects.toMatchObject({
			message: expect.stringMatching(/2 documents fit.*doc_[12], doc_[12]/) as string,
			context: { itemIndex: 1, outcome: 'in doubt' },
		});
		expect(service.requests()).toEqual([SEND, 'GET /documents']);
	});

	it('the outcome is in doubt while the service is down, and nothing is sent again', async () => {
		service.plan = [503];
		service.blind = 99;
		await expect(service.send()).rejects.toMatchObject({
			name: 'NodeApiError',
			httpCode: '503',
			message: has('whether the document was created is not known'),
			context: { outcome: 'in doubt', itemIndex: 1 },
		});
		expect(service.requests().filter((request) => request === SEND)).toHaveLength(1);
		// Early looks are made once, the last as often as any call.
		expect(service.seconds().slice(0, 6)).toEqual([0, 2, 10, 30, 75, 75.5]);
	});

	it('what somebody has read meanwhile is still found', async () => {
		service.plan = ['lost after'];
		service.blind = 6;
		await expect(service.send()).rejects.toThrow('is not known');
		await service.call('GET /documents/{id}', { path: { id: 'doc_1' } });
		expect((await service.send()).id).toBe('doc_1');
		expect(service.documents).toHaveLength(1);
	});

	it('a look is the last thing that happens before giving up: the error says that nothing was created', async () => {
		service.plan = Array.from({ length: 9 }, () => 'lost before' as const);
		await expect(service.send()).rejects.toMatchObject({
			httpCode: '500',
			description: has('nothing has been created'),
		});
		expect(service.requests().filter((request) => request === SEND)).toHaveLength(6);
		expect(service.requests().at(-1)).toBe('GET /documents');
		// It is through: the next one asks anew.
		service.timeline = [];
		service.plan = [];
		await service.send();
		expect(service.requests()).toEqual([SEND]);
	});

	it('what the last attempt left is found', async () => {
		service.plan = [...Array.from({ length: 5 }, () => 'lost before' as const), 'lost after'];
		expect(await service.send()).toEqual(service.documents[0]);
	});

	it('embed links that went with it are made anew, for those who sign', async () => {
		service.plan = ['lost after'];
		const embed = { expires_in: 600, redirect_url: 'https://x.example' };
		const url = 'https://embed/documents/doc_1/recipients/rcp_0/embed-link';
		const output = await service.send({ title: 'T', embed });
		expect(output.embed_links).toEqual([{ recipient_id: 'rcp_0', url, expires_at: 'later' }]);
		expect(service.asked.at(-1)?.body).toEqual(embed);
	});

	it.each([
		[1, 2],
		[9, 10],
		[29, 30],
		[60, 75],
	])('an effect that comes after %d s is found by the look after %d s', async (effect, look) => {
		service.plan = [503];
		service.made({ recipients: people(ADA, BEN), created_at: service.now(-effect) });
		expect((await service.send()).id).toBe('doc_1');
		expect(service.seconds().at(-1)).toBe(look);
	});

	it.each<[string, IDataObject, number, RegExp]>([
		['for the same, one is adopted', {}, 1, /^doc_1$/],
		['for the same, two are one each', {}, 2, /^doc_2$/],
		['for the same, three are one too many', {}, 3, /3 documents fit/],
		[
			'for something else, it cannot be told whose it is',
			{ field_values: {} },
			1,
			/the document doc_1 fits, but which/,
		],
	])(
		'while another that looks the same is in doubt, which asks %s, at the last look',
		async (_, more, made, end) => {
			service.plan = [503, 503];
			const run = { run: 'one' };
			const first = service.send({ title: 'T' }, run, 1, service.clock.now() + 1_000);
			await expect(first).rejects.toThrow('in time');
			for (let count = 0; count < made; count++) service.made({ recipients: people(ADA, BEN) });
			const told = await service.send({ title: 'T', ...more }, run, 2).then(
				({ id }) => id,
				({ message }: Error) => message,
			);
			expect(told).toMatch(end);
			expect(service.seconds()).toEqual([0, 0, 75]);
		},
	);

	it('which may come late, it is looked for four times before the repetition, and once after it', async () => {
		service.plan = [503];
		expect((await service.send()).id).toBe('doc_1');
		const looks = [2, 10, 30, 75].map((second) => `${second} GET /documents`);
		const send = 'POST /templates/tpl_1/send';
		expect(service.timeline).toEqual([`0 ${send}`, ...looks, `75 ${send}`, '75 GET /documents']);
		expect(service.hints).toEqual([has('The service did not answer. Waited')]);
	});

	it('and to its repetition, the call ends, and says that nothing was created', async () => {
		service.plan = [503, 503];
		await expect(service.send()).rejects.toMatchObject({
			description: has('nothing has been created'),
			context: { outcome: 'looked for' },
		});
	});

	it.each([
		['are named', 0, 'Two documents were created, doc_1 and doc_2'],
		['may be there where nobody can tell', 9, 'could not check whether there are two of doc_1'],
	])('whose effect comes with its repetition, two documents %s', async (_, blind, words) => {
		service.plan = [503];
		service.onCreate = (document) => {
			if (service.documents.length === 1) service.made({ ...document, id: 'doc_2' });
			service.blind = blind;
		};
		await service.send();
		expect(service.hints.at(-1)).toContain(words);
	});
});
