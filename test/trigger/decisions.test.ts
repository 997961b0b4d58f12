import type { IDataObject, IWebhookFunctions } from 'n8n-workflow';
import { isTestUrlOfSameN8n } from '../../nodes/ESign/trigger/endpoint/createEndpoint';
import { reasonToReplace } from '../../nodes/ESign/trigger/endpoint/ownEndpoints';
import type { WebhookEndpoint } from '../../nodes/ESign/client';
import { EntrySet } from '../../nodes/ESign/messages/entrySet';
import {
	TriggerProcess,
	TriggerState,
	type KnownEndpoint,
} from '../../nodes/ESign/trigger/triggerState';
import { unfit } from '../../nodes/ESign/waiting/registerWithTriggers';
import { ENDING_EVENTS } from '../../nodes/ESign/service/ending';
import { mergeWaits, Waits } from '../../nodes/ESign/trigger/waits/waits';
import type { WaitingExecution } from '../../nodes/ESign/messages/message';
import { readDocuments } from '../../nodes/ESign/waiting/readDocuments';
import { wakeResultOf } from '../../nodes/ESign/trigger/waits/wake';
import { calledAt } from '../../nodes/ESign/waiting/wakeUrl';

const held: KnownEndpoint = {
	id: 'whk_1',
	secret: 's',
	url: 'https://a',
	owner: 'o',
	events: [],
	at: 5,
};

describe('An endpoint', () => {
	const listed = { id: 'whk_1', status: 'ACTIVE', events: ['document.sent'] } as WebhookEndpoint;
	const wanted = { url: 'https://a', events: ['document.sent' as const] };

	it('is replaced for a reason', () => {
		expect(reasonToReplace(listed, held, wanted)).toBeUndefined();
		expect(reasonToReplace(listed, undefined, wanted)).toMatch(/secret is lost/);
		expect(reasonToReplace(listed, { ...held, retired: true }, wanted)).toMatch(/left behind/);
		expect(reasonToReplace({ ...listed, status: 'DISABLED' }, held, wanted)).toMatch(
			/switched it off/,
		);
		expect(reasonToReplace({ ...listed, events: [] }, held, wanted)).toMatch(/events/);
		const two = ['document.sent', 'document.expired'] as const;
		const reversed = { url: wanted.url, events: [...two].reverse() };
		expect(reasonToReplace({ ...listed, events: [...two] }, held, reversed)).toBeUndefined();
	});

	it('that the service has switched off wakes nobody', () => {
		const events = [...ENDING_EVENTS];
		expect(unfit({ status: 'ACTIVE', events })).toBeUndefined();
		expect(unfit({ status: 'DISABLED', events })).toMatch(/switched off/);
	});

	it('of a test is known by its URL, whatever the case of the host', () => {
		const own = 'https://n8n.example.com/sub/webhook/a/webhook';
		expect(isTestUrlOfSameN8n('https://N8N.example.com/sub/webhook-test/b/webhook', own)).toBe(
			true,
		);
		expect(isTestUrlOfSameN8n('https://n8n.example.com/webhook-test/b/webhook', own)).toBe(false);
		expect(isTestUrlOfSameN8n('https://n8n.example.com/sub/webhook/b/webhook', own)).toBe(false);
	});
});

describe('What a trigger knows', () => {
	const data: IDataObject = {};
	const context = {
		getNode: () => ({ id: 'node-1' }),
		getWorkflowStaticData: () => data,
	} as unknown as IWebhookFunctions;
	const known = (id: string, at: number) => ({ ...held, id, at });
	const newState = () => new TriggerState(new TriggerProcess(), false);
	const saved = () => (data['eSign/node-1'] as { endpoint?: KnownEndpoint[] }).endpoint;
	let state: TriggerState;
	beforeEach(() => {
		for (const key of Object.keys(data)) delete data[key];
		state = newState();
	});

	it('is saved, and what is stored is not written again', () => {
		state.endpoints.keep(known('a', 1));
		state.save(context);
		expect(saved()).toEqual([known('a', 1)]);
		const before = data['eSign/node-1'];
		state.endpoints.keep(known('a', 1));
		state.save(context);
		expect(data['eSign/node-1']).toBe(before);
		const next = newState();
		next.load(context);
		expect(next.endpoints.all()).toEqual([known('a', 1)]);
	});

	it('keeps the newest of what is too much, and leaves alone what is not its own', () => {
		const set = new EntrySet(3);
		for (const at of [3, 1, 4, 2]) set.keep({ id: String(at), at });
		expect(set.toShare().map(({ id }) => id)).toEqual(['4', '3', '2']);
		data['eSign/node-2'] = 'other';
		state.save(context);
		expect(data).toMatchObject({ 'eSign/node-2': 'other' });
	});

	it('takes the later of two, and no older one from a snapshot', () => {
		state.merge({ endpoint: [known('a', 2), 'text', null] });
		data['eSign/node-1'] = { endpoint: [known('a', 1)] };
		state.load(context);
		expect(state.endpoints.all()).toEqual([known('a', 2)]);
	});

	it('does not take back from an old copy what was removed, and takes what is newer', () => {
		state.endpoints.keep(known('a', 2));
		state.save(context);
		state.endpoints.remove('a');
		state.load(context);
		expect(state.endpoints.all()).toEqual([]);
		state.save(context);
		expect(saved()).toEqual([{ id: 'a', at: 2, isRemoved: true }]);
		state.merge({ endpoint: [known('a', 3)] });
		expect(state.endpoints.get('a')).toEqual(known('a', 3));
	});

	it('and one process has removed, another one forgets, unless it knows something later', () => {
		const others = [newState(), newState()];
		others[0]?.endpoints.keep(known('a', 2));
		others[1]?.endpoints.keep(known('a', 3));
		state.endpoints.keep(known('a', 2));
		state.endpoints.remove('a');
		// Nor does it come back by whoever has heard of neither.
		const between = newState();
		between.merge(JSON.parse(JSON.stringify(state.toShare())));
		for (const other of others) other.merge(between.toShare());
		expect(others.map(({ endpoints }) => endpoints.all())).toEqual([[], [known('a', 3)]]);
	});
});

