import { NodeApiError } from 'n8n-workflow';
import { asThrown, client, isGone, leavesOpen, type Document } from '../client';
import type { Steps } from './creation';
import { openRequests, type OpenRequest } from './kept';
import { forgetBegun, newRequest, recordDocument, SENT_STATUSES } from './wanted';
import type { Found, Wanted } from './wanted';

/**
 * Makes a draft ready and sends it by its ID, or takes what is out, and adds what belongs to the
 * output. The document is kept with the execution until that is through: another try continues here.
 *
 * @param left what is continued, and not kept by itself any longer
 */
export async function finish<Made extends Document>(
	wanted: Wanted,
	steps: Steps<Made>,
	found: Found,
	left?: OpenRequest,
): Promise<Document> {
	const { kept, send } = wanted;
	const document = 'out' in found ? found.out : found.draft;
	const emails = document.recipients.map(({ email }) => email);
	const request: OpenRequest = {
		...newRequest(wanted, { title: document.title, emails }),
		document: { ...document },
		sentAt: 'out' in found ? client.moment() : left?.sentAt,
	};
	if (left) openRequests.drop(kept, left);
	openRequests.keep(kept, request);
	await recordDocument(wanted, document.id);

	const isLeft = left !== undefined;
	const sent =
		'out' in found ? document : await sendDraft(wanted, steps, document as Made, request, isLeft);
	const result = send && steps.complete ? await steps.complete(sent) : sent;
	openRequests.drop(kept, request);
	return result;
}

async function sendDraft<Made extends Document>(
	wanted: Wanted,
	steps: Steps<Made>,
	draft: Made,
	request: OpenRequest,
	isLeft: boolean,
): Promise<Document> {
	const mayBeOut = request.sentAt !== undefined;
	try {
		const ready = mayBeOut ? draft : await prepare(wanted, steps, draft, isLeft);
		if (!wanted.send || SENT_STATUSES.includes(ready.status)) return ready;
		return await dispatch(wanted, steps, ready as Made, request);
	} catch (error) {
		// Refused: nothing was sent, unless a try before this one has.
		if (!leavesOpen(error) && !mayBeOut) await forgetBegun(wanted);
		// What does not exist is not out, and nobody can continue with it.
		if (isGone(error)) openRequests.drop(wanted.kept, request);
		throw asThrown(error);
	}
}

/** With a draft of an earlier try a person may have gone on: then it is as it is. */
async function prepare<Made extends Document>(
	{ item }: Wanted,
	steps: Steps<Made>,
	draft: Made,
	isLeft: boolean,
): Promise<Document> {
	if (!steps.prepare) return draft;
	return await steps.prepare(draft, !isLeft).catch(async (error: unknown) => {
		const isNoDraft = error instanceof NodeApiError && error.httpCode === '409';
		if (!isLeft || !isNoDraft) throw asThrown(error);
		const document = await item.call('GET /documents/{id}', { path: { id: draft.id } });
		// It would be sent without what is missing.
		if (document.status === 'draft') throw asThrown(error);
		return document;
	});
}

/** Kept as sent before it is: n8n saves what is stopped or killed as it was at that moment. */
async function dispatch<Made extends Document>(
	{ kept }: Wanted,
	steps: Steps<Made>,
	ready: Made,
	request: OpenRequest,
): Promise<Document> {
	const before = { ...request, document: { ...ready } };
	openRequests.keep(kept, { ...before, sentAt: request.sentAt ?? client.moment() });
	try {
		return { ...ready, ...(await steps.dispatch(ready)) };
	} catch (error) {
		// What a try before this one may have sent is as open as it was.
		if (!leavesOpen(error)) openRequests.keep(kept, before);
		throw asThrown(error);
	}
}
