import type { Endpoint } from '../../../nodes/ESign/client';
import type { Sandbox } from '../../../sandbox';

export type Fault = Omit<Parameters<Sandbox['control']['fault']>[0], 'method' | 'path' | 'times'>;

/**
 * How long a call is waited for in the tests of `a timeout after its effect`, in real milliseconds: so long that no other call
 * of theirs runs into it on a busy machine.
 */
export const TIMEOUT_MS = 2_500;

/** Everything that goes wrong on the way to the service and back, in the words of the specification. */
export const FAULTS = {
	'500 before its effect': { when: 'before', kind: 'status', status: 500 },
	'500 after its effect': { when: 'after', kind: 'status', status: 500 },
	'502 before its effect': { when: 'before', kind: 'status', status: 502 },
	'502 after its effect': { when: 'after', kind: 'status', status: 502 },
	'a connection dropped before its effect': { when: 'before', kind: 'drop' },
	'a connection dropped after its effect': { when: 'after', kind: 'drop' },
	'a timeout after its effect': { when: 'after', kind: 'delay', delay_ms: TIMEOUT_MS * 2 },
	'a slow answer': { when: 'after', kind: 'delay', delay_ms: 20 },
	'429': { when: 'before', kind: 'status', status: 429 },
} as const satisfies Record<string, Fault>;

export type FaultName = keyof typeof FAULTS;

export const FAULT_NAMES = Object.keys(FAULTS) as FaultName[];

/** Faults after which everybody knows what has happened: the call may be repeated whatever it does. */
export const HARMLESS: readonly FaultName[] = ['429', 'a slow answer'];

/** Puts so many faults in the way of an endpoint. */
export async function disturb(sandbox: Sandbox, endpoint: Endpoint, name: FaultName, times = 1): Promise<void> {
	const [method = '', path = ''] = endpoint.split(' ');
	const wildcard = path.replace(/\{\w+\}/g, '*');
	await sandbox.control.fault({ method: method as 'GET', path: wildcard, times, ...FAULTS[name] });
}

/** How often an endpoint was called since the last reset. */
export async function callsOf(sandbox: Sandbox, endpoint: Endpoint): Promise<number> {
	const [method = '', path = ''] = endpoint.split(' ');
	const pattern = new RegExp(`^/v1${path.replace(/\{\w+\}/g, '[^/]+')}$`);
	return (await sandbox.control.requests()).filter((request) => request.method === method && pattern.test(request.path))
		.length;
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
