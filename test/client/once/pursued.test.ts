import { runOf } from '../../../nodes/ESign/client';
import type { ItemTry } from '../../../nodes/ESign/client/run';
import { has, IN_DOUBT, LOST, refused, Scenario, type Reply } from './support/scenario';

const ADA = { name: 'Ada', email: 'ada@example.com' };
const SEND = 'POST /templates/{id}/send';
const DOC = 'POST /documents/{id}/send';
const GONE = refused(404, 'document_not_found');

/**
 * A service at which every answer to a creating call is lost, and nothing can be read, until it is
 * mended.
 */
class Lossy extends Scenario {
	isDown = true;
	/** What is there, by the end of its path. */
	there: Record<string, Reply> = {};

	constructor() {
		super(({ method, path }) => {
			if (this.isDown) return method === 'GET' ? 503 : LOST;
			const found = Object.entries(this.there).find(([end]) => `${method} ${path}`.endsWith(end));
			return found ? found[1] : method === 'GET' ? { data: [] } : { id: 'new', deleted: true };
		});
	}

	/** A call that is lost: what it was to create is there from then on. */
	async lose(...[endpoint, request, itemTry]: Parameters<Scenario['call']>): Promise<void> {
		await expect(this.call(endpoint, request, itemTry)).rejects.toMatchObject(IN_DOUBT);
		this.isDown = false;
		this.timeline = [];
		this.hints.length = 0;
	}
}

let service: Lossy;

beforeEach(() => {
	service = new Lossy();
});

const body = (title = 'T') => ({ title, recipients: [ADA] });
const send = async (title = 'T', itemTry: Partial<ItemTry> = {}) =>
	await service.call(SEND, { body: body(title), path: { id: 'tpl_1' } }, itemTry);
const loseSend = async () => await service.lose(SEND, { body: body(), path: { id: 'tpl_1' } });

/** What the lost call has created. */
const document = (more: object = {}) => ({
	id: 'doc_1',
	title: 'T',
	status: 'in_progress',
	recipients: [ADA],
	created_at: service.now(80),
	...more,
});
const isThere = (more: object = {}) => {
	service.there = {
		'GET /documents': { data: [document(more)] },
		'GET /documents/doc_1': document(more),
	};
};

const posts = () => service.timeline.filter((one) => one.includes('POST '));

