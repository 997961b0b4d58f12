import type { IDataObject } from 'n8n-workflow';
import type { ApiRequest, Endpoint } from '../../../nodes/ESign/client';
import { backoffMs } from '../../../nodes/ESign/client/once/attempts';
import { defaultSettings } from '../../../nodes/ESign/client/settings';
import { has, IN_DOUBT, LOST, refused, Scenario, type Reply } from './support/scenario';

const times = (count: number, reply: Reply): Reply[] => Array.from({ length: count }, () => reply);
const after = (seconds: number, status = 503): Reply => [
	status,
	{},
	{ 'retry-after': String(seconds) },
];
const document = (status: string) => ({ id: 'doc_1', status });
const READ = 'GET /account';
const DRAFT = 'POST /documents';
const SEND = 'POST /documents/{id}/send';
const CANCEL = 'POST /documents/{id}/cancel';
const PLACE = 'PUT /documents/{id}/fields';
const REPLAY = 'POST /webhooks/{id}/deliveries/{deliveryId}/replay';
const REMIND = 'POST /documents/{id}/remind';
const ROTATE = 'POST /template-links/{linkId}/rotate';
const UNLINK = 'DELETE /template-links/{linkId}';
const UNREACHABLE = 'ECONNREFUSED';

const TEST = { mode: 'TEST' };
const SIX_TIMES = [0, 0.5, 1.5, 3.5, 7.5, 15.5];
const INTERNAL = refused(500, 'internal_error');
const SUSPENDED = refused(403, 'org_suspended');
const NOT_FOUND = refused(404, 'template_link_not_found');

const NOBODY = 'nothing listens at the address of the service';
const MAY_BE = 'It may or may not have been carried out';
const FAILED = { message: 'Could not replace the fields: the service answered with status 500' };
const SIXTH = {
	httpCode: '500',
	...FAILED,
	description: has(`Tried 6 times within 16 s. ${MAY_BE}`),
};
const UNSENT = {
	description: has('Nothing has been carried out.'),
	context: { outcome: 'not sent' },
};
const KNOWN = expect.not.objectContaining({ outcome: 'in doubt' }) as object;

type Row = [string, Endpoint, Reply[], number[], object];

