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
import { finish, settle } from './finish';
import { noteMade } from './known/documentList';
import {
	hasDocument,
	isInDoubt,
	noteOwner,
	dropOpen,
	keepOpen,
	type OpenRequest,
} from './known/kept';
import { findExisting } from './skipIfCreated';
import { isOut, Wanted, type Creation } from './wanted';
import { CALLED, EXISTED } from './words';

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
	return await client.inTurn(context, turns, wanted.name, index, async () => {
		try {
			const document = await make(wanted);
			noteOwner(wanted.kept, wanted.names, document);
			await wanted.giveBack(true);
			noteMade(workspaceMode, document);
			return document;
		} catch (error) {
			// A draft that may come late is to be found where one is wanted.
			const isOpen = isInDoubt(item) || (!creation.send && leavesOpen(error));
			if (!isOpen) await wanted.giveBack(hasDocument(item));
			throw asThrown(error);
		}
	});
}

async function make(wanted: Wanted): Promise<Document> {
	const { item, creation, kept } = wanted;
	const { send, withinHours } = creation;
	if (item.context.getMode() === 'integrated' && send && withinHours === undefined) {
		runOf(item.context).hintAt(CALLED, '', 'info');
	}
	const left = wanted.left();
	const existing = withinHours === undefined ? undefined : await findExisting(wanted, withinHours);
	const own = left.find(({ document }) => document && document.id === existing?.id);
	// What an earlier try has left of it is not through. Somebody else may have sent it.
	if (own) own.document = Object.assign({}, own.document, existing);
	else if (existing && isOut(existing)) {
		// It is also what came of that: the next order is another.
		for (const request of left) dropOpen(kept, request);
		return await asExisting(wanted, existing);
	}

	const isOwn = ({ item }: OpenRequest) => item === wanted.item.id;
	const before = await madeBefore(wanted, left.filter(isOwn));
	if (before) return await finish(wanted, before.document, before.request);

	for (const request of left.filter((one) => !isOwn(one))) {
		const found = await settle(wanted, request);
		if (found) return await finish(wanted, found, request);
	}

	// Whose a draft is cannot be known: what came of the item itself goes first.
	if (existing && !own) return await asExisting(wanted, existing);

	const sent = await sendDirectly(wanted);
	if (sent) return sent;

	// Whoever wants a draft looks for one.
	const confirm = send ? undefined : async () => await wanted.confirmTurn();
	const draft = await creation.draft(confirm).catch(async (error: Error) => {
		// At most a draft can have come of it.
		await wanted.giveUp();
		throw error;
	});
	return await finish(wanted, draft);
}

/** What another try has made: of this execution, or of another one that was retried from it. */
async function madeBefore(wanted: Wanted, left: OpenRequest[]) {
	let draft: { document: Document; request: OpenRequest } | undefined;
	for (const request of left) {
		const document = await settle(wanted, request);
		if (document && isOut(document)) return { document, request };
		if (document) draft = { document, request };
	}
	// Since there is a draft here, another execution may have sent the contract.
	const request = await wanted.begunBefore(draft !== undefined);
	const found = request && (await settle(wanted, request));
	if (!found) return draft;
	const isSame = found.id === draft?.document.id;
	return { document: isSame ? { ...draft?.document, ...found } : found, request };
}

/** What was there already is the item's own from now on. */
async function asExisting(wanted: Wanted, document: Document): Promise<Document> {
	await wanted.memory.recordDone(document.id);
	runOf(wanted.item.context).hintAt(EXISTED, document.id, 'info');
	return Object.assign({}, document, { already_existed: true });
}

/**
 * Sends it in one request, where the service can. Nobody has an ID of it before: so there is one
 * such request at a time for the same title and people, also on other workers.
 *
 * @returns undefined if it was not sent: it goes out by the ID of a draft then
 */
async function sendDirectly(wanted: Wanted): Promise<Document | undefined> {
	const { kept, creation } = wanted;
	if (!creation.direct || !creation.send || wanted.begun === 'anew') return undefined;
	if (!(await wanted.claim())) {
		const found = await settle(wanted, wanted.request);
		return found && (await finish(wanted, found, wanted.request));
	}
	if (!(await wanted.memory.beginDirectly(wanted.name, creation))) return undefined;

	// Kept before it is sent: n8n saves what is stopped or killed as it was at that moment.
	const request = { ...wanted.request, sentAt: client.moment() };
	keepOpen(kept, request);
	try {
		const made = await creation.direct(wanted.confirm);
		await wanted.memory.recordDocument(made.id, true);
		dropOpen(kept, request);
		return made;
	} catch (error) {
		const lost = { ...request, lostAt: client.moment() };
		if (!leavesOpen(error)) {
			dropOpen(kept, request);
			await wanted.giveUp();
			throw asThrown(error);
		}
		keepOpen(kept, lost);
		// Where it was stopped, whoever asks for it next finds out what came of it.
		if (!(error instanceof NodeApiError)) throw asThrown(error);
		const found = await settle(wanted, lost);
		return found && (await finish(wanted, found, lost));
	}
}
