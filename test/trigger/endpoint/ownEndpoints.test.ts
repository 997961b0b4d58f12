import { client, type WebhookDelivery, type WebhookEndpoint } from '../../../nodes/ESign/client';
import { createEndpoint } from '../../../nodes/ESign/trigger/endpoint/createEndpoint';
import { OwnEndpoints } from '../../../nodes/ESign/trigger/endpoint/ownEndpoints';
import { TriggerProcess } from '../../../nodes/ESign/trigger/triggerState';
import { attempt, attempts, arrived } from '../support/attempts';
import { refusal, Wire } from '../support/wire';

const WANTED = { url: Wire.URL, events: ['document.sent' as const] };

let wire: Wire;
let endpoints: OwnEndpoints;

beforeEach(() => {
	wire = new Wire();
	endpoints = new OwnEndpoints(wire.context, wire.state, {});
});
afterEach(() => jest.restoreAllMocks());

/** What the service is found to have when it is asked now. */
const find = async (by = endpoints) => await by.find(WANTED, await by.list());

const replacing = (...ids: string[]) => ({
	replaceable: new Set(ids),
	askedAt: Date.now(),
	data: [],
});

const idsLeft = () => wire.endpoints.map(({ id }) => id);
const known = () => wire.state.endpoints.all().map(({ id }) => id);
const warnings = () => wire.logged.filter((line) => line.startsWith('warn')).join('\n');

describe('What the service has for a trigger', () => {
	it('is found with one request, with what else is at the URL', async () => {
		wire.add('whk_fits');
		wire.add('whk_lost', { isKnown: false });
		wire.add('whk_off', { status: 'DISABLED' });
		wire.add('whk_elsewhere', { url: 'https://other.example.com/webhook/hook-1/webhook' });
		const { fits, replaceable } = await find();
		expect([fits?.id, [...replaceable]]).toEqual(['whk_fits', ['whk_lost', 'whk_off']]);
		expect(wire.requests).toEqual(['GET /webhooks']);
		expect(warnings()).toContain('webhook whk_lost is to be replaced: its signing secret is lost');
		expect(warnings()).toContain(
			'webhook whk_off is to be replaced: the service had switched it off',
		);
		expect(warnings()).not.toMatch(/whk_elsewhere|whk_fits/);
	});

	it('stays until there is one that fits', async () => {
		wire.add('whk_off', { status: 'DISABLED' });
		expect(await find()).toMatchObject({ fits: undefined, replaceable: new Set(['whk_off']) });
		expect(wire.requests).toEqual(['GET /webhooks']);
	});

	it('of two that fit the newest stays', async () => {
		wire.add('whk_1');
		wire.add('whk_2', { url: Wire.URL.replace('n8n.', 'N8N.') });
		expect(await find()).toMatchObject({ fits: { id: 'whk_1' }, replaceable: new Set(['whk_2']) });
		expect(warnings()).toContain('webhook whk_2 is to be replaced: there is a newer one');
	});

	it.each([
		['the newest attempt that was seen', Date.UTC(2026, 1, 2)],
		['it was made, if nobody has read its log', 0],
	])(
		'is forgotten when it is gone, and it is unknown what happened since %s',
		async (_what, logReadTo) => {
			wire.know('whk_gone');
			if (logReadTo) wire.state.markLogRun('whk_gone', logReadTo);
			expect(await find()).toMatchObject({ fits: undefined, replaceable: new Set(), data: [] });
			expect(known()).toEqual([]);
			expect(warnings()).toContain(
				'webhook whk_gone is gone: it was deleted, or the API key is of another mode',
			);
			await createEndpoint(endpoints, WANTED, replacing());
			expect(warnings()).toContain(` between ${new Date(logReadTo || 1).toISOString()} and `);
		},
	);

	it('is not said to be gone while another fits, nor if it was left behind or made for a test', async () => {
		wire.know('whk_gone');
		wire.add('whk_fits');
		await find();
		wire.know('whk_left', { retired: true });
		wire.endpoints = [];
		wire.state.endpoints.remove('whk_fits');
		await find();
		const listener = wire.process.stateOf(wire.context, true);
		wire.know('whk_test', {}, listener);
		await find(new OwnEndpoints(wire.context, listener, {}));
		expect(warnings()).not.toContain('is gone');
		expect([wire.state, listener].map(({ withoutEndpointSince }) => withoutEndpointSince)).toEqual([
			undefined,
			undefined,
		]);
	});

	it('that was made while the list was under way is not gone', async () => {
		wire.during = () => wire.know('whk_new', { at: Date.now() });
		await find();
		expect(known()).toEqual(['whk_new']);
	});

	it('at our URL is ours, as after an import, whoever made it', async () => {
		wire.add('whk_1', { owner: 'n8n/other/node' });
		expect(await find()).toMatchObject({ fits: { id: 'whk_1' } });
	});

	it('of another trigger is left alone, also what is gone of it', async () => {
		wire.add('whk_other', {
			owner: 'n8n/other/node',
			url: 'https://n8n.example.com/webhook/other/webhook',
		});
		wire.endpoints = [];
		await find();
		expect(known()).toEqual(['whk_other']);
	});
});

