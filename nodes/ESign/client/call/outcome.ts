import type { IDataObject, IN8nHttpFullResponse } from 'n8n-workflow';
import { isObject, redacted } from '../errors/refusal';
import { numberIn } from '../pacing/rateWindow';
import { ENDPOINTS, type Endpoint } from '../../service/endpoints';

export type Outcome =
	/** A success with a readable body. */
	| { kind: 'done'; body: IDataObject }
	/** The service, or something before it, said no: nothing has happened. */
	| { kind: 'refused'; status: number; body: unknown }
	/** Status 429: nothing has happened, and it may be sent again later. */
	| { kind: 'limited' }
	/** It never reached the service. `fatal` if trying again cannot help. */
	| { kind: 'notSent'; reason: string; fatal: boolean }
	/** It may or may not have been carried out; if `late`, it may also be carried out yet. */
	| {
			kind: 'unknown';
			reason: string;
			late?: boolean;
			status?: number;
			retryAfterMs?: number;
	  };

export type Unknown = Extract<Outcome, { kind: 'unknown' }>;

export type Unanswered = Extract<Outcome, { kind: 'unknown' | 'notSent' }>;

/**
 * The service itself answers so when it has failed. Any other 5xx may be a proxy's, before a
 * service still at work.
 */
const OWN_FAULT = 500;

/** Some gateways answer so when the service behind them takes too long. */
const GATEWAY_GAVE_UP = 408;

/** Failures before anything was sent, by their Node.js error code. */
const NOT_SENT: Record<string, string> = {
	ECONNREFUSED: 'nothing listens at the address of the service',
	ENOTFOUND: 'the host name of the service is unknown',
	EAI_AGAIN: 'the host name of the service could not be looked up',
};

/** No connection came about, for whatever reason: no network, no route, a host that is down. */
const UNREACHABLE = 'the host of the service could not be reached';

/**
 * What the check of the certificate says, before anything is sent. Any other failure of TLS may
 * come after the request.
 */
const NOT_SENT_EVER = /^(?!ERR_SSL).*CERT|^UNABLE_TO_|^DEPTH_ZERO|^ERR_INVALID_URL$|^ERR_UNESCAPED/;

/** `ETIMEDOUT`, `ESOCKETTIMEDOUT`, `ERR_SOCKET_CONNECTION_TIMEOUT`, and how axios ends a request. */
const TIMED_OUT = /TIMED?OUT$|^ECONNABORTED$/;

/** Answers that are lists. */
const LISTS = new Set(['data', 'fields', 'recipients', 'roles']);

/**
 * The outcome of an attempt that was answered. A gateway may answer any request with a page or with
 * JSON of its own.
 */
export function outcomeOf(response: IN8nHttpFullResponse, endpoint: Endpoint): Outcome {
	const { statusCode: status, headers, body } = response;
	if (status === 429) return { kind: 'limited' };
	if (status >= 500 || status === GATEWAY_GAVE_UP) {
		const retryAfterMs = (numberIn(headers, 'retry-after') ?? 0) * 1000;
		const reason = `the service answered with status ${status}`;
		return { kind: 'unknown', reason, late: status !== OWN_FAULT, status, retryAfterMs };
	}
	if (status >= 300) return { kind: 'refused', status, body };
	if (isObject(body) && isAnswer(body, endpoint)) return { kind: 'done', body };
	const reason = `the answer of the service (status ${status}) could not be read`;
	return { kind: 'unknown', reason, late: true, status };
}

function isAnswer(body: IDataObject, endpoint: Endpoint): boolean {
	const { answer } = ENDPOINTS[endpoint];
	const held = body[answer] ?? undefined;
	return LISTS.has(answer) ? Array.isArray(held) : held !== undefined;
}

/**
 * The outcome of an attempt without an answer. The error carries the request, and with it the key:
 * only its code is used.
 */
export function outcomeOfBrokenConnection(error: unknown): Unanswered {
	const code = codeOf(error);
	const links = chain(error);
	const isUnconnected = links.some(({ syscall }) => syscall === 'connect');
	const notSent = NOT_SENT[code] ?? (isUnconnected ? UNREACHABLE : undefined);
	if (notSent) return { kind: 'notSent', reason: notSent, fatal: false };
	if (NOT_SENT_EVER.test(code)) {
		return {
			kind: 'notSent',
			reason: `a secure connection could not be made (${code})`,
			fatal: true,
		};
	}
	// Only the HTTP client's own errors may have sent something; others come from n8n's checks before
	// it.
	const isClients = links.some(
		({ isAxiosError, httpCode }) => isAxiosError === true || typeof httpCode === 'string',
	);
	if (code === '' && !isClients) {
		const told = links.findLast(({ message }) => typeof message === 'string' && message !== '');
		const why = redacted(String(told?.message ?? 'no reason given'), []);
		return { kind: 'notSent', reason: `n8n did not send it: ${why}`, fatal: true };
	}
	const reason = TIMED_OUT.test(code)
		? 'the service did not answer in time'
		: `the connection broke${code === '' ? '' : ` (${code})`}`;
	return { kind: 'unknown', reason, late: true };
}

/**
 * n8n wraps the client's error once or twice. Where a host has several addresses, the innermost has
 * an error for each of them.
 */
function chain(error: unknown): IDataObject[] {
	const links: IDataObject[] = [];
	let inner = error;
	while (isObject(inner) && links.length < 5) {
		links.push(inner);
		inner = inner.cause ?? [inner.errors].flat()[0];
	}
	return links;
}

/**
 * The client's error code. n8n 1.x keeps of its error only the code, or the status of an answer
 * that broke off, as `httpCode`.
 */
export function codeOf(error: unknown): string {
	const links = chain(error);
	const codes = [...links.map(({ code }) => code), ...links.map(({ httpCode }) => httpCode)];
	// What begins with a figure is a status.
	return codes.find((own): own is string => typeof own === 'string' && !/^\d/.test(own)) ?? '';
}
