import type { IDataObject, IHttpRequestMethods, IHttpRequestOptions, IN8nHttpFullResponse } from 'n8n-workflow';
import { ruleOf, type Endpoint } from '../../service/endpoints';
import { CREDENTIAL_TYPE, type Service } from '../credentials';
import type { ApiContext } from '../run';
import type { ClientSettings } from '../settings';
import { pathOf, withoutUnset, type ApiRequest } from './address';

/** What a call sends, worked out once for all its attempts. */
export type Prepared = {
	endpoint: Endpoint;
	path: string;
	query?: IDataObject;
	/** Made anew for every attempt, so that no copy of a file is kept while a call waits for its turn. */
	body?: () => IHttpRequestOptions['body'];
	/** Left out for JSON, which is the client's to encode. */
	contentType?: string;
	/** How long the answer may be silent. */
	timeoutMs: number;
};

/** A call may take so many times as long as it may be silent. A file of 25 MB takes its time on a slow line. */
const LONGEST_ANSWER = 2;
const LONGEST_UPLOAD = 10;

/** The call as its endpoint and request spell it, ids encoded and unset properties left out. */
export function prepare(
	context: ApiContext,
	endpoint: Endpoint,
	request: ApiRequest,
	settings: Pick<ClientSettings, 'requestTimeoutMs' | 'transferTimeoutMs'>,
): Prepared {
	const body = withoutUnset(request.body);
	return {
		endpoint,
		path: pathOf(context, endpoint, request),
		query: withoutUnset(request.query),
		body: body && (() => body),
		timeoutMs: ruleOf(endpoint).upload ? settings.transferTimeoutMs : settings.requestTimeoutMs,
	};
}

/**
 * One HTTP exchange. Any status is a response; only a connection that gives none throws, and an answer that does not come within
 * `leftMs`.
 */
export async function exchange(
	context: ApiContext,
	service: Service,
	call: Prepared,
	leftMs: number,
): Promise<IN8nHttpFullResponse> {
	const options: IHttpRequestOptions = {
		method: call.endpoint.split(' ')[0] as IHttpRequestMethods,
		url: `${service.baseUrl}${call.path}`,
		qs: call.query,
		body: call.body?.(),
		headers: { Accept: 'application/json', ...(call.contentType && { 'Content-Type': call.contentType }) },
		timeout: Math.min(call.timeoutMs, leftMs),
		returnFullResponse: true,
		ignoreHttpStatusErrors: true,
		disableFollowRedirect: true,
	};
	const answer = context.helpers.httpRequestWithAuthentication.call(context, CREDENTIAL_TYPE, options);
	const longest = ruleOf(call.endpoint).upload ? LONGEST_UPLOAD : LONGEST_ANSWER;
	return (await within(Math.min(call.timeoutMs * longest, leftMs), answer)) as IN8nHttpFullResponse;
}

/**
 * The answer, if it comes in time. n8n's client counts silence only: an answer that comes byte by byte, or one that changes the
 * protocol (status 101), would keep the call, and all that waits for it, for ever.
 */
async function within<Answered>(milliseconds: number, answer: Promise<Answered>): Promise<Answered> {
	const over = new AbortController();
	const tooLate = new Promise<never>((_, reject) => {
		const giveUp = () => reject(Object.assign(new Error('The answer did not end'), { code: 'ETIMEDOUT' }));
		AbortSignal.timeout(Math.ceil(milliseconds)).addEventListener('abort', giveUp, { signal: over.signal });
	});
	return await Promise.race([answer, tooLate]).finally(() => over.abort());
}