describe('What an earlier try has left', () => {
	it.each<[string, string, Partial<ItemTry>]>([
		['as it was', 'T', {}],
		['whose expression gives another value', 'U', {}],
		['by another item that asks for the same', 'T', { item: 'other', raw: 'other' }],
	])('is taken over %s, and looked for as it was sent', async (_, title, itemTry) => {
		await loseSend();
		isThere();
		await expect(send(title, itemTry)).resolves.toMatchObject({ id: 'doc_1' });
		expect(posts()).toEqual([]);
		expect(service.hints).toEqual([
			has('was carried out, though its answer was lost: document doc_1.'),
		]);
	});

	it('is sent again as it was sent where nothing came of it', async () => {
		await loseSend();
		await expect(send('U')).resolves.toMatchObject({ id: 'new' });
		expect(service.asked.findLast(({ method }) => method === 'POST')?.body).toMatchObject({
			title: 'T',
		});
	});

	it.each(['in_progress', 'completed'])(
		'and is out (%s) stops the corrected item, every time',
		async (status) => {
			await loseSend();
			isThere({ status });
			for (let again = 0; again < 2; again++) {
				await expect(send('U', { raw: 'corrected' })).rejects.toMatchObject({
					message: 'The document doc_1 was already sent by an earlier try',
					description: has('Cancel doc_1 and retry the execution'),
					context: { itemIndex: 0 },
				});
			}
			expect(posts()).toEqual([]);
		},
	);

	it.each<[string, Reply]>([
		['was cancelled', { id: 'doc_1', status: 'cancelled' }],
		['is gone', GONE],
	])('and %s lets the corrected item go out, and is named', async (_, read) => {
		await loseSend();
		isThere();
		service.there['GET /documents/doc_1'] = read;
		await expect(send('U', { raw: 'corrected' })).resolves.toMatchObject({ id: 'new' });
		expect(service.hints).toEqual([has('The document doc_1 was created by an earlier try')]);
		// It is through: nobody looks for it again, and nobody takes it for another's.
		service.timeline = [];
		await send('V', { raw: 'again' });
		expect(service.timeline).toHaveLength(1);
	});

	it.each([404, 403])(
		'and cannot be read (status %i, by whoever answers) stops the corrected item',
		async (status) => {
			await loseSend();
			isThere();
			service.there['GET /documents/doc_1'] = status;
			await expect(send('U', { raw: 'corrected' })).rejects.toMatchObject({
				httpCode: String(status),
			});
			expect(posts()).toEqual([]);
		},
	);

	it('and was not created is no more asked for by the corrected item', async () => {
		await loseSend();
		await expect(send('U', { raw: 'corrected' })).resolves.toMatchObject({ id: 'new' });
		expect(service.hints).toEqual([]);
	});

	it('is what both have asked for, where another execution has found it since', async () => {
		const saved: unknown[] = [];
		await service.lose(SEND, { body: body(), path: { id: 'tpl_1' } }, { saved });
		isThere();
		for (const itemTry of [{ item: 'other', line: 'other' }, { saved }]) {
			await expect(send('T', itemTry)).resolves.toMatchObject({ id: 'doc_1' });
		}
		expect(posts()).toEqual([]);
	});

	it('is not what both have asked for, where the other one came while the first was at it', async () => {
		const saved: unknown[] = [];
		const first = send('T', { saved }).catch(() => {
			service.isDown = false;
			isThere();
		});
		const request = { body: body(), itemIndex: 1, path: { id: 'tpl_1' } };
		const second = service.call(SEND, request, { item: 'other', line: 'other' });
		await first;
		await expect(second).resolves.toMatchObject({ id: 'doc_1' });
		await expect(send('T', { saved })).resolves.toMatchObject({ id: 'new' });
	});

	it('is a template link, which is named', async () => {
		const link = { body: { label: 'L', signers: [] } };
		const created_at = service.now();
		await service.lose('POST /templates/{id}/links', link);
		service.there = {
			'/links': ({ method }) =>
				method === 'GET' ? { data: [{ id: 'lnk_1', ...link.body, created_at }] } : { id: 'new' },
		};
		await service.call(
			'POST /templates/{id}/links',
			{ body: { label: 'M', signers: [] } },
			{ raw: 'corrected' },
		);
		expect(service.hints).toEqual([has('The template link lnk_1 was created by an earlier try')]);
	});

	it('is a webhook endpoint, which is deleted', async () => {
		const url = 'https://n8n.example/1';
		const created_at = service.now();
		await service.lose('POST /webhooks', { body: { url } });
		service.there = { 'GET /webhooks': { data: [{ id: 'whk_1', url, created_at }] } };
		await service.call('POST /webhooks', { body: { url: `${url}2` } }, { raw: 'corrected' });
		expect(service.timeline).toEqual([
			has('GET /webhooks'),
			has('DELETE /webhooks/whk_1'),
			has('POST /webhooks'),
		]);
		expect(service.hints).toEqual([]);
	});
});

it('What replaces something comes after what an earlier try has lost, whatever was corrected since', async () => {
	const place = 'PUT /documents/{id}/fields';
	await service.lose(place, { body: { fields: [1] } });
	service.there = { '/fields': { fields: [] } };
	await service.call(place, { body: { fields: [2] } }, { raw: 'corrected' });
	// The second attempt was sent after 75 s.
	expect(service.seconds()).toEqual([150]);
	expect(service.asked.at(-1)?.body).toEqual({ fields: [2] });
});

it('A deadline ends the wait for the turn of an equal call', async () => {
	const first = send('T', { item: 'one' }).catch(() => undefined);
	const request = {
		body: body(),
		itemIndex: 1,
		path: { id: 'tpl_1' },
		deadline: service.clock.now() + 1_000,
	};
	await expect(service.call(SEND, request, { item: 'two' })).rejects.toMatchObject({
		message: has('in time: another call is creating the same one'),
		context: { outcome: 'not sent' },
	});
	await first;
});

