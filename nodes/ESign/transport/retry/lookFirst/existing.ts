import { NodeApiError, type IDataObject } from 'n8n-workflow';
import { instantOf } from '../../context/settings';
import type { Session } from '../../session/session';
import type { Document } from '../../../service/wire';
import type { Ask } from '../errand';
import { hasTitle } from './document';
import { newestDocuments } from './newestDocuments';
import { sameAddresses } from './sameRecipients';

/** What tells one document from another for a person: docs/architecture.md section 9. */
export type DocumentLikeness = {
	/** Left out: the one that the service gives. */
	title?: string;
	recipients: ReadonlyArray<{ email: string }>;
};

/** The same title and the same e-mail addresses; names, roles and order do not matter. */
export function isAlike(document: Document, { title, recipients }: DocumentLikeness): boolean {
	return hasTitle(document, title) && sameAddresses(document.recipients, recipients);
}

/**
 * The documents created within so many milliseconds, up to now. The service's clock decides, as its answers tell it: the time
 * is never taken for shorter than it is, and for two seconds longer at most.
 */
export async function readDocumentsWithin(
	{ context, settings, state }: Session,
	ask: Ask,
	milliseconds: number,
	itemIndex: number | undefined,
): Promise<Document[]> {
	const begun = instantOf(settings.clock);
	return await newestDocuments(
		{
			ask,
			since: () => state.serverClock.shown(begun) - milliseconds,
			stop: (message) => {
				const error: IDataObject = { message };
				const description = 'Choose a shorter time. Nothing was created for this item.';
				return new NodeApiError(context.getNode(), error as { message: string }, { message, description, itemIndex });
			},
		},
		itemIndex,
	);
}
