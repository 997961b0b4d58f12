import type { ApiContext } from '../../../nodes/ESign/client';
import type { CallSite } from '../../../nodes/ESign/client/call/call';
import {
	cancellation,
	exhausted,
	failure,
	isGone,
	leavesOpen,
	limitUsedUp,
	readCallFailure,
} from '../../../nodes/ESign/client/errors/failure';
import { NODE } from '../support/node';

const CONTEXT = { getNode: () => NODE } as ApiContext;
const site = (endpoint: CallSite['endpoint'], send?: boolean): CallSite => ({
	context: CONTEXT,
	endpoint,
	request: { body: { send } },
});

describe('A call that was given up says', () => {
	it.each([
		[0, '1 s'],
		[1_000, '1 s'],
		[1_001, '2 s'],
		[119_000, '119 s'],
		[119_001, '2 min'],
		[7_199_000, '120 min'],
		[7_199_001, '2 h'],
		[86_399_000, '24 h'],
		[86_399_001, '24 h or more'],
	])('when there is room again: %d ms are %s', (ms, time) => {
		const { message, description } = limitUsedUp(site('GET /account'), 'not sent', ms);
		expect(message).toMatch(new RegExp(`is used up, and resets in ${time}$`));
		expect(description).toBe(`Try again in ${time}, or use a key with room left.`);
	});

	it('to try again later, where nobody knows when there is room', () => {
		const { message, description } = limitUsedUp(site('GET /account'), 'not sent');
		expect(message).toMatch(/is used up$/);
		expect(description).toBe('Try again later, or use a key with room left.');
	});

	it.each([
		[1, /^Tried once\. Nothing/],
		[2, /^Tried 2 times within 4 s\. Nothing/],
	])('how often it was tried: %d', (attempts, said) => {
		const { description } = exhausted(
			site('POST /documents/{id}/send'),
			'not sent',
			{ reason: 'no' },
			{ attempts, ms: 4_000 },
		);
		expect(description).toMatch(said);
	});

	it.each<[CallSite['endpoint'], boolean | undefined, RegExp]>([
		['GET /account', undefined, /^Tried once\. Try again later\.$/],
		['POST /documents/{id}/send', undefined, /nothing is sent twice/],
		['POST /documents/{id}/cancel', undefined, /nothing is sent twice/],
		['POST /templates/{id}/send', undefined, /nothing is sent twice/],
		['POST /templates/{id}/send', false, /may have been created all the same/],
		['PUT /documents/{id}/fields', undefined, /check before repeating it/],
	])('what may have come of it: %s, sending %s', (endpoint, send, said) => {
		const times = { attempts: 1, ms: 0 };
		const error = exhausted(site(endpoint, send), 'in doubt', { reason: 'no' }, times);
		expect(error.description).toMatch(said);
	});

	it.each<[CallSite['endpoint'], RegExp]>([
		[
			'POST /documents/{id}/send',
			/carried out\. Set Skip If .* publish .* send this item unchanged in a new execution/,
		],
		[
			'POST /templates/{id}/send',
			/carried out\. Set Skip If .* publish .* send this item unchanged in a new execution/,
		],
		['POST /documents/{id}/remind', /carried out\. Check before repeating it\./],
	])('what to do where the execution continues and offers no retry: %s', (endpoint, said) => {
		const context = { getNode: () => NODE, continueOnFail: () => true } as unknown as ApiContext;
		const continuing = { ...site(endpoint), context };
		const times = { attempts: 1, ms: 0 };
		const error = exhausted(continuing, 'in doubt', { reason: 'no' }, times);
		expect(error.description).toMatch(said);
		expect(error.description).not.toMatch(/retry/i);
	});
});

describe('A failed call', () => {
	const failed = (status: number | undefined, more = {}) =>
		failure(site('GET /account'), status, { message: 'No', description: '' }, more);
	const cancelled = (mayHaveHappened: boolean) =>
		cancellation(site('POST /documents'), mayHaveHappened);

	it.each([
		['an answer', failed(404, { code: 'document_not_found' }), 404, 'document_not_found'],
		['an answer without a code', failed(502), 502, ''],
		['no answer', failed(undefined), undefined, ''],
		['another error', new Error('No'), undefined, ''],
		['no error', 'No', undefined, ''],
	])('is read: %s', (_, error, status, code) => {
		expect(readCallFailure(error)).toMatchObject({ status, code, message: 'No' });
	});

	it.each([
		[404, 'document_not_found', true],
		[404, 'not_found_here', false],
		[404, '', false],
		[403, 'document_not_found', false],
	])('shows that something is gone, or not: %d %s', (status, code, gone) => {
		expect(isGone(failed(status, { code }))).toBe(gone);
	});

	it.each([
		['in doubt', failed(undefined, { outcome: 'in doubt' }), true],
		['not sent', failed(undefined, { outcome: 'not sent' }), false],
		['refused', failed(400), false],
		['cancelled on its way', cancelled(true), true],
		['cancelled before', cancelled(false), false],
		['a fault of the node', new TypeError('No'), true],
	])('leaves open whether it was carried out, or not: %s', (_, error, open) => {
		expect(leavesOpen(error)).toBe(open);
	});
});