describe('Executions that wait', () => {
	const resumeUrl = '/webhook-waiting/1?t';
	const until = Date.now() + 1e6;
	const wait = { id: 'k', execution: '1', resumeUrl, until, at: 1 };
	const waitFor = (...documents: string[]): WaitingExecution => ({ ...wait, documents });

	it('are called when none of their documents is left, and not before', () => {
		const waits = new Waits();
		waits.keep(waitFor('a', 'b'));
		expect(waits.countDown((id) => id === 'a')).toBe(true);
		expect(waits.countDown((id) => id === 'a')).toBe(false);
		expect(waits.countDown((id) => id === 'b')).toBe(true);
		expect(waits.all()).toMatchObject([{ documents: [] }]);
	});

	it('of which two processes have counted down a document each wait for none', () => {
		expect(mergeWaits(waitFor('b'), waitFor('a')).documents).toEqual([]);
		// It has said that one is open after all.
		const later = { ...waitFor('b'), at: 2 };
		expect([mergeWaits(waitFor('a'), later), mergeWaits(later, waitFor('a'))]).toEqual([
			later,
			later,
		]);
	});

	it('for a second time say which documents are open, also by a clock that is behind', () => {
		const waits = new Waits();
		const at = Date.now() - 9;
		const request = { id: 'first', execution: '1', resumeUrl, documents: ['a'], at };
		waits.register(request);
		waits.remove('first');
		for (const documents of [['b', 'c'], ['c']])
			waits.register({ ...request, id: 'second', documents });
		// A message that was late on its way.
		waits.register(request);
		expect(waits.all()).toMatchObject([{ id: 'second', documents: ['c'] }]);
	});

	it('and begin together ask for their documents together, and alone once another is cancelled', async () => {
		const body = { id: 'doc_1', status: 'draft', recipients: [] };
		const contextOf = (cancelled?: AbortSignal, apiKey = 'sk_test_1') => ({
			getNode: () => ({ credentials: { eSignApi: { id: '1', name: 'eSign' } } }),
			getExecutionId: () => undefined,
			getExecutionCancelSignal: () => cancelled,
			getCredentials: async () => ({ baseUrl: 'https://api.example.com/v1', apiKey }),
			helpers: {
				httpRequestWithAuthentication: async () => {
					asked.push(apiKey);
					return { statusCode: 200, headers: {}, body };
				},
			},
		});
		const asked: string[] = [];
		const read = async (cancelled?: AbortSignal, apiKey?: string) =>
			await readDocuments(contextOf(cancelled, apiKey) as never, new Map([['doc_1', 0]]));
		const cancelled = expect(read(AbortSignal.abort())).rejects.toThrow('cancelled');
		expect([...(await read()).values()]).toEqual([body]);
		await cancelled;
		asked.length = 0;
		// An expression in the credential may give each execution a key of its own.
		await Promise.all([read(), read(), read(undefined, 'sk_test_2')]);
		expect(asked.sort()).toEqual(['sk_test_1', 'sk_test_2']);
	});

	it('for long are not crowded out by those that have gone on', () => {
		const waits = new Waits();
		waits.keep(waitFor('a'));
		for (let n = 0; n < 2_500; n++) {
			waits.keep({ ...waitFor('b'), id: `gone_${n}`, at: n + 2 });
			waits.remove(`gone_${n}`);
		}
		const shared = waits.toShare();
		expect([shared.length, shared[0]]).toEqual([501, waitFor('a')]);
	});

	it('are a thousand, of which each may say again what it waits for; an hour after their time they make room', () => {
		const waits = new Waits();
		const waitOf = (id: string) => ({ ...waitFor('a'), id, execution: id });
		for (let n = 0; n <= 1_000; n++) waits.keep(waitOf(String(n)));
		const another = waitOf('another');
		expect([waits.register(waitOf('5')), waits.register(another)]).toEqual(['taken', 'full']);
		for (const wait of waits.all())
			waits.keep({ ...wait, at: wait.at + 1, until: Date.now() - 3_600_000 });
		waits.dropPast();
		expect([waits.register(another), waits.all().length]).toEqual(['taken', 1]);
	});

	it.each([resumeUrl, '/rest/login', '//example.com/x', 'https://example.com/x'])(
		'are called at no other address: %s',
		(url) => {
			expect(calledAt(url, 'https://n8n/a/webhook/x')).toMatch(
				/^https:\/\/n8n\/[^?]+\/esign-documents(\?t)?$/,
			);
		},
	);

	it.each<[unknown, number, string]>([
		[{ code: 409, message: 'The execution "1" is running already.' }, 409, 'running'],
		[{ code: 409, message: 'The execution "1 has finished already.' }, 409, 'over'],
		[{ code: 404, message: 'The execution "1" does not exist.' }, 404, 'over'],
		['', 307, 'over'],
		['does not exist', 404, 'unclear'],
		[{ message: 'is running already' }, 409, 'unclear'],
		[{ code: 503, message: 'Database is not ready!' }, 503, 'unclear'],
	])('answered %j (%d) are %s', (body, status, kind) => {
		expect(wakeResultOf({ body, status }).kind).toBe(kind);
	});
});