describe('A call that meets faults', () => {
	it.each<Row>([
		['is made again', READ, [500, LOST, 408, TEST], [0, 0.5, 1.5, 3.5], TEST],
		['is let rest as long as it asks', READ, [after(30), TEST], [0, 30], TEST],
		['waits for the limit', READ, [after(7, 429), TEST], [0, 7], TEST],
		['makes another draft', DRAFT, [LOST, { id: 'doc_2' }], [0, 0.5], { id: 'doc_2' }],
		[
			'is made again, never having arrived',
			REMIND,
			[UNREACHABLE, { reminded: 1 }],
			[0, 0.5],
			{ reminded: 1 },
		],
		[
			'comes after what the service has failed at',
			PLACE,
			[500, { fields: [] }],
			[0, 0.5],
			{ fields: [] },
		],
		['comes after what may come late', PLACE, [LOST, { fields: [] }], [0, 75], { fields: [] }],
		[
			'rotates when nothing can come after it',
			ROTATE,
			[LOST, { slug: 'new' }],
			[0, 75],
			{ slug: 'new' },
		],
		[
			'has deleted, if a fault before it has',
			UNLINK,
			[500, NOT_FOUND],
			[0, 0.5],
			{ id: 'lnk_1', deleted: true },
		],
		[
			'has deleted nothing, if nothing was lost',
			UNLINK,
			[NOT_FOUND],
			[0],
			{ httpCode: '404', context: KNOWN },
		],
		[
			'is in doubt, if something else finds nothing',
			UNLINK,
			[500, 404],
			[0, 0.5],
			{ httpCode: '404', ...IN_DOUBT },
		],
		[
			'ends after six attempts',
			PLACE,
			times(9, INTERNAL),
			SIX_TIMES,
			{ ...SIXTH, context: { code: 'internal_error' } },
		],
		['ends after two that may come late', PLACE, times(9, LOST), [0, 75], IN_DOUBT],
		['ends unsent', DRAFT, times(9, UNREACHABLE), SIX_TIMES, { message: has(NOBODY), ...UNSENT }],
		[
			'ends at a bad certificate',
			DRAFT,
			['CERT_HAS_EXPIRED'],
			[0],
			{ description: has('Trying again will not help') },
		],
		[
			'ends in doubt',
			PLACE,
			[500, ...times(9, UNREACHABLE)],
			SIX_TIMES,
			{ message: has('status 500'), ...IN_DOUBT },
		],
		[
			'ends with a refusal',
			DRAFT,
			[refused(400, 'validation_error')],
			[0],
			{ httpCode: '400', context: KNOWN },
		],
		[
			'is refused, where a spare harms nobody',
			REPLAY,
			[LOST, SUSPENDED],
			[0, 0.5],
			{ httpCode: '403', context: KNOWN },
		],
		[
			'is a reminder, and goes out once',
			REMIND,
			[LOST],
			[0],
			{ description: has('may or may not have gone out') },
		],
		[
			'is read, if refused later, and known not to be sent',
			SEND,
			[LOST, SUSPENDED, document('draft')],
			[0, 0.5, 75],
			{ httpCode: '403', context: KNOWN },
		],
	])('%s: %s', async (_, endpoint, replies, seconds, outcome) => {
		const scenario = new Scenario(replies);
		expect(await scenario.call(endpoint).catch((error: unknown) => error)).toMatchObject(outcome);
		expect(scenario.seconds()).toEqual(seconds);
	});

	const SPARE = has('There may be a second draft like it, which is never sent');

	it.each<[Endpoint, Reply[], string[]]>([
		[DRAFT, [], []],
		[DRAFT, [LOST], [SPARE]],
		['POST /templates/{id}/send', [LOST], [SPARE]],
	])('makes a draft by %s, and after %j tells of a spare one', async (endpoint, faults, hints) => {
		const scenario = new Scenario([...faults, { id: 'doc_1' }]);
		await scenario.call(endpoint, { body: { send: false } });
		expect(scenario.hints).toEqual(hints);
		expect(scenario.replies).toEqual([]);
	});

	it.each<[string, Endpoint, number]>([
		['the pause', READ, 0.5],
		['the effect that may come late', PLACE, 75],
		['the last look', 'POST /templates/{id}/send', 75],
	])('is given up at a deadline that %s would not keep', async (_, endpoint, seconds) => {
		const endsAfter = async (leftMs: number, words: string) => {
			const scenario = new Scenario(({ path }) => (path === '/documents' ? { data: [] } : LOST));
			const failure = scenario.call(endpoint, { deadline: scenario.clock.now() + leftMs });
			await expect(failure).rejects.toThrow(words);
			return scenario.seconds().at(-1);
		};
		await expect(endsAfter(seconds * 1000 + 1, '')).resolves.toBe(seconds);
		await expect(endsAfter(seconds * 1000, 'in time: the connection broke')).resolves.toBeLessThan(
			seconds,
		);
	});

	it('waits ten minutes in all while others spend the limit of the key', async () => {
		const scenario = new Scenario([LOST, ...times(99, after(60, 429))]);
		await expect(scenario.call(SEND)).rejects.toMatchObject({
			message: has('the rate limit of this API key is used up'),
			description: has(`Gave up after waiting 10 min. ${MAY_BE}`),
			...IN_DOUBT,
		});
	});

	it.each([
		['the first time', 1, 0, 500],
		['twice as long each time', 4, 0, 4_000],
		['by a share of chance', 4, 1, 8_000],
		['up to the longest', 9, 1, 60_000],
		['as long as a fault asks', 1, 0, 30_000, 30_000],
		['but no longer than a minute', 1, 0, 60_000, 90_000],
	])('waits before it is sent again: %s', (_, failures, random, pause, retryAfterMs = 0) => {
		const settings = {
			...defaultSettings,
			backoffMs: 1000,
			longestBackoffMs: 60_000,
			random: () => random,
		};
		const outcome = { kind: 'unknown', reason: '', late: false, retryAfterMs } as const;
		expect(backoffMs(settings, failures, outcome)).toBe(pause);
	});
});

it.each<[string, Reply, boolean]>([
	['while the call waits after a lost answer', LOST, true],
	['while the call waits, not having arrived', UNREACHABLE, false],
])(
	'An execution that is stopped %s says what may have happened',
	async (_, reply, mayHaveHappened) => {
		const scenario = new Scenario([reply, document('in_progress')]);
		const sleep = scenario.clock.sleep.bind(scenario.clock);
		scenario.clock.sleep = async (milliseconds) => {
			if (milliseconds === 500) scenario.stop();
			await sleep(milliseconds);
		};
		await expect(scenario.call(SEND)).rejects.toMatchObject({
			context: { cancelled: true, mayHaveHappened },
		});
		expect(scenario.seconds()).toEqual([0]);
	},
);

it('An execution that is stopped while the service answers says what may have happened', async () => {
	const scenario: Scenario = new Scenario(() => (scenario.stop(), LOST));
	const context = { cancelled: true, mayHaveHappened: true };
	await expect(scenario.call(SEND)).rejects.toMatchObject({ context });
});

