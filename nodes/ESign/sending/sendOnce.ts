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
import { findBegun } from './find';
import { finish, settle } from './finish';
import { noteMade } from './known/documentList';
import { dropOpen, isInDoubt, keepOpen, nodeOf, noteOwner, type OpenRequest } from './known/kept';
import { titleKey } from './known/likeness';
import { findExisting } from './skipIfCreated';
import { isOut, Wanted, type Creation } from './wanted';
import { CALLED, EXISTED, NEVER_SENT } from './words';

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
	const { workspaceMode, keyId } = await serviceOf(context);
	const wanted = new Wanted(item, creation, workspaceMode);
	return await client.inTurn(context, turns, wanted.turnName, index, async () => {
		const title = creation.title ?? (await titleToLookFor(creation));
		// This was its turn among those without a title, which may not look.
		const isOther = titleKey(title) !== titleKey(creation.title);
		if (isOther) return await sendOnce(item, { ...creation, title });
		try {
			const document = await make(wanted);
			// What was there already may be another one's.
			if (!('already_existed' in document)) {
				noteOwner(wanted.kept, wanted.request, document);
				noteMade(keyId, document);
			}
			await wanted.turn.end(true);
			return document;
		} catch (error) {
			// A draft that may come late is to be found where one is wanted.
			const isOpen = isInDoubt(item) || (!creation.send && leavesOpen(error));
			if (!isOpen) await wanted.turn.end();
			throw asThrown(error);
		}
	});
}

/** Who looks goes by the title that the document will get. The look says why it is not known. */
async function titleToLookFor({ withinHours, titleOf }: Creation): Promise<string | undefined> {
	return withinHours === undefined ? undefined : await titleOf?.().catch(() => undefined);
}

async function make(wanted: Wanted): Promise<Document> {
	const { item, creation, kept } = wanted;
	const { send, withinHours } = creation;
	if (item.context.getMode() === 'integrated' && send && withinHours === undefined) {
		runOf(item.context).hintAt(CALLED, '', 'info');
	}
	const left = await wanted.left();
	const isLeft = left.length > 0;
	const existing =
		withinHours === undefined ? undefined : await findExisting(wanted, withinHours, isLeft);
	// A row that was led back may have been changed on its way.
	const isOwn = (one: OpenRequest) =>
		nodeOf(one.item) === nodeOf(item.id) && one.document?.id === existing?.id;
	const own = existing && left.find(isOwn);
	// What an earlier try has left of it is not through. Somebody else may have sent it.
	if (own) own.document = Object.assign({}, own.document, existing);
	else if (existing && isOut(existing)) {
		// It is also what came of that: the next order is another.
		for (const request of left) dropOpen(kept, request);
		if (left.some((one) => one.item === item.id)) await wanted.begin(existing.id);
		return asExisting(wanted, existing);
	}

	const before = await madeBefore(wanted, left);
	// A draft that counts as created is as it is to be.
	if (before && !before.request && before.document.id === existing?.id) return before.document;
	if (before) return await finish(wanted, before.document, before.request);

	// Whose a draft is cannot be known: what came of the item itself goes first.
	if (existing && !own) {
		await wanted.giveUp();
		// A retry of an older execution goes by what this one puts out.
		if (wanted.isRetry) await wanted.noteTaken(existing.id);
		return asExisting(wanted, existing);
	}

	// It was changed since an earlier try.
	for (const { document, asked } of left) {
		if (document && asked !== wanted.request.asked)
			runOf(item.context).hintAt(NEVER_SENT, document.id);
	}
	return await makeAnew(wanted, isLeft);
}

/** @param isLeft whether an earlier try has left something of it: then it goes out by an ID */
async function makeAnew(wanted: Wanted, isLeft: boolean): Promise<Document> {
	const sent = isLeft ? undefined : await sendDirectly(wanted);
	if (sent) return sent;

	const draft = await wanted.creation.draft().catch(async (error: Error) => {
		// At most a draft can have come of it.
		await wanted.giveUp();
		throw error;
	});
	return await finish(wanted, draft, undefined, true);
}

/** What another try has made: of this execution, or of another one that was retried from it. */
async function madeBefore(wanted: Wanted, left: readonly OpenRequest[]) {
	let made: { document: Document; request?: OpenRequest } | undefined;
	for (const request of left) {
		const document = await settle(wanted, request);
		if (document && isOut(document)) return { document, request };
		if (document) made = { document, request };
	}
	// What others have made was looked for, unless a person has given another title since.
	const isSettled = left.some((one) => {
		const isLostOne = one.document === undefined && one.sentAt !== undefined;
		return isLostOne && one.item === wanted.item.id && one.named === undefined;
	});
	// Since there is a draft here, another execution may have sent the contract.
	const begun = !isSettled && (await wanted.wasBegun()) ? await findBegun(wanted) : undefined;
	if (!begun) return made;
	const isSame = begun.id === made?.document.id;
	return isSame ? { ...made, document: { ...made?.document, ...begun } } : { document: begun };
}

/** What was there already is output as it is. */
function asExisting({ item }: Wanted, document: Document): Document {
	runOf(item.context).hintAt(EXISTED, document.id, 'info');
	return Object.assign({}, document, { already_existed: true });
}

/**
 * Sends it in one request, where the service can. Nobody has an ID of it before.
 *
 * @returns undefined if it was not sent: it goes out by the ID of a draft then
 */
async function sendDirectly(wanted: Wanted): Promise<Document | undefined> {
	const { kept, creation } = wanted;
	if (!creation.direct || !creation.send) return undefined;
	await wanted.begin();

	// Kept before it is sent: n8n saves what is stopped as it was at that moment.
	const request = { ...wanted.request, sentAt: client.moment() };
	keepOpen(kept, request);
	try {
		const made = await creation.direct();
		await wanted.begin(made.id);
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
