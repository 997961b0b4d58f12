import type { IDataObject, IHttpRequestOptions, IN8nHttpFullResponse } from 'n8n-workflow';
import { methodOf, pathOf, withoutUnset, type ApiRequest } from './address';
import type { ApiContext } from '../run';
import { CREDENTIAL_TYPE, type Service } from '../credentials';
import type { Endpoint } from '../../service/endpoints';

/** What a call sends, worked out once for all its attempts. */
export type PreparedCall = {
	endpoint: Endpoint;
	path: string;
	query?: IDataObject;
	/** Made anew for every attempt, so that no copy of a file is kept while a call waits for its turn. */
	body?: () => IHttpRequestOptions['body'];
	/** Left out for JSON, which is the client's to encode. */
	contentType?: string;
	timeoutMs: number;
	itemIndex?: number;
};

/** The call as its endpoint and request spell it, ids encoded and unset properties left out. */
export function prepareCall(
	context: ApiContext,
	endpoint: Endpoint,
	request: ApiRequest,
	timeoutMs: number,
): PreparedCall {
	const body = withoutUnset(request.body);
	return {
		endpoint,
		path: pathOf(context, endpoint, request),
		query: withoutUnset(request.query),
		body: body && (() => body),
		timeoutMs,
		itemIndex: request.itemIndex,
	};
}

/** One HTTP exchange. Any status is a response; only a connection that gives none throws. */
export async function exchange(
	context: ApiContext,
	service: Service,
	call: PreparedCall,
): Promise<IN8nHttpFullResponse> {
	const options: IHttpRequestOptions = {
		method: methodOf(call.endpoint),
		url: `${service.baseUrl}${call.path}`,
		qs: call.query,
		body: call.body?.(),
		headers: { Accept: 'application/json', ...(call.contentType && { 'Content-Type': call.contentType }) },
		timeout: call.timeoutMs,
		returnFullResponse: true,
		ignoreHttpStatusErrors: true,
		disableFollowRedirect: true,
	};
	return (await context.helpers.httpRequestWithAuthentication.call(
		context,
		CREDENTIAL_TYPE,
		options,
	)) as IN8nHttpFullResponse;
}
