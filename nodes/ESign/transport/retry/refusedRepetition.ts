import { NodeApiError, type IDataObject } from 'n8n-workflow';
import type { ApiRequest } from '../http/address';
import { ruleOf, type Endpoint } from '../../service/endpoints';
import type { Ask } from './lookFirst';
import type { DocumentStatus } from '../../service/wire';

/** The states that show that a call was carried out (docs/service.md section 3). A cancelled document is not out. */
const WANTED: Partial<Record<Endpoint, readonly DocumentStatus[]>> = {
	'POST /documents/{id}/send': ['in_progress', 'completed', 'declined', 'expired'],
	'POST /documents/{id}/cancel': ['cancelled'],
};

/** May the refusal of a repetition mean that an earlier attempt has done it? */
export function tellsByRefusal(endpoint: Endpoint): boolean {
	return ['againUntilGone', 'againThenRead'].includes(ruleOf(endpoint).retry);
}

/**
 * What a refused repetition says of an earlier attempt in doubt: a 404 that it deleted, a 409 that it may have sent or
 * cancelled, which the document then shows.
 *
 * @param stop the error for a document that cannot be read: whether the earlier attempt was carried out stays open
 * @returns the body of a success, or undefined if the refusal stands
 */
export async function stateAfterRefusal(
	ask: Ask,
	endpoint: Endpoint,
	request: ApiRequest,
	status: number,
	stop: (words: string, cause: NodeApiError) => NodeApiError,
): Promise<IDataObject | undefined> {
	const { retry } = ruleOf(endpoint);
	if (retry === 'againUntilGone' && status === 404) {
		return { id: deletedId(endpoint, request), deleted: true };
	}
	if (retry !== 'againThenRead' || status !== 409) return undefined;
	try {
		return await wantedDocument(ask, endpoint, request);
	} catch (error) {
		const failure: unknown = error;
		throw failure instanceof NodeApiError ? stop('what it did to the document is not known', failure) : failure;
	}
}

/** The document, if the last of several attempts without an answer did carry out what was wanted. */
export async function stateAfterSilence(
	ask: Ask,
	endpoint: Endpoint,
	request: ApiRequest,
): Promise<IDataObject | undefined> {
	if (ruleOf(endpoint).retry !== 'againThenRead') return undefined;
	try {
		return await wantedDocument(ask, endpoint, request);
	} catch (error) {
		// The failure of the call itself says more than that of a look at its result.
		const failure: unknown = error;
		if (failure instanceof NodeApiError) return undefined;
		throw failure;
	}
}

async function wantedDocument(ask: Ask, endpoint: Endpoint, request: ApiRequest): Promise<IDataObject | undefined> {
	const { path, itemIndex } = request;
	const document = await ask('GET /documents/{id}', { path, itemIndex });
	return WANTED[endpoint]?.includes(document.status) ? document : undefined;
}

/** The id at the end of a DELETE's path: `{linkId}` or `{id}`. */
function deletedId(endpoint: Endpoint, request: ApiRequest): string | undefined {
	const name = /\{(\w+)\}$/.exec(endpoint)?.[1];
	return name === undefined ? undefined : request.path?.[name]?.trim();
}
