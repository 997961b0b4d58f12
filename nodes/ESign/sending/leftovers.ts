import { NodeOperationError } from 'n8n-workflow';
import { asThrown, client, runOf, type Document } from '../client';
import { undefinedIfGone } from './documentList';
import { certainAfterMs, findLost } from './findLost';
import { openRequests, type OpenRequest } from './kept';
import { titleKey } from './likeness';
import { SENT_STATUSES, type Wanted } from './wanted';
import { NEVER_SENT, SENT_UNCHANGED } from './words';

/** What is out, or a request that had no effect. */
type Settled = { found: { out: Document }; request: OpenRequest } | { resolved: OpenRequest };

/**
 * What the item had asked for before it was corrected: if it is out, it is the item's.
 *
 * @throws NodeApiError, in doubt, if that cannot be told
 */
export async function settleCorrected(wanted: Wanted): Promise<Settled | undefined> {
	const { kept, claim, asked, item } = wanted;
	let last: Settled | undefined;
	for (const other of openRequests.findOther(kept, claim, asked)) {
		last = other.document ? await settleDraft(wanted, other) : await settleLost(wanted, other);
		if (!last || 'resolved' in last) continue;
		runOf(item.context).hintAt(SENT_UNCHANGED, last.found.out.id);
		return last;
	}
	return last;
}

async function settleLost(wanted: Wanted, other: OpenRequest): Promise<Settled | undefined> {
	const out = other.sentAt
		? await findLost(wanted, other).catch(async (error: unknown) => {
				// A person was asked to look, and gave it another title.
				const { title } = await wanted.likeness();
				const isNamed = error instanceof NodeOperationError && 'documents' in error.context;
				if (isNamed && titleKey(title) !== titleKey(other.likeness.title)) return undefined;
				throw asThrown(error);
			})
		: undefined;
	if (out) return { found: { out }, request: other };
	openRequests.drop(wanted.kept, other);
	return other.sentAt ? { resolved: other } : undefined;
}

async function settleDraft(wanted: Wanted, other: OpenRequest): Promise<Settled | undefined> {
	const { item, kept } = wanted;
	const { context, index } = item;
	const path = { id: other.document?.id ?? '' };
	if (other.sentAt) {
		const certainAt = client.now() + certainAfterMs(other);
		await client.waitUntilCertain(context, 'POST /documents/{id}/send', certainAt, index);
		const out = await item.call('GET /documents/{id}', { path }).catch(undefinedIfGone);
		if (out && SENT_STATUSES.includes(out.status)) return { found: { out }, request: other };
	}

	openRequests.drop(kept, other);
	runOf(context).hintAt(NEVER_SENT, path.id);
	return undefined;
}
