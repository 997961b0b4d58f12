import type { IN8nHttpFullResponse } from 'n8n-workflow';
import { outcomeOf } from '../../../nodes/ESign/client/call/outcome';
import {
	ENDPOINTS,
	type Endpoint,
	type EndpointRule,
} from '../../../nodes/ESign/service/endpoints';

function outcome(
	statusCode: number,
	body: unknown,
	{ endpoint = 'POST /webhooks' as Endpoint, headers = {} } = {},
) {
	return outcomeOf({ statusCode, body, headers } as IN8nHttpFullResponse, endpoint);
}

describe('What the answer to one attempt says', () => {
	it.each([200, 201, 299])('%i with an object is a success, and gives it', (status) => {
		const body = { id: 'whk_1', signing_secret: 'whsec_1' };
		expect(outcome(status, body)).toEqual({ kind: 'done', body });
	});

	it.each([
		['a page of a gateway', 200, '<html>'],
		['a list', 200, [1]],
		['null', 200, null],
		['nothing', 204, ''],
	])('of %s it is unknown what was done, and it may be done yet', (_, status, body) => {
		expect(outcome(status, body)).toEqual({
			kind: 'unknown',
			reason: `the answer of the service (status ${status}) could not be read`,
			late: true,
			status,
		});
	});

	describe.each(Object.entries(ENDPOINTS) as Array<[Endpoint, EndpointRule]>)(
		'of %s',
		(endpoint, { answer }) => {
			const isList = ['data', 'fields', 'recipients', 'roles'].includes(answer);

			it(`is a success with ${answer} only`, () => {
				const body = { [answer]: isList ? [] : false };
				expect(outcome(200, body, { endpoint })).toEqual({ kind: 'done', body });
			});

			it.each([
				{},
				{ ok: true },
				{ error: 'none' },
				{ [answer]: null },
				...(isList ? [{ [answer]: 'all' }] : []),
			])('is unknown with %j: whatever answered was not the service', (body) => {
				const reason = 'the answer of the service (status 200) could not be read';
				const unread = { kind: 'unknown', reason, late: true, status: 200 };
				expect(outcome(200, body, { endpoint })).toEqual(unread);
			});
		},
	);

	it.each([300, 302, 400, 404, 407, 409, 428, 499])(
		'%i is a refusal: nothing has happened',
		(status) => {
			const body = { error: { code: 'x' } };
			expect(outcome(status, body)).toEqual({ kind: 'refused', status, body });
		},
	);

	it('429 is the rate limit: nothing has happened, and it may be sent again', () => {
		expect(outcome(429, { error: {} })).toEqual({ kind: 'limited' });
	});

	it('500 is the service that has failed: nothing comes after it', () => {
		expect(outcome(500, { error: {} })).toEqual({
			kind: 'unknown',
			reason: 'the service answered with status 500',
			late: false,
			status: 500,
			retryAfterMs: 0,
		});
	});

	it.each([408, 501, 502, 503, 504])(
		'%i may be a proxy that gave up on a service still at work',
		(status) => {
			expect(outcome(status, '')).toMatchObject({ kind: 'unknown', late: true, status });
		},
	);

	it('learns how long the service asks to be left alone', () => {
		expect(outcome(503, '', { headers: { 'retry-after': '7' } })).toMatchObject({
			retryAfterMs: 7_000,
		});
	});
});
