import type { FastifyReply, FastifyRequest } from 'fastify';
import { ApiError, envelope } from './errors';

/** A failure that was asked for: sandbox/README.md, POST /_sandbox/faults. */
export interface Fault {
	method: string;
	/** As after /v1; `*` stands for one segment. */
	path: string;
	when: 'before' | 'after';
	kind: 'status' | 'drop' | 'delay';
	status?: number;
	delay_ms?: number;
	/** How many matching calls it still meets. */
	times: number;
}

const METHODS_ALL = '*';
const DEFAULT_STATUS = 500;

function matches(fault: Fault, method: string, path: string): boolean {
	if (fault.method !== METHODS_ALL && fault.method.toUpperCase() !== method) return false;
	const wanted = fault.path.split('/');
	const actual = path.split('/');
	return (
		wanted.length === actual.length &&
		wanted.every((segment, index) => segment === '*' || segment === actual[index])
	);
}

/**
 * A failing server's answer in the envelope; a 429 and the 5xx have the codes the service would
 * give them.
 */
function faultBody(status: number): string {
	const error = new ApiError(status === 429 ? 'request_failed' : 'internal_error', {
		message: `The sandbox was asked to answer ${status} here.`,
	});
	return JSON.stringify(envelope(error));
}

/** The faults in force, oldest first; each call meets at most one. */
export class Faults {
	private faults: Fault[] = [];

	add(fault: Fault): void {
		this.faults.push({ ...fault });
	}

	clear(): void {
		this.faults = [];
	}

	/**
	 * The fault that this call meets, used up by one. `path` is the path after /v1, without its
	 * query.
	 */
	take(method: string, path: string): Fault | undefined {
		const fault = this.faults.find((one) => matches(one, method, path));
		if (!fault) return undefined;
		fault.times -= 1;
		if (fault.times <= 0) this.faults.splice(this.faults.indexOf(fault), 1);
		return fault;
	}
}

export function delay(milliseconds: number): Promise<void> {
	return new Promise((resolve) => setTimeout(resolve, milliseconds).unref());
}

/** Makes the call fail before it has any effect. Resolves when the call may continue. */
export async function failBefore(
	fault: Fault,
	request: FastifyRequest,
	reply: FastifyReply,
): Promise<void> {
	if (fault.kind === 'delay') return delay(fault.delay_ms ?? 0);
	if (fault.kind === 'drop') {
		reply.hijack();
		request.raw.socket.destroy();
		return;
	}
	const status = fault.status ?? DEFAULT_STATUS;
	if (status === 429 && !reply.hasHeader('retry-after')) reply.header('retry-after', 1);
	await reply
		.code(status)
		.type('application/json; charset=utf-8')
		.serializer(String)
		.send(faultBody(status));
}

/** Replaces the answer of a call whose effect has happened. Returns what is sent instead. */
export async function failAfter(
	fault: Fault,
	reply: FastifyReply,
	payload: unknown,
): Promise<unknown> {
	if (fault.kind === 'delay') {
		await delay(fault.delay_ms ?? 0);
		return payload;
	}
	if (fault.kind === 'drop') {
		reply.raw.socket?.destroy();
		return payload;
	}
	const status = fault.status ?? DEFAULT_STATUS;
	if (status === 429 && !reply.hasHeader('retry-after')) reply.header('retry-after', 1);
	reply.code(status).type('application/json; charset=utf-8');
	reply.removeHeader('content-length');
	return faultBody(status);
}
