import { NodeApiError, type IDataObject } from 'n8n-workflow';
import { asThrown, type Document } from '../../client';
import type { Item } from '../../parameters';

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
 * Runs a call for a document, and has a refusal name what the service does not: the state that the document is in, or who
 * lacks a signature field. That takes one more request, and only after a refusal.
 */
export async function explainByState<Result>(item: Item, id: string, call: () => Promise<Result>): Promise<Result> {
	try {
		return await call();
	} catch (error) {
		if (!(error instanceof NodeApiError)) throw asThrown(error);
		const { code } = error.context as IDataObject;
		const words = wordsFor[String(code)];
		const document = words && (await read(item, id));
		if (document) error.message = words(document, error.message);
		throw asThrown(error);
	}
}

const wordsFor: Record<string, ((document: Document, message: string) => string) | undefined> = {
	document_not_draft: stateOf,
	document_not_in_progress: stateOf,
	signer_missing_signature_field: ({ recipients }, message) =>
		recipients.reduce((said, { id, email }) => said.replaceAll(id, email), message),
};

function stateOf({ id, status }: Document): string {
	return `The document ${STATE[status] ?? `has the status ${status}`}: ${id}`;
}

/** Whatever keeps the document from being read, the refusal itself is what counts. */
async function read(item: Item, id: string): Promise<Document | undefined> {
	try {
		return await item.call('GET /documents/{id}', { path: { id } });
	} catch (error) {
		const why = asThrown(error).message;
		item.context.logger.debug(`eSign: the document ${id} could not be read to explain a refusal: ${why}`);
		return undefined;
	}
}
