import type { ServerResponse } from 'node:http';
import type { NodeApiError } from 'n8n-workflow';
import { defaultSettings } from '../../../nodes/ESign/client/settings';
import { inNode } from '../support/inNode';
import { quickClient } from '../support/quickClient';
import { json, scriptedOfThisFile } from '../support/scriptedService';

/** How the service answers the first request; the others get an account. */
let first: (response: ServerResponse) => void;
const service = scriptedOfThisFile((_, response) => {
	if (service.seen.length === 1) begin();
	if (service.seen.length === 1) first(response);
	else json(response, 200, { mode: 'TEST' });
});
const trickles: NodeJS.Timeout[] = [];

/** Fulfilled when the service begins to answer the first request. */
let begun: Promise<void>;
let begin: () => void;

beforeEach(() => {
	begun = new Promise((resolve) => (begin = resolve));
});
afterEach(() => jest.restoreAllMocks());
afterAll(() => trickles.forEach(clearInterval));

const DEADLINE_MS = 60_000;

/**
 * Patience with an answer ends once the service has begun the first, and at no other: not even
 * where the machine stands still.
 */
function endOfPatience(): void {
	const timeout = AbortSignal.timeout.bind(AbortSignal);
	jest.spyOn(AbortSignal, 'timeout').mockImplementation((milliseconds) => {
		// A pause, of a few milliseconds here.
		if (milliseconds < 1_000) return timeout(milliseconds);
		const patience = new AbortController();
		if (service.seen.length === 0) void begun.then(() => setTimeout(() => patience.abort(), 50));
		return patience.signal;
	});
}

/** One byte after the other: never silent for long, and never through. */
function trickle(response: ServerResponse): void {
	response.writeHead(200, { 'content-type': 'application/json', 'content-length': '1000000' });
	trickles.push(setInterval(() => response.write(' '), 20));
}

function switchProtocols(response: ServerResponse): void {
	response.socket?.write(
		'HTTP/1.1 101 Switching Protocols\r\nConnection: upgrade\r\nUpgrade: other\r\n\r\n',
	);
}

describe.each([
	['an answer that comes byte by byte', trickle],
	['an answer that changes the protocol', switchProtocols],
])('After %s', (_, answer) => {
	it('a read is made again', async () => {
		first = answer;
		endOfPatience();
		const client = quickClient();
		const { value } = await inNode(
			service.credential,
			async (context) => await client.call(context, 'GET /account'),
		);
		expect(value).toEqual({ mode: 'TEST' });
		expect(service.seen).toHaveLength(2);
	});

	it('a call with a deadline ends, in doubt', async () => {
		first = answer;
		endOfPatience();
		// The deadline passes while the service answers.
		const sent = defaultSettings.clock.now();
		const now = () => sent + (service.seen.length > 0 ? DEADLINE_MS : 0);
		const client = quickClient({ clock: { ...defaultSettings.clock, now } });
		const call = inNode(service.credential, async (context) => {
			const path = { id: 'doc_1' };
			return await client.call(context, 'POST /documents/{id}/send', {
				path,
				deadline: sent + DEADLINE_MS,
			});
		});
		const failure = (await call.catch((error: unknown) => error)) as NodeApiError;
		expect(failure.context).toMatchObject({ outcome: 'in doubt' });
	});
});
