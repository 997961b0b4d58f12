import type { NodeApiError } from 'n8n-workflow';
import {
	asThrown,
	readCallFailure,
	type ApiRequest,
	type Document,
	type Endpoint,
	type ResponseOf,
} from '../../client';
import type { Item } from '../../operation';

/** What a document in each state is called, as it follows "The document". */
const STATE: Record<string, string> = {
	draft: 'is still a draft',
	in_progress: 'is out for signature',
	completed: 'is completed',
	declined: 'was declined',
	cancelled: 'was cancelled',
	expired: 'has expired',
};

/**
 * A call about one document. A refusal names its state, or who lacks a signature field: one more
 * request, only after a refusal.
 */
export async function callForDocument<E extends Endpoint>(
	item: Item,
	endpoint: E,
	request: ApiRequest & { path: { id: string } },
): Promise<ResponseOf[E]> {
	try {
		return await item.call(endpoint, request);
	} catch (error) {
		const { id } = request.path;
		const failure = asThrown(error);
		const words = wordsFor[readCallFailure(failure).code];
		if (!words) throw failure;
		// The client has read it, where that decides whether the call was a success.
		const { documentStatus: status } = (failure as NodeApiError).context;
		if (status !== undefined) {
			failure.message = stateOf({ id, status: String(status) });
			throw failure;
		}
		// Whatever keeps the document from being read, the refusal itself is what counts.
		const read = item.call('GET /documents/{id}', { path: { id } });
		const document = await read.catch(() => undefined);
		if (document) failure.message = words(document, failure.message);
		throw failure;
	}
}

const wordsFor: Record<string, ((document: Document, message: string) => string) | undefined> = {
	document_not_draft: stateOf,
	document_not_in_progress: stateOf,
	signer_missing_signature_field: ({ recipients }, message) =>
		recipients.reduce((said, { id, email }) => said.replaceAll(id, email), message),
};

function stateOf({ id, status }: { id: string; status: string }): string {
	return `The document ${STATE[status] ?? `has the status ${status}`}: ${id}`;
}
