import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { EventEmitter } from 'node:events';
import type { Endpoint } from '../../../nodes/ESign/client';
import type { Sandbox } from '../../../sandbox';

const REQUESTS = 'http.client.request.start';

export type Fault = Omit<Parameters<Sandbox['control']['fault']>[0], 'method' | 'path' | 'times'>;

/**
 * The delay of an answer that nobody waits for: with `timeOutAtOnce` the call that meets it times
 * out when it begins.
 */
export const NEVER_MS = 600_000;

/**
 * Everything that goes wrong on the way to the service and back, in the words of the specification.
 */
export const FAULTS = {
	'500 before its effect': { when: 'before', kind: 'status', status: 500 },
	'500 after its effect': { when: 'after', kind: 'status', status: 500 },
	'502 before its effect': { when: 'before', kind: 'status', status: 502 },
	'502 after its effect': { when: 'after', kind: 'status', status: 502 },
	'a connection dropped before its effect': { when: 'before', kind: 'drop' },
	'a connection dropped after its effect': { when: 'after', kind: 'drop' },
	'a timeout after its effect': { when: 'after', kind: 'delay', delay_ms: NEVER_MS },
	'a slow answer': { when: 'after', kind: 'delay', delay_ms: 20 },
	'429': { when: 'before', kind: 'status', status: 429 },
} as const satisfies Record<string, Fault>;

export type FaultName = keyof typeof FAULTS;

export const FAULT_NAMES = Object.keys(FAULTS) as FaultName[];

/**
 * Faults after which everybody knows what has happened: the call may be repeated whatever it does.
 */
export const HARMLESS: readonly FaultName[] = ['429', 'a slow answer'];

/** Puts so many faults in the way of an endpoint. */
export async function disturb(
	sandbox: Sandbox,
	endpoint: Endpoint,
	name: FaultName,
	times = 1,
): Promise<void> {
	const [method = '', path = ''] = endpoint.split(' ');
	const wildcard = path.replace(/\{\w+\}/g, '*');
	await sandbox.control.fault({ method: method as 'GET', path: wildcard, times, ...FAULTS[name] });
}

/**
 * Has calls run into their timeout as soon as the sandbox begins to delay their answers; returns
 * what ends that.
 */
export function timeOutAtOnce(): () => void {
	const open = new Set<EventEmitter>();
	const watch = (message: unknown) => {
		const { request } = message as { request: EventEmitter };
		open.add(request);
		request.once('close', () => open.delete(request));
	};
	subscribe(REQUESTS, watch);
	const { setTimeout: later } = globalThis;
	// No spy: it would hold every request of ten thousand schedules.
	globalThis.setTimeout = ((work: () => void, ms?: number) => {
		if (ms !== NEVER_MS) return later(work, ms);
		for (const request of open) request.emit('timeout');
		return later(work, 0);
	}) as typeof setTimeout;
	return () => {
		globalThis.setTimeout = later;
		unsubscribe(REQUESTS, watch);
	};
}

/** How often an endpoint was called since the last reset. */
export async function callsOf(sandbox: Sandbox, endpoint: Endpoint): Promise<number> {
	const [method = '', path = ''] = endpoint.split(' ');
	const pattern = new RegExp(`^/v1${path.replace(/\{\w+\}/g, '[^/]+')}$`);
	return (await sandbox.control.requests()).filter(
		(request) => request.method === method && pattern.test(request.path),
	).length;
}

/** An output without what is different every time: ids, times, tokens. */
export function shape(value: unknown): unknown {
	if (Array.isArray(value)) return value.map(shape);
	if (typeof value === 'string')
		return value
			.replace(/^\d{4}-.*Z$/, '…')
			.replace(/([a-z]+_)?[\w-]{12,}/g, '$1…')
			.replace(/(\.original\.)\w+/, '$1…');
	if (typeof value !== 'object' || value === null) return value;
	return Object.fromEntries(Object.entries(value).map(([name, entry]) => [name, shape(entry)]));
}
