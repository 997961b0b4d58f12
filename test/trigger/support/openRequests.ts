import { subscribe } from 'node:diagnostics_channel';
import type { EventEmitter } from 'node:events';

/** HTTP requests of this process, made or answered by it, that are under way. */
const open = new Set<unknown>();

function addUntilClosed(request: EventEmitter): void {
	open.add(request);
	request.once('close', () => open.delete(request));
}

subscribe('http.client.request.start', (message) => addUntilClosed((message as { request: EventEmitter }).request));
subscribe('http.server.request.start', (message) => addUntilClosed((message as { response: EventEmitter }).response));
// `fetch`.
subscribe('undici:request:create', (message) => open.add((message as { request: unknown }).request));
for (const ended of ['undici:request:trailers', 'undici:request:error']) {
	subscribe(ended, (message) => open.delete((message as { request: unknown }).request));
}

/** Whether this process waits for anything but timers: a request, a file, a connection. */
export function isAnythingUnderWay(): boolean {
	return open.size > 0 || process.getActiveResourcesInfo().some((name) => /Req|ConnectWrap|WriteWrap|Zlib/i.test(name));
}