describe('A draft', () => {
	type Draft = { id: string; isSent?: boolean };
	const tries: Array<Draft | undefined> = [];

	/**
	 * One try of an item to make a document of a draft; `step` is what comes after the draft is made.
	 */
	async function finish(
		step: () => Promise<unknown>,
		itemTry: Partial<ItemTry> = {},
		asked = { draft: 'T', whole: 'T' },
	) {
		const { context, client, clock } = service;
		runOf(context).beginTry(0, {
			line: 'line',
			item: 'item',
			raw: '',
			ids: [],
			saved: [],
			...itemTry,
		});
		const work = client.withDraft<Draft, unknown>(context, 0, asked, async ({ begun, keep }) => {
			tries.push(begun);
			if (!begun) keep({ id: 'doc_1' });
			return await step();
		});
		return await clock.run(work);
	}
	const doc = { path: { id: 'doc_1' }, itemIndex: 0 };
	const sendIt = async () => await service.client.call(service.context, DOC, doc);
	const fails = async () => await Promise.reject(new Error('It failed'));
	const done = async () => await Promise.resolve('done');
	const corrected = { draft: 'U', whole: 'U' };

	beforeEach(() => {
		tries.length = 0;
		service.isDown = false;
	});

	it('is gone on with by the next try, and not once it is through', async () => {
		await expect(finish(fails)).rejects.toThrow('It failed');
		await expect(finish(done)).resolves.toBe('done');
		expect(service.hints).toEqual(['The draft doc_1 of an earlier try was continued.']);
		await finish(done);
		expect(tries).toEqual([undefined, { id: 'doc_1' }, undefined]);
	});

	it.each<[string, Reply, boolean]>([
		['of the service', GONE, false],
		['of something else', 404, true],
	])('that is gone by the word %s is left or gone on with', async (_, reply, isKept) => {
		service.there = { '/send': reply };
		await expect(finish(sendIt)).rejects.toMatchObject({ httpCode: '404' });
		await finish(done);
		expect(tries).toEqual([undefined, isKept ? { id: 'doc_1' } : undefined]);
	});

	it('is kept with the execution while it is not through', async () => {
		const saved: unknown[] = [];
		await expect(finish(fails, { saved })).rejects.toThrow('It failed');
		expect(saved).toMatchObject([{ draft: { id: 'doc_1' }, isOpen: true }]);
		await finish(done, { saved });
		expect(saved).toEqual([]);
	});

	it.each<[string, string, string]>([
		['stays behind', 'draft', 'done'],
		[
			'stops it where it is out',
			'in_progress',
			'The document doc_1 was already sent by an earlier try',
		],
	])('of an item that was corrected since %s', async (_, status, expected) => {
		await expect(finish(fails)).rejects.toThrow('It failed');
		service.there = { 'GET /documents/doc_1': { id: 'doc_1', status } };
		const end = await finish(done, { raw: 'corrected' }, corrected).catch(
			({ message }: Error) => message,
		);
		expect(end).toBe(expected);
		expect(service.hints).toEqual(
			status === 'draft' ? [has('The draft doc_1 of an earlier try is never sent')] : [],
		);
	});

	it.each<[string, Reply[], number]>([
		['', [], 15.5],
		[', though others failed after it', [500, 500, 500, 500, 500], 0],
		[', though another was refused', [refused(403, 'org_suspended')], 0],
	])(
		'whose send was lost is read only when that cannot come any more%s',
		async (_, others, lastLost) => {
			const replies = [LOST, ...others];
			service.there = { '/send': () => replies.shift() ?? LOST };
			await expect(finish(sendIt)).rejects.toMatchObject(IN_DOUBT);
			service.there = { 'GET /documents/doc_1': { id: 'doc_1', status: 'draft' } };
			const isRead = (one: string) => one.includes('GET /documents/doc_1');
			await finish(done, { raw: 'corrected' }, corrected);
			expect(parseFloat(service.timeline.find(isRead) ?? '')).toBe(lastLost + 75);
		},
	);

	it('is asked for as a whole: what is sent is not gone on with by who wants other fields', async () => {
		const { client, context } = service;
		const asked = { draft: 'T', whole: 'T' };
		const begun = async () =>
			await service.clock.run(client.begunBy(context, 'POST /documents', { itemIndex: 0 }, asked));
		await expect(finish(fails)).rejects.toThrow('It failed');
		await expect(begun()).resolves.toEqual(['doc_1']);
		await finish(done);
		await expect(begun()).resolves.toEqual([]);
	});
});
