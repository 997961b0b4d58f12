import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { EventEmitter } from 'node:events';

/** HTTP requests of this process, made or answered by it, that are under way. */
const open = new Set<unknown>();

function addUntilClosed(request: EventEmitter): void {
	open.add(request);
	request.once('close', () => open.delete(request));
}

const add = (message: unknown) => open.add((message as { request: unknown }).request);
const remove = (message: unknown) => open.delete((message as { request: unknown }).request);

const CHANNELS: Record<string, (message: unknown) => void> = {
	'http.client.request.start': (message) =>
		addUntilClosed((message as { request: EventEmitter }).request),
	'http.server.request.start': (message) =>
		addUntilClosed((message as { response: EventEmitter }).response),
	// `fetch`.
	'undici:request:create': add,
	'undici:request:trailers': remove,
	'undici:request:error': remove,
};

// The channels are those of the process, which continues with the next test file.
for (const [channel, listener] of Object.entries(CHANNELS)) {
	subscribe(channel, listener);
	afterAll(() => unsubscribe(channel, listener));
}

/** Whether this process waits for anything but timers: a request, a file, a connection. */
export function isAnythingUnderWay(): boolean {
	return (
		open.size > 0 ||
		process.getActiveResourcesInfo().some((name) => /Req|ConnectWrap|WriteWrap|Zlib/i.test(name))
	);
}
