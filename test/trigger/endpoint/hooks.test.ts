import type { IDataObject } from 'n8n-workflow';
import { client, type WebhookDelivery } from '../../../nodes/ESign/client';
import { activate as activateHook, remove } from '../../../nodes/ESign/trigger/endpoint/hooks';
import { TriggerProcess } from '../../../nodes/ESign/trigger/triggerState';
import { attempts } from '../support/attempts';
import { refusal, turns, Wire } from '../support/wire';

let wire: Wire;

const payload = { id: 'missed' } as WebhookDelivery['payload'];
const missed = {
	...(attempts('missed', 80)[0] as WebhookDelivery),
	payload,
	endpointId: 'whk_made_1',
};

beforeEach(() => {
	wire = new Wire({ events: ['document.sent'] });
});

/** As n8n does: what fails is followed by `delete`. */
async function activate(activation = 'activate'): Promise<void> {
	wire.activation = activation;
	try {
		await activateHook(wire.context, wire.process);
	} catch (error) {
		await remove(wire.context, wire.process);
		throw error;
	}
}

describe('Activating', () => {
	it('makes an endpoint and saves it, which the next start finds with one request, also under another name', async () => {
		wire.add('whk_off', { status: 'DISABLED' });
		await activate();
		// What it replaces is left to the look, which lists them.
		expect(wire.state.activation).toMatchObject({ isOver: true });
		await wire.look();
		expect(wire.endpoints).toMatchObject([
			{ id: 'whk_made_1', url: Wire.URL, events: ['document.sent'] },
		]);
		wire.state.save(wire.context);
		wire.requests.length = 0;
		wire.process = new TriggerProcess();
		wire.nodeName = 'Signed contracts';
		await activate('init');
		expect(wire.requests).toEqual(['GET /webhooks']);
		expect(wire.state.activation).toMatchObject({ isOver: true });
	});

	it.each<[string, IDataObject, string[]]>([
		['runs what was missed', {}, ['missed']],
		['runs what was missed, if it is to', { 'options.recoverMissed': true }, ['missed']],
		['leaves out what was missed, if it is not to run', { 'options.recoverMissed': false }, []],
	])('%s', async (_what, options, given) => {
		wire = new Wire({ events: ['document.sent'], ...options });
		wire.add('whk_1');
		wire.logs = {
			whk_1: attempts('missed', 80).map((one) => ({
				...one,
				payload: { ...one.payload, id: one.event_id },
			})),
		};
		await activate('init');
		await wire.look();
		expect(wire.given).toEqual(given);
	});

	it('takes one event without a list, as a program may write it', async () => {
		wire = new Wire({ events: 'document.sent' });
		await activate('activate');
		expect(wire.endpoints).toMatchObject([{ events: ['document.sent'] }]);
	});

	it.each<[string, IDataObject, string, RegExp]>([
		['no event', { events: [] }, Wire.URL, /No event is selected/],
		['nothing for the list', { events: null }, Wire.URL, /No event is selected/],
		[
			'an unknown event',
			{ events: ['document.sent', 'document.shredded'] },
			Wire.URL,
			/document\.shredded/,
		],
		[
			'no https',
			{},
			'http://n8n.example.com/webhook/1',
			/https URLs only.*http:\/\/n8n\.example\.com/,
		],
		['no URL', {}, 'https://n8n.example.com:port/webhook/1', /https URLs only.*example\.com:port/],
	])(
		'is refused before any request with %s, also at a start',
		async (_what, parameters, url, message) => {
			wire = new Wire({ events: ['document.sent'], ...parameters });
			wire.url = url;
			for (const mode of ['activate', 'init'])
				await expect(activate(mode)).rejects.toThrow(message);
			expect(wire.requests).toEqual([]);
		},
	);

	it.each([
		['activate', 403],
		['update', 401],
	])(
		'fails when the service does not say what it has (%s, %d), and makes no twin once it does',
		async (mode, status) => {
			wire.add('whk_1');
			wire.during = (request) => (request === 'GET /webhooks' ? refusal(status) : undefined);
			await expect(activate(mode)).rejects.toMatchObject({ httpCode: String(status) });
			wire.during = () => undefined;
			await activate(mode);
			expect(wire.endpoints).toHaveLength(1);
			expect(wire.state.activation.isOver).toBe(true);
		},
	);

	it.each([
		['init', 401],
		['init', 503],
		['leadershipChange', 402],
	])(
		'continues at a start (%s) whatever the service answers (%d), and leaves the rest to the look',
		async (mode, status) => {
			wire.add('whk_1');
			wire.during = () => refusal(status);
			await activate(mode);
			expect(wire.state.activation).toMatchObject({ isOver: true, wanted: { url: Wire.URL } });
			expect(wire.requests).not.toContain('POST /webhooks');
			expect(wire.logged).toEqual([
				expect.stringMatching(/error: eSign: the webhook could not be checked/),
			]);
		},
	);
});