describe('An endpoint that is deleted', () => {
	it('leaves the set, also if it was gone already', async () => {
		wire.add('whk_1');
		for (let times = 0; times < 2; times++) {
			expect(await endpoints.delete('whk_1')).toBe(true);
			expect([known(), idsLeft(), wire.logged]).toEqual([[], [], []]);
			wire.know('whk_1');
		}
	});

	it.each([
		['that the service does not delete', refusal(403)],
		['for which something else answers 404', refusal(404, 'not_found')],
	])('%s stays known', async (_what, answer) => {
		wire.add('whk_1');
		wire.during = () => answer;
		expect(await endpoints.delete('whk_1')).toBe(false);
		expect(known()).toEqual(['whk_1']);
		expect(warnings()).toMatch(/webhook whk_1 could not be deleted: .*[^.]\. The next look tries/);
	});
});

describe('An endpoint that is made', () => {
	const full = () => {
		for (let place = 0; place < 5; place++)
			wire.add(`whk_${place}`, { isKnown: false, url: `https://crm.example.com/${place}` });
	};

	it('is known, and leaves what it replaces to the look', async () => {
		wire.add('whk_old', { status: 'DISABLED' });
		const found = replacing('whk_old');
		const { id } = await createEndpoint(endpoints, WANTED, found);
		expect(wire.state.endpoints.get(id)).toMatchObject({
			...WANTED,
			secret: 'whsec_made',
			owner: 'n8n/workflow/node-1',
		});
		expect([...found.replaceable, ...wire.requests]).toEqual(['whk_old', 'POST /webhooks']);
		expect(wire.logged).toEqual([
			`info: eSign: webhook ${id} is registered for document.sent (workflow "Contracts", node "eSign Trigger")`,
		]);
	});

	it('once more after a lost answer, also of a service that is silent, in the time of a hook', async () => {
		const deadline = client.now() + 25_000;
		endpoints = new OwnEndpoints(wire.context, wire.state, { deadline });
		let posts = 0;
		wire.during = (request, timeout) => {
			if (request !== 'POST /webhooks' || ++posts > 1) return;
			wire.time += timeout;
			throw Object.assign(new Error(), { code: 'ETIMEDOUT' });
		};
		const made = await createEndpoint(endpoints, WANTED, replacing());
		expect(wire.endpoints).toMatchObject([{ ...WANTED, id: made.id }]);
	});

	it.each([
		['is refused', 403, 25_000, '403', 1],
		['has no time left', 504, 0, null, 1],
		['is lost a second time', 504, undefined, '504', 2],
	])('not any longer if it %s', async (_what, statusCode, time, httpCode, times) => {
		const deadline = time === undefined ? undefined : client.now() + time;
		wire.during = (request) =>
			request === 'POST /webhooks' ? { statusCode, body: 'No' } : undefined;
		const made = createEndpoint(
			new OwnEndpoints(wire.context, wire.state, { deadline }),
			WANTED,
			replacing(),
		);
		await expect(made).rejects.toMatchObject({ httpCode });
		expect(wire.requests).toEqual(Array(times).fill('POST /webhooks'));
	});

	it.each([
		['as the list says, without a request that is refused', 5, []],
		['which it was given', 0, ['POST /webhooks', 'GET /webhooks']],
	])(
		'at the limit, %s, takes the place of what it replaces, and asks about nobody else',
		async (_how, known, refused) => {
			full();
			const listed = wire.endpoints.slice(0, known);
			await createEndpoint(endpoints, WANTED, { ...replacing('whk_0'), data: listed });
			expect(idsLeft()).toEqual(['whk_1', 'whk_2', 'whk_3', 'whk_4', 'whk_made_1']);
			const replaced = [
				'GET /webhooks/whk_0/deliveries',
				'DELETE /webhooks/whk_0',
				'POST /webhooks',
			];
			expect(wire.requests).toEqual([...refused, ...replaced]);
		},
	);

	it.each([
		['a later look', (endpoints: OwnEndpoints) => endpoints],
		[
			'an n8n that has restarted',
			({ context, state }: OwnEndpoints) => {
				state.save(context);
				return new OwnEndpoints(context, new TriggerProcess().stateOf(context), {});
			},
		],
	])(
		'at the limit names the time without an endpoint, also where it is made by %s only',
		async (_by, next) => {
			jest.spyOn(Date, 'now').mockImplementation(() => wire.time);
			wire.add('whk_off', { status: 'DISABLED' });
			wire.add('whk_old');
			wire.during = (request) => (request === 'POST /webhooks' ? refusal(403) : undefined);
			const deletedAt = wire.time;
			const five = Array<WebhookEndpoint>(5).fill(wire.endpoints[0] as WebhookEndpoint);
			await createEndpoint(endpoints, WANTED, { ...replacing('whk_off'), data: five }).catch(
				() => undefined,
			);
			wire.during = (request) => (request === 'POST /webhooks' ? client.pause(50_000) : undefined);
			const later = next(endpoints);
			await createEndpoint(later, WANTED, replacing());
			const [from, to] = [deletedAt, wire.time].map((at) => new Date(at).toISOString());
			expect(warnings()).toMatch(
				new RegExp(
					`for up to 50 s there was no webhook. Compare .* between ${from} and ${to} with`,
				),
			);
			// What is replaced only then leaves no gap.
			wire.logged.length = 0;
			await createEndpoint(later, WANTED, replacing('whk_old'));
			await createEndpoint(next(later), WANTED, replacing());
			expect(warnings()).toBe('');
		},
	);

	it('at the limit is refused where another takes the place that was free', async () => {
		full();
		wire.during = (request) => void (request === 'DELETE /webhooks/whk_0' && (wire.places = 4));
		const made = createEndpoint(endpoints, WANTED, {
			...replacing('whk_0'),
			data: wire.endpoints,
		});
		await expect(made).rejects.toThrow(/all 4 endpoints are taken/);
	});

	it('at the limit removes the tests of this n8n that were left behind, and none that listens', async () => {
		full();
		for (const place of [0, 1])
			Object.assign(wire.endpoints[place] ?? {}, {
				url: `https://n8n.example.com/webhook-test/${place}/webhook`,
			});
		const listening = { ...WANTED, url: wire.endpoints[1]?.url ?? '' };
		// A workflow that was deleted and imported again has the same URLs under another ID.
		const getWorkflow = () => ({ id: 'deleted', name: 'Contracts', active: false });
		const deleted = wire.process.stateOf({ ...wire.context, getWorkflow }, true);
		deleted.activation.wanted = listening;
		const test = wire.process.stateOf(wire.context, true);
		Object.assign(test.activation, { wanted: listening, activeFor: 'Contracts' });
		await createEndpoint(endpoints, WANTED, replacing());
		expect(idsLeft()).toEqual(['whk_1', 'whk_2', 'whk_3', 'whk_4', 'whk_made_1']);
		expect(warnings()).toContain('webhook whk_0, left behind by a test, was deleted to make room');
		expect(wire.requests).not.toContain('GET /webhooks/whk_0/deliveries');
	});

	it('at the limit removes all tests of this n8n that were left behind', async () => {
		full();
		for (const place of [0, 1])
			Object.assign(wire.endpoints[place] ?? {}, {
				url: `https://n8n.example.com/webhook-test/${place}/webhook`,
			});
		await createEndpoint(endpoints, WANTED, replacing());
		expect(idsLeft()).toEqual(['whk_2', 'whk_3', 'whk_4', 'whk_made_1']);
	});

	const old = { url: 'https://old.example.com/webhook/hook-1/webhook' };
	const running = (context = wire.context) =>
		(wire.process.stateOf(context).activation.wanted = {
			...WANTED,
			url: `${Wire.URL}/${context.getNode().id}`,
		});

	it('at the limit makes room only by one at an address it had before whose log shows failures and no success', async () => {
		running();
		wire.add('whk_silent', old);
		wire.add('whk_heard', old);
		wire.add('whk_other', { ...old, owner: 'n8n/other/node' });
		wire.add('whk_deaf', old);
		wire.add('whk_deaf_too', old);
		wire.logs = {
			whk_heard: [...attempts('evt_1', 60), ...arrived(attempts('evt_2', 90_000))],
			whk_deaf: attempts('evt_1', 60, 50),
			whk_deaf_too: attempts('evt_1', 60, 50),
			whk_other: attempts('evt_1', 60, 50),
		};
		await createEndpoint(endpoints, WANTED, replacing());
		expect(idsLeft()).toEqual([
			'whk_silent',
			'whk_heard',
			'whk_other',
			'whk_deaf_too',
			'whk_made_1',
		]);
		expect(warnings()).toContain(
			`webhook whk_deaf, whose address ${old.url} receives nothing, was deleted to make room`,
		);
	});

	it('after n8n has moved is looked after soon', async () => {
		await createEndpoint(endpoints, WANTED, replacing());
		expect(wire.state.failedAt).toBe(0);
		wire.add('whk_old', old);
		await createEndpoint(endpoints, WANTED, replacing());
		expect(wire.state.failedAt).toBeGreaterThan(0);
	});

	it('at the limit runs what the endpoint has missed whose place it takes before that goes', async () => {
		full();
		wire.add('whk_old');
		wire.endpoints = wire.endpoints.slice(1);
		const payload = { id: 'evt_1' } as WebhookDelivery['payload'];
		wire.logs = { whk_old: [attempt('evt_1', 1, 60, { payload })] };
		let wasGiven: string[] = [];
		wire.during = (request) => {
			if (request.startsWith('DELETE')) wasGiven = [...wire.given];
		};
		await createEndpoint(endpoints, WANTED, replacing('whk_old'));
		expect(wasGiven).toEqual(['evt_1']);
	});

	it('at the limit names the time since the endpoint was switched off whose place it takes', async () => {
		full();
		wire.add('whk_off', { status: 'DISABLED' });
		wire.endpoints = wire.endpoints.slice(1);
		const log = Array.from({ length: 20 }, (_, n) => attempts(`e${n}`, 100 - n)).flat();
		wire.logs = { whk_off: log };
		await createEndpoint(endpoints, WANTED, replacing('whk_off'));
		const lines = wire.logged.filter((line) => line.includes('Compare'));
		expect(lines).toEqual([expect.stringContaining(`between ${log[0]?.created_at} and`)]);
	});

	it('at the limit takes no place for free that somebody else has made free, and names by their hosts what is at old addresses', async () => {
		running();
		full();
		for (const one of wire.endpoints) wire.know(one.id, Object.assign(one, old));
		wire.logs = Object.fromEntries(
			wire.endpoints.map(({ id }) => [id, arrived(attempts('evt_1', 60))]),
		);
		Object.assign(wire.endpoints[0] ?? {}, { status: 'DISABLED' });
		wire.during = (request) =>
			request === 'DELETE /webhooks/whk_0' ? refusal(404, 'webhook_endpoint_not_found') : undefined;
		const failure = createEndpoint(endpoints, WANTED, replacing());
		await expect(failure).rejects.toThrow(/all 5 endpoints are taken, by old\.example\.com \(5\)/);
		const reads = () => wire.requests.filter((request) => request.endsWith('deliveries')).length;
		const before = reads();
		await expect(createEndpoint(endpoints, WANTED, replacing())).rejects.toThrow('all 5 endpoints');
		expect(reads() - before).toBeLessThanOrEqual(1);
	});

	it('at the limit makes room by what the service has switched off there, whatever it had received', async () => {
		running();
		full();
		wire.endpoints.pop();
		wire.add('whk_off', { ...old, status: 'DISABLED' });
		wire.logs = { whk_off: arrived(attempts('evt_1', 60)) };
		await createEndpoint(endpoints, WANTED, replacing());
		expect(idsLeft()).not.toContain('whk_off');
	});

	it('at the limit makes room by that of another trigger that runs here and has moved, its own first', async () => {
		const other = { ...wire.context, getNode: () => ({ ...wire.context.getNode(), id: 'node-2' }) };
		const theirs = { owner: 'n8n/workflow/node-2', status: 'DISABLED' as const };
		for (const context of [wire.context, other]) running(context);
		for (const id of ['whk_other', 'whk_other_too', 'whk_here'])
			wire.add(id, { ...theirs, ...old, isKnown: false });
		for (const { id, url } of wire.endpoints)
			wire.know(id, { ...theirs, url }, wire.process.stateOf(other));
		wire.add('whk_deaf', { ...old, status: 'DISABLED' });
		const here = wire.process.stateOf(other).activation.wanted?.url ?? '';
		wire.know('whk_here', { ...theirs, url: here, at: 2 }, wire.process.stateOf(other));
		wire.places = 4;
		for (let n = 0; n < 3; n++) await createEndpoint(endpoints, WANTED, replacing());
		expect(idsLeft()).toEqual(['whk_here', 'whk_made_1', 'whk_made_2', 'whk_made_3']);
		const deleted = wire.requests.filter((request) => request.startsWith('DELETE'));
		expect(deleted).toEqual(
			['whk_deaf', 'whk_other', 'whk_other_too'].map((id) => `DELETE /webhooks/${id}`),
		);
		await expect(createEndpoint(endpoints, WANTED, replacing())).rejects.toThrow(
			/all 4 endpoints are taken/,
		);
	});

	it('never makes room like that for a test, nor while there is a place', async () => {
		full();
		wire.endpoints.pop();
		wire.add('whk_deaf', { url: 'https://old.example.com/x' });
		wire.logs = { whk_deaf: attempts('evt_1', 60) };
		const test = new OwnEndpoints(wire.context, wire.process.stateOf(wire.context, true), {});
		await expect(createEndpoint(test, WANTED, replacing())).rejects.toThrow(
			/all 5 endpoints are taken/,
		);
		wire.places = 6;
		await createEndpoint(endpoints, WANTED, replacing());
		expect(idsLeft()).toContain('whk_deaf');
	});

	it('where every place is taken is refused, in a line that says what to do and who holds them', async () => {
		full();
		const url = 'https://n8n.example.com/webhook/other/webhook';
		wire.add('whk_of_another', { isKnown: false, url });
		const other = { ...wire.context, getNode: () => ({ ...wire.context.getNode(), id: 'node-2' }) };
		const { activation } = wire.process.stateOf(other);
		Object.assign(activation, { wanted: { ...WANTED, url }, activeFor: 'Contracts' });
		wire.endpoints = wire.endpoints.slice(1);
		await expect(createEndpoint(endpoints, WANTED, replacing())).rejects.toMatchObject({
			message:
				'Delete a webhook endpoint or unpublish a workflow: all 5 endpoints are taken, by crm.example.com (4), the workflow "Contracts"',
			description: expect.stringContaining('Webhook > Delete') as string,
		});
		for (const id of idsLeft()) expect(warnings()).toContain(`${id} (`);
		expect(wire.requests).toEqual(['POST /webhooks', 'GET /webhooks']);
		// Whoever has seen the list need not ask: a trigger without a place leaves the key to others.
		wire.requests.length = 0;
		await expect(createEndpoint(endpoints, WANTED, await find())).rejects.toThrow(
			/all 5 endpoints are taken/,
		);
		expect(wire.requests).toEqual(['GET /webhooks']);
	});
});