it('A call ends, and is known not to be sent, where a look has found nothing and nobody listens from then on', async () => {
	const scenario: Scenario = new Scenario(({ method }) => {
		if (scenario.timeline.length > 30) scenario.stop();
		if (method === 'GET') return { data: [] };
		return scenario.timeline.length === 1 ? LOST : UNREACHABLE;
	});
	await expect(scenario.call('POST /templates/{id}/send', { body: {} })).rejects.toMatchObject(
		UNSENT,
	);
});

it('What is saved of a lost answer gives no pin away', async () => {
	const saved: unknown[] = [];
	const body = { recipients: [{ email: 'ada@example.com', pin: '4711' }] };
	const scenario = new Scenario(() => [503, { quoted: 'pin 4711' }]);
	await scenario.call('POST /templates/{id}/send', { body }, { saved }).catch(() => undefined);
	expect(JSON.stringify(saved.map((one) => (one as { outcome: unknown }).outcome))).toMatch(
		/quoted(?!.*4711)/,
	);
});

describe.each<[Endpoint, string, string]>([
	[SEND, 'document_not_draft', 'in_progress'],
	[CANCEL, 'document_not_in_progress', 'cancelled'],
])('%s', (endpoint, code, wanted) => {
	const already = refused(409, code);
	const unread = { message: has('was lost: what it did to doc_1 is not known'), ...IN_DOUBT };

	it.each<[string, Reply[], object]>([
		[
			'after a fault has succeeded, if the document is in the wanted state',
			[already, document(wanted)],
			document(wanted),
		],
		[
			'after a fault stays refused otherwise',
			[already, document('draft')],
			{ httpCode: '409', context: KNOWN },
		],
		[
			'after a fault is in doubt, if the document cannot be read',
			[already, ...times(6, 503)],
			unread,
		],
	])('refused as already done %s', async (_, replies, outcome) => {
		const scenario = new Scenario([502, ...replies]);
		expect(await scenario.call(endpoint).catch((error: unknown) => error)).toMatchObject(outcome);
		expect(scenario.replies).toEqual([]);
		expect(scenario.timeline.at(-1)).toContain('GET /documents/doc_1');
		expect(scenario.hints.filter((hint) => !hint.startsWith('Waited '))).toEqual([]);
	});

	it('after a fault, and refused for good, is through', async () => {
		const scenario = new Scenario([502, already, document('draft'), already]);
		for (const requests of [3, 4]) {
			await expect(scenario.call(endpoint)).rejects.toMatchObject({ httpCode: '409' });
			expect(scenario.timeline).toHaveLength(requests);
		}
	});

	it('given up in doubt has succeeded, if the document is in the wanted state when nothing can come any more', async () => {
		const scenario = new Scenario([LOST, SUSPENDED, document(wanted)]);
		await expect(scenario.call(endpoint)).resolves.toEqual(document(wanted));
		expect(scenario.seconds()).toEqual([0, 0.5, 75]);
	});

	it('given up in doubt, and refused as already done when the item is tried again, is a success then', async () => {
		const scenario = new Scenario(times(12, 500));
		await expect(scenario.call(endpoint)).rejects.toMatchObject({ httpCode: '500', ...IN_DOUBT });
		scenario.replies = [already, document(wanted), already];
		await expect(scenario.call(endpoint)).resolves.toEqual(document(wanted));
		expect(scenario.hints.at(-1)).toEqual(
			has('was carried out, though its answer was lost: doc_1.'),
		);
		// Nothing was lost this time: it costs no further request.
		await expect(scenario.call(endpoint)).rejects.toMatchObject({ httpCode: '409' });
		expect(scenario.replies).toEqual([]);
	});
});

it.each(['completed', 'declined', 'expired'])(
	'A document found %s has been sent',
	async (status) => {
		const scenario = new Scenario([LOST, refused(409, 'document_not_draft'), document(status)]);
		await expect(scenario.call(SEND)).resolves.toMatchObject({ status });
	},
);