describe('Deactivating', () => {
	it('names what was missed also where its endpoint is gone, and no time without one', async () => {
		await activate();
		wire.endpoints.length = 0;
		wire.state.endpoints.remove('whk_made_1');
		wire.state.markWithoutEndpoint(1);
		wire.state.missed.set('missed', missed);
		wire.refused = ['missed'];
		await remove(wire.context, wire.process);
		expect([wire.given, wire.state.missed.size]).toEqual([[], 0]);
		expect(wire.logged.join()).toContain('was not run, because the trigger was switched off');
		await activate();
		expect(wire.logged.join()).not.toContain('there was no webhook');
	});

	it('deletes the trigger’s own endpoint after a look at its delivery log, and no other', async () => {
		wire.add('whk_1');
		wire.add('whk_moved', { url: 'https://old.example.com/webhook/hook-1/webhook' });
		wire.add('whk_2', { isKnown: false });
		await remove(wire.context, wire.process);
		expect(wire.requests).toEqual(['GET /webhooks/whk_1/deliveries', 'DELETE /webhooks/whk_1']);
		expect(wire.staticData['eSign/node-1']).toMatchObject({
			endpoint: [{ id: 'whk_moved' }, { id: 'whk_1', isRemoved: true }],
		});
	});

	it('deletes what another main process has made at the trigger’s new URL', async () => {
		const here = wire.process;
		await activate();
		wire.process = new TriggerProcess();
		// That of a node without a webhook ID holds the name of the node.
		wire.url = 'https://n8n.example.com/webhook/workflow/renamed/webhook';
		await activate('update');
		expect(wire.endpoints.map(({ id }) => id)).toEqual(['whk_made_1', 'whk_made_2']);
		await remove(wire.context, here);
		expect(wire.endpoints.map(({ id }) => id)).toEqual(['whk_made_1']);
	});

	it('goes through when the service refuses: it is asked again, and else the next activation replaces the endpoint', async () => {
		for (const refusals of [1, 2]) {
			wire.add('whk_1');
			let left = refusals;
			wire.during = (request) =>
				request.startsWith('DELETE') && left-- > 0 ? refusal(403) : undefined;
			await remove(wire.context, wire.process);
			expect(wire.logged[0]).toMatch(/warn: eSign: webhook whk_1 could not be deleted/);
			await turns();
			expect(wire.endpoints).toHaveLength(refusals - 1);
		}
		wire.process = new TriggerProcess();
		await activate();
		wire.requests.length = 0;
		await wire.look();
		expect(wire.endpoints).toMatchObject([{ id: 'whk_made_1' }]);
		// Nobody wants what has happened while the trigger was switched off.
		expect(wire.requests).not.toContain('GET /webhooks/whk_1/deliveries');
		expect(wire.logged.join()).toContain('it was left behind when the trigger was deactivated');
	});
});

it('every hook ends in time with a service that takes requests and never answers', async () => {
	let silent = /POST/;
	wire.during = (request, timeout) => {
		// What is deleted in the background takes longer.
		if (silent.test(request)) wire.time += timeout;
		if (silent.test(request) || request.startsWith('DELETE'))
			throw Object.assign(new Error(), { code: 'ETIMEDOUT' });
	};
	const seconds = async (work: Promise<unknown>) => {
		const begin = client.now();
		await work.catch(() => undefined);
		return Math.round((client.now() - begin) / 1_000);
	};
	expect(await seconds(activateHook(wire.context, wire.process))).toBe(20);
	silent = /GET/;
	wire.add('whk_1');
	expect(await seconds(activateHook(wire.context, wire.process))).toBe(10);
	// Five to read the log, and as much to delete it.
	expect(await seconds(remove(wire.context, wire.process))).toBeLessThanOrEqual(10);
});

describe('A test listener', () => {
	const listen = () =>
		Object.assign(wire, { mode: 'manual', url: Wire.URL.replace('webhook', 'webhook-test') });

	it('begins without the events of an earlier one, and ends without a look at a log', async () => {
		wire.add('whk_1');
		listen();
		const { events } = wire.process.stateOf(wire.context, true);
		events.set('evt_1', { until: Infinity, outcome: 'pending' });
		await activate('manual');
		expect([events.size, wire.endpoints.length]).toEqual([0, 2]);
		wire.requests.length = 0;
		await remove(wire.context, wire.process);
		expect(wire.requests).toEqual(['DELETE /webhooks/whk_made_1']);
		expect(wire.state.endpoints.all()).toHaveLength(1);
	});

	it('that fails, and is stopped, leaves the published trigger as it is, also at a start', async () => {
		wire.add('whk_1');
		await activate();
		const before = { ...wire.state.activation };
		listen();
		wire.during = (request) => (request === 'POST /webhooks' ? refusal(401) : undefined);
		await expect(activate('init')).rejects.toMatchObject({ httpCode: '401' });
		expect([wire.state.activation, wire.endpoints.length]).toEqual([before, 1]);
	});

	it.each([
		['activated here', true, 'init'],
		['activated by another main process', false, 'update'],
	])('that ends forgets nothing of the published trigger, %s', async (_where, isHere, next) => {
		await activate();
		if (!isHere) wire.process = new TriggerProcess();
		wire.endpoints.length = 0;
		wire.state.endpoints.remove('whk_made_1');
		wire.state.markWithoutEndpoint(1);
		if (isHere) wire.state.missed.set('missed', missed);
		listen();
		await activate('manual');
		await remove(wire.context, wire.process);
		Object.assign(wire, { mode: 'trigger', url: Wire.URL });
		expect([wire.given, wire.state.missed.size]).toEqual([[], isHere ? 1 : 0]);
		await activate(next);
		expect(wire.logged.join()).toContain('there was no webhook. Compare the documents');
	});
});
