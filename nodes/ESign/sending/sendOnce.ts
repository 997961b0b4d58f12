import { NodeApiError } from 'n8n-workflow';
import {
	asThrown,
	client,
	leavesOpen,
	OneAtATime,
	runOf,
	serviceOf,
	type Document,
} from '../client';
import type { Item } from '../operation/parameters';
import type { Creation } from './creation';
import { find } from './find';
import { finish } from './finish';
import { noteMade } from './known/documentList';
import { openRequests, type OpenRequest } from './known/kept';
import { settleCorrected } from './settleCorrected';
import { findExisting } from './skipIfCreated';
import { Wanted } from './wanted';
import { CALLED, CONTINUED } from './words';

/** Whoever creates the same title for the same people goes one after the other. */
const turns = new OneAtATime();

/**
 * Makes a document, and sends it if that is wanted: never the same contract twice
 * (docs/architecture.md section 4).
 *
 * @throws NodeApiError, NodeOperationError with everything that is known about what was sent
 */
export async function sendOnce(item: Item, creation: Creation): Promise<Document> {
	const { context, index } = item;
	const { workspaceMode } = await serviceOf(context);
	const wanted = new Wanted(item, creation, workspaceMode);
	return await client.inTurn(context, turns, wanted.turn, index, async () => {
		try {
			const document = await make(wanted);
			await wanted.giveTurnBack();
			await noteMade(item, document);
			return document;
		} catch (error) {
			if (!leavesOpen(error)) await wanted.giveTurnBack();
			throw asThrown(error);
		}
	});
}

async function make(wanted: Wanted): Promise<Document> {
	const { item, creation } = wanted;
	const { send, withinHours } = creation;
	if (item.context.getMode() === 'integrated' && send && withinHours === undefined) {
		runOf(item.context).hintAt(CALLED, '', 'info');
	}
	const corrected = await settleCorrected(wanted);
	if (corrected) return await finish(wanted, corrected.found, corrected.request);

	const left = wanted.left();
	if (left?.document) return await continueDraft(wanted, left, left.document);

	const isSkipping = withinHours !== undefined;
	const existing = isSkipping ? await findExisting(wanted, withinHours) : undefined;
	return existing ?? (await create(wanted, left));
}

async function continueDraft(
	wanted: Wanted,
	left: OpenRequest,
	draft: Document,
): Promise<Document> {
	// Another execution may have corrected the item, and sent it.
	const begun = left.sentAt ? undefined : await wanted.begunBefore();
	const found = begun && (await find(wanted, begun));
	if (!found) runOf(wanted.item.context).hintAt(CONTINUED, draft.id);
	return await finish(wanted, found ?? draft, left);
}

/**
 * Makes the document, unless it is there: what may have been sent is found first.
 *
 * @param left what was asked for before, and may have been carried out
 */
async function create(wanted: Wanted, left?: OpenRequest): Promise<Document> {
	let open = left ?? (await wanted.begunBefore());
	while (open) {
		const found = await settle(wanted, open);
		if (found) return await finish(wanted, found, open);
		open = await wanted.begunBefore();
	}

	const sent = await sendDirectly(wanted);
	if (sent) return sent;

	const draft = await wanted.creation.draft().catch(async (error: unknown) => {
		// At most a draft can have come of it.
		await wanted.forgetBegun();
		throw asThrown(error);
	});
	return await finish(wanted, draft);
}

/** @returns what came of a request; undefined: nothing did, and the item is begun anew */
async function settle(wanted: Wanted, request: OpenRequest): Promise<Document | undefined> {
	const { kept, item } = wanted;
	// Whoever takes it over keeps it with its own execution, too.
	const own = { ...request, item: item.id };
	openRequests.drop(kept, request);
	openRequests.keep(kept, own);
	// It has the turn since it was sent.
	wanted.hasTurn = true;
	const found = await find(wanted, own);
	if (found) return found;

	openRequests.drop(kept, own);
	wanted.beginAnew();
	return undefined;
}

/**
 * Sends it in one request, where the service can. Nobody has an ID of it before: so there is one
 * such request at a time for the same title and people, also on other workers.
 *
 * @returns undefined if it was not sent: it goes out by the ID of a draft then
 */
async function sendDirectly(wanted: Wanted): Promise<Document | undefined> {
	const { kept, creation } = wanted;
	if (!creation.direct || !creation.send || wanted.isBegunAnew) return undefined;
	if (!(await wanted.takeTurn())) return undefined;

	// Kept before it is sent: n8n saves what is stopped or killed as it was at that moment.
	const request = { ...wanted.request(), sentAt: client.moment() };
	openRequests.keep(kept, request);
	try {
		const made = await creation.direct();
		await wanted.recordDocument(made.id);
		openRequests.drop(kept, request);
		return made;
	} catch (error) {
		const isOpen = leavesOpen(error);
		if (!isOpen) {
			openRequests.drop(kept, request);
			await wanted.forgetBegun();
		}
		// Where it was stopped, whoever asks for it next finds out what came of it.
		if (!isOpen || !(error instanceof NodeApiError)) throw asThrown(error);
	}

	const lost = { ...request, lostAt: client.moment() };
	const found = await settle(wanted, lost);
	return found && (await finish(wanted, found, lost));
}
