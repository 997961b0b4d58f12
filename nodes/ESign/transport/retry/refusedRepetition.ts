import { NodeApiError, type IDataObject } from 'n8n-workflow';
import { ruleOf, type Endpoint } from '../../service/endpoints';
import type { DocumentStatus } from '../../service/wire';
import { asThrown } from '../errors/asThrown';
import type { ApiRequest } from '../http/address';
import type { Errand } from './errand';
import { inDoubtForGood } from './givingUp';

/** The states that show that a call has been carried out (docs/service.md section 3). A cancelled document is not out. */
const WANTED: Partial<Record<Endpoint, readonly DocumentStatus[]>> = {
	'POST /documents/{id}/send': ['in_progress', 'completed', 'declined', 'expired'],
	'POST /documents/{id}/cancel': ['cancelled'],
};

/**
 * What a refused repetition says of an earlier attempt in doubt: a 404 that it deleted, a 409 that it may have sent or
 * cancelled, which the document then shows.
 *
 * @returns the body of a success, or undefined if the refusal stands
 * @throws NodeApiError if the document cannot be read: whether the earlier attempt was carried out stays open
 */
export async function stateAfterRefusal(errand: Errand, status: number): Promise<IDataObject | undefined> {
	const { call, request, site } = errand;
	const { retry } = ruleOf(call.endpoint);
	if (retry === 'againUntilGone' && status === 404) {
		return { id: deletedId(call.endpoint, request), deleted: true };
	}
	if (retry !== 'againThenRead' || status !== 409) return undefined;
	try {
		return await wantedDocument(errand);
	} catch (error) {
		if (!(error instanceof NodeApiError)) throw asThrown(error);
		throw inDoubtForGood(site, 'what it did to the document is not known', error);
	}
}

/** Whether a repetition that is refused leaves open what the attempt before it has done, and that matters. */
export function leavesInDoubt(endpoint: Endpoint, status: number): boolean {
	const { retry } = ruleOf(endpoint);
	if (retry === 'againThenRead') return status !== 409;
	if (retry === 'againUntilGone') return status !== 404;
	return endpoint.startsWith('PUT ');
}

/** The document, if the last of several attempts without an answer did carry out what was wanted. */
export async function stateAfterSilence(errand: Errand): Promise<IDataObject | undefined> {
	if (ruleOf(errand.call.endpoint).retry !== 'againThenRead') return undefined;
	try {
		return await wantedDocument(errand);
	} catch (error) {
		// The failure of the call itself says more than that of a look at its result.
		if (error instanceof NodeApiError) return undefined;
		throw asThrown(error);
	}
}

async function wantedDocument({ ask, call, request }: Errand): Promise<IDataObject | undefined> {
	const { path, itemIndex } = request;
	const document = await ask('GET /documents/{id}', { path, itemIndex });
	return WANTED[call.endpoint]?.includes(document.status) ? document : undefined;
}

/** The id at the end of a DELETE's path: `{linkId}` or `{id}`. */
function deletedId(endpoint: Endpoint, request: ApiRequest): string | undefined {
	const name = /\{(\w+)\}$/.exec(endpoint)?.[1];
	return name === undefined ? undefined : request.path?.[name]?.trim();
}
