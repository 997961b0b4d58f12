import type { NodeApiError } from 'n8n-workflow';
import type { Endpoint } from '../../../nodes/ESign/client';
import { backoffMs } from '../../../nodes/ESign/client/retry/attempts';
import { defaultSettings } from '../../../nodes/ESign/client/settings';
import { has, IN_DOUBT, LOST, refused, Scenario, type Reply } from './support/scenario';

const times = (count: number, reply: Reply): Reply[] => Array.from({ length: count }, () => reply);
const after = (seconds: number, status = 503): Reply => [
	status,
	{},
	{ 'retry-after': String(seconds) },
];
const document = (status: string) => ({ id: 'doc_1', status, recipients: [] });
const READ = 'GET /account';
const DRAFT = 'POST /documents';
const SEND = 'POST /documents/{id}/send';
const CANCEL = 'POST /documents/{id}/cancel';
const PLACE = 'PUT /documents/{id}/fields';
const REPLAY = 'POST /webhooks/{id}/deliveries/{deliveryId}/replay';
const REMIND = 'POST /documents/{id}/remind';
const ROTATE = 'POST /template-links/{linkId}/rotate';
const UNLINK = 'DELETE /template-links/{linkId}';
const UPLOAD = 'POST /files';
const FROM_TEMPLATE = 'POST /templates/{id}/send';
const ENDPOINT = 'POST /webhooks';
const LINK = 'POST /templates/{id}/links';
const UNREACHABLE = 'ECONNREFUSED';

const TEST = { mode: 'TEST' };
const PLACED = { fields: [] };
const SIX_TIMES = [0, 0.5, 1.5, 3.5, 7.5, 15.5];
const INTERNAL = refused(500, 'internal_error');
const SUSPENDED = refused(403, 'org_suspended');
const NOT_FOUND = refused(404, 'template_link_not_found');

const NOBODY = 'nothing listens at the address of the service';
const MAY_BE = 'It may have been carried out';
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
const UNREAD = {
	description: 'Tried 6 times within 16 s. Try again later.',
	context: { outcome: 'not sent' },
};
const SPARE_DRAFT = {
	description: has('It may have been created all the same: a draft, which is never sent.'),
	...IN_DOUBT,
};

type Row = [string, Endpoint, Reply[], number[], object];