describe('POST /webhooks', () => {
	const url = 'https://n8n.example.com/webhook/1';
	const request: ApiRequest = { body: { url, events: ['document.sent'] } };
	const deleted = { id: 'whk_lost', deleted: true };
	const scenarioOf = (...after: Reply[]): Scenario => {
		const endpoint = (id: string, more: IDataObject = {}) => ({
			id,
			url,
			created_at: scenario.now(),
			...more,
		});
		const other = { url: 'https://n8n.example.com/webhook/2' };
		const list = () => ({
			data: [
				endpoint('whk_lost'),
				endpoint('whk_other', other),
				endpoint('whk_old', { created_at: scenario.now(100) }),
			],
		});
		const scenario: Scenario = new Scenario([500, list, ...after]);
		return scenario;
	};

	it('deletes the endpoint that a lost answer left, whose secret nobody knows, before it creates another', async () => {
		const scenario = scenarioOf(deleted, { id: 'whk_new' }, { data: [] });
		await expect(scenario.call('POST /webhooks', request)).resolves.toEqual({ id: 'whk_new' });
		const [post, list] = ['POST /webhooks', 'GET /webhooks'];
		expect(scenario.timeline).toEqual([
			`0 ${post}`,
			`0.5 ${list}`,
			'0.5 DELETE /webhooks/whk_lost',
			`0.5 ${post}`,
		]);
	});

	it('says so where it cannot be deleted', async () => {
		const failure = scenarioOf(refused(403, 'no')).call('POST /webhooks', request);
		await expect(failure).rejects.toMatchObject({
			message: has(
				'the webhook endpoint whk_lost, whose signing secret nobody knows, could not be deleted',
			),
			...IN_DOUBT,
		});
	});

	it.each<[string, number, number[]]>([
		['once it is certain', Infinity, [2, 10, 30, 75]],
		['in time for a deadline, rather than none', 45, [2, 10, 30]],
	])('makes a second one %s, and deletes the first when it shows', async (_, seconds, looks) => {
		const created = { url, created_at: new Scenario([]).now(-1) };
		// Somebody else was first.
		const gone = refused(404, 'webhook_endpoint_not_found');
		const late = { data: ['whk_lost', 'whk_new'].map((id) => ({ id, ...created })) };
		const scenario = new Scenario([
			LOST,
			...times(looks.length, { data: [] }),
			{ id: 'whk_new' },
			late,
			gone,
		]);
		const deadline = scenario.clock.now() + seconds * 1000;
		await expect(scenario.call('POST /webhooks', { ...request, deadline })).resolves.toEqual({
			id: 'whk_new',
		});
		const [end] = looks.slice(-1);
		expect(scenario.seconds()).toEqual([0, ...looks, end, end, end]);
		expect(scenario.timeline.at(-1)).toContain('DELETE /webhooks/whk_lost');
		expect(scenario.hints.join()).not.toMatch(/Check both|could not check/);
		expect(scenario.log.at(-1)).toContain('whk_lost was deleted again');
	});

	it('leaves nothing behind when it gives up', async () => {
		const scenario = scenarioOf(deleted);
		Object.assign(scenario.client.settings, { attempts: 1 });
		await expect(scenario.call('POST /webhooks', request)).rejects.toMatchObject({
			description: has('nothing has been created'),
		});
		expect(scenario.timeline.at(-1)).toContain('DELETE /webhooks/whk_lost');
	});
});

describe('POST /templates/{id}/links', () => {
	const signers = [
		{ placeholder_id: 'ph_1', is_open: true },
		{ placeholder_id: 'ph_2', is_open: false, name: 'Ben', email: 'Ben@example.com' },
	];
	const body = { signers, label: 'L', max_uses: 5, expires_at: '2030-01-01T00:00:00Z' };
	const link = (more: IDataObject = {}) => ({
		id: 'lnk_9',
		label: 'L',
		headline: null,
		message: null,
		redirect_url: null,
		expires_at: '2030-01-01T00:00:00.000Z',
		max_uses: 5,
		signers: [
			{ placeholder_id: 'ph_2', role: 'B', is_open: false, name: 'Ben', email: 'ben@example.com' },
			{ placeholder_id: 'ph_1', role: 'A', is_open: true, name: null, email: null },
		],
		...more,
	});

	it.each<[string, IDataObject, string]>([
		['the same link', {}, 'lnk_9'],
		['one with another label', { label: 'M' }, 'lnk_new'],
		['one with another headline', { headline: 'H' }, 'lnk_new'],
		['one with another limit', { max_uses: 6 }, 'lnk_new'],
		['one with another end', { expires_at: null }, 'lnk_new'],
		[
			'one with another signer',
			{ signers: [{ placeholder_id: 'ph_1', is_open: true }] },
			'lnk_new',
		],
		['an older one', { created_at: '2020-01-01T00:00:00.000Z' }, 'lnk_new'],
	])('finds what a lost answer left: %s', async (_, more, id) => {
		const list = () => ({ data: [link({ created_at: scenario.now(), ...more })] });
		const scenario: Scenario = new Scenario([500, list, link({ id: 'lnk_new' })]);
		await expect(scenario.call('POST /templates/{id}/links', { body })).resolves.toMatchObject({
			id,
		});
	});
});