describe('A call that meets faults', () => {
	it.each<Row>([
		['is made again', READ, [500, LOST, 408, TEST], [0, 0.5, 1.5, 3.5], TEST],
		['is let rest as long as it asks', READ, [after(30), TEST], [0, 30], TEST],
		['waits for the limit', READ, [after(7, 429), TEST], [0, 7], TEST],
		['is a read, and never in doubt', READ, times(9, LOST), SIX_TIMES, UNREAD],
		['uploads again', UPLOAD, [LOST, LOST, { size_bytes: 1 }], [0, 0.5, 1.5], { size_bytes: 1 }],
		['makes another draft', DRAFT, [LOST, document('draft')], [0, 0.5], { id: 'doc_1' }],
		[
			'makes another draft, however often it did not arrive before',
			DRAFT,
			[UNREACHABLE, UNREACHABLE, LOST, document('draft')],
			[0, 0.5, 1.5, 3.5],
			{ id: 'doc_1' },
		],
		['makes two drafts at most', DRAFT, times(9, LOST), [0, 0.5], SPARE_DRAFT],
		['is never made again, if it sends', FROM_TEMPLATE, [LOST], [0], IN_DOUBT],
		[
			'is made again, never having arrived',
			REMIND,
			[UNREACHABLE, { reminded: 1 }],
			[0, 0.5],
			{ reminded: 1 },
		],
		['comes after what the service has failed at', PLACE, [500, PLACED], [0, 0.5], PLACED],
		['comes after what may come late', PLACE, [LOST, PLACED], [0, 65], PLACED],
		[
			'rotates when nothing can come after it',
			ROTATE,
			[LOST, { slug: 'n' }],
			[0, 65],
			{ slug: 'n' },
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
		['ends after six attempts', PLACE, times(9, INTERNAL), SIX_TIMES, SIXTH],
		['ends after two that may come late', PLACE, times(9, LOST), [0, 65], IN_DOUBT],
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
		['is in doubt, refused after a loss', PLACE, [500, SUSPENDED], [0, 0.5], IN_DOUBT],
		[
			'is a reminder, and goes out once',
			REMIND,
			[LOST],
			[0],
			{ description: has(`${MAY_BE}. Retry the execution: nothing is sent twice.`), ...IN_DOUBT },
		],
	])('%s: %s', async (_, endpoint, replies, seconds, outcome) => {
		const scenario = new Scenario(replies);
		expect(await scenario.call(endpoint).catch((error: unknown) => error)).toMatchObject(outcome);
		expect(scenario.seconds()).toEqual(seconds);
	});

	it('replaces something of a draft that this run has made without waiting', async () => {
		const scenario = new Scenario([LOST, LOST, PLACED]);
		await expect(scenario.call(PLACE, { isOfOwnDraft: true })).resolves.toEqual(PLACED);
		expect(scenario.seconds()).toEqual([0, 0.5, 1.5]);
	});

	const DRAFT_ANSWER = document('draft');
	const HINT = (spare: string) => has(`There may be a second one like it: ${spare}`);

	it.each<[Endpoint, object, string]>([
		[DRAFT, DRAFT_ANSWER, 'a draft, which is never sent'],
		[FROM_TEMPLATE, DRAFT_ANSWER, 'a draft, which is never sent'],
		[ENDPOINT, { id: 'whk_2', signing_secret: 's' }, 'an endpoint whose signing secret is unknown'],
		[LINK, { id: 'lnk_2', slug: 's' }, 'a link whose URL is unknown'],
	])('makes a second one by %s, and tells of the spare', async (endpoint, answer, spare) => {
		const request = { body: { send: endpoint === FROM_TEMPLATE ? false : undefined } };
		const usual = new Scenario([answer]);
		await usual.call(endpoint, request);
		expect(usual.hints).toEqual([]);

		const lossy = new Scenario([LOST, answer]);
		await expect(lossy.call(endpoint, request)).resolves.toEqual(answer);
		expect(lossy.hints).toEqual([HINT(spare)]);

		const lost = new Scenario(times(9, LOST));
		await expect(lost.call(endpoint, request)).rejects.toMatchObject({
			description: has(`It may have been created all the same: ${spare}`),
			...IN_DOUBT,
		});
		expect(lost.seconds()).toEqual([0, 0.5]);
	});

	it.each<[string, Endpoint, number]>([
		['the pause', READ, 0.5],
		['the effect that may come late', PLACE, 65],
		['the document that is read at the end', SEND, 80.5],
	])('is given up at a deadline that %s would not keep', async (_, endpoint, seconds) => {
		const endsAfter = async (leftMs: number, words: string) => {
			const scenario = new Scenario(() => LOST);
			const failure = scenario.call(endpoint, { deadline: scenario.clock.now() + leftMs });
			await expect(failure).rejects.toThrow(words);
			return scenario.seconds().at(-1);
		};
		await expect(endsAfter(seconds * 1000 + 1, '')).resolves.toBe(seconds);
		await expect(endsAfter(seconds * 1000, 'in time: the connection broke')).resolves.toBeLessThan(
			seconds,
		);
	});

	it('waits for ten windows while others spend the limit of the key', async () => {
		const scenario = new Scenario([LOST, ...times(99, after(60, 429))]);
		await expect(scenario.call(SEND)).rejects.toMatchObject({
			message: has('the rate limit of this API key is used up'),
			description: has(MAY_BE),
			...IN_DOUBT,
		});
		expect(scenario.seconds()).toHaveLength(11);
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

it.each<[string, Reply, string | undefined]>([
	['while the call waits after a lost answer', LOST, 'in doubt'],
	['while the call waits, not having arrived', UNREACHABLE, undefined],
])('An execution that is stopped %s says what may have happened', async (_, reply, outcome) => {
	const scenario = new Scenario([reply, document('in_progress')]);
	const sleep = scenario.clock.sleep.bind(scenario.clock);
	scenario.clock.sleep = async (milliseconds) => {
		if (milliseconds === 500) scenario.stop();
		await sleep(milliseconds);
	};
	const failure = (await scenario.call(SEND).catch((error: unknown) => error)) as NodeApiError;
	expect(failure.message).toMatch(/^The execution was cancelled/);
	expect(failure.context.outcome).toBe(outcome);
	expect(scenario.seconds()).toEqual([0]);
});

it('An execution that is stopped while the service answers says what may have happened', async () => {
	const scenario: Scenario = new Scenario(() => (scenario.stop(), LOST));
	await expect(scenario.call(SEND)).rejects.toMatchObject({
		message: has('The execution was cancelled'),
		...IN_DOUBT,
	});
});

describe.each<[Endpoint, string, string]>([
	[SEND, 'document_not_draft', 'in_progress'],
	[CANCEL, 'document_not_in_progress', 'cancelled'],
])('%s', (endpoint, code, wanted) => {
	const already = refused(409, code);
	const done = document(wanted);
	const unread = { description: has(`was not answered. ${MAY_BE}`), ...IN_DOUBT };
	const asItIs = { httpCode: '409', context: { documentStatus: 'draft' } };
	const outcomeOf = async (scenario: Scenario) =>
		await scenario.call(endpoint).catch((error: unknown) => error);

	it.each<[string, Reply[], number[], object]>([
		['and is in the wanted state: success', [already, done], [0, 0], done],
		['and is not: refused', [already, document('draft')], [0, 0], asItIs],
		[
			'and cannot be read: refused',
			[already, SUSPENDED],
			[0, 0],
			{ httpCode: '409', context: KNOWN },
		],
		['after a fault: success', [502, already, done], [0, 0.5, 0.5], done],
		[
			'after a fault of the service, and is not: refused',
			[500, already, document('draft')],
			[0, 0.5, 0.5],
			asItIs,
		],
		[
			'after a fault, and is not, even later: refused',
			[502, already, document('draft'), document('draft')],
			[0, 0.5, 0.5, 65],
			asItIs,
		],
		[
			'after a fault, while the first is under way: success',
			[502, already, document('draft'), done],
			[0, 0.5, 0.5, 65],
			done,
		],
		[
			'after a fault, and cannot be read: in doubt',
			[502, already, SUSPENDED],
			[0, 0.5, 0.5],
			unread,
		],
		['for another reason, after a fault: success', [LOST, SUSPENDED, done], [0, 0.5, 65], done],
		[
			'for another reason, after a fault, and is not: refused',
			[LOST, SUSPENDED, document('draft')],
			[0, 0.5, 65],
			{ httpCode: '403', context: KNOWN },
		],
		['for another reason: refused', [SUSPENDED], [0], { httpCode: '403', context: KNOWN }],
	])('refused %s', async (_, replies, seconds, outcome) => {
		const scenario = new Scenario(replies);
		expect(await outcomeOf(scenario)).toMatchObject(outcome);
		expect(scenario.seconds()).toEqual(seconds);
		expect(scenario.hints.filter((hint) => !hint.startsWith('It was not known'))).toEqual([]);
	});

	it.each<[string, Reply, object]>([
		['in the wanted state: success', done, done],
		[
			'as it was: nothing has happened',
			document('draft'),
			{ message: has('connection broke'), ...UNSENT },
		],
	])('never answered, and the document is %s', async (_, read, outcome) => {
		const scenario = new Scenario([...times(6, LOST), read]);
		expect(await outcomeOf(scenario)).toMatchObject(outcome);
		expect(scenario.seconds()).toEqual([...SIX_TIMES, 80.5]);
	});
});

it.each(['completed', 'declined', 'expired'])(
	'A document found %s has been sent',
	async (status) => {
		const scenario = new Scenario([refused(409, 'document_not_draft'), document(status)]);
		await expect(scenario.call(SEND)).resolves.toMatchObject({ status });
	},
);

it('A call that waits until nothing can come says so at once, and in a hint', async () => {
	const scenario = new Scenario([LOST, PLACED]);
	await scenario.call(PLACE);
	expect(scenario.hints).toEqual([has('The node waited to check, so that nothing is done twice')]);
});
