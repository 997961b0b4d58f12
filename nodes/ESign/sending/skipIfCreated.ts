import { NodeApiError } from 'n8n-workflow';
import {
	asThrown,
	client,
	fingerprint,
	isExactly,
	leavesOpen,
	likenessKey,
	runOf,
	type Document,
	type DocumentLikeness,
} from '../client';
import { SENT_SINCE } from '../operation/hints';
import type { Item } from '../operation/parameters/item';
import { isRetry, lineOf, lines, type Owner } from './line';

/** The clocks of two workers may be this far apart. */
const CLOCKS_APART_MS = 5_000;

/** Statuses of documents that were sent and not withdrawn. */
const SENT_STATUSES = ['in_progress', 'completed', 'declined'];

const NOTHING_SAVED =
	'n8n has saved nothing of the execution that is retried, so nothing is sent. Check in the web application what that execution has sent. To send the rest, set Skip If Created Within (Hours) and retry; where there is no such option, send it in a new execution.';

export type ExistingDocument = Document & { already_existed: true };

/** What a creating operation wants, and how it makes it. */
export interface Creation<Created extends Document> {
	/** Undefined: no look. */
	withinHours: number | undefined;
	/** Asked for only if there is a look. */
	likeness: () => Promise<DocumentLikeness>;
	send: boolean;
	/** All of it, as resolved. */
	asked: unknown;
	/**
	 * The ids of drafts to go on with, `undefined` for what is in doubt. Fails if what was asked for
	 * before is out.
	 */
	begun: () => Promise<Array<string | undefined>>;
	create: () => Promise<Created>;
}

/**
 * Creates a document unless the service has one like it (docs/architecture.md section 9), or the
 * one of an item that another worker has sent in a retry.
 *
 * @throws NodeApiError also if the service cannot be asked; then nothing is created
 */
export async function unlessCreated<Created extends Document>(
	item: Item,
	creation: Creation<Created>,
): Promise<Created | ExistingDocument | Document> {
	const { withinHours, send } = creation;
	const { made, lists } = runOf(item.context).documents;
	const itemTry = runOf(item.context).tryOf(item.index);
	const { item: id = '', run, line } = itemTry ?? {};
	const owner = { item: id, run, index: item.index, asked: fingerprint([line, creation.asked]) };
	// Equal rows are one document: what one has left unfinished, the next goes on with.
	if (itemTry && withinHours !== undefined) itemTry.run = undefined;
	const begun = isRetry(item.context) || withinHours !== undefined ? await creation.begun() : [];
	// A request in doubt is looked for by the call that goes on with it. Beside a draft, another
	// worker may have sent its own.
	const isKnown = withinHours === undefined || lineOf(item.context).beganAt !== undefined;
	const mayBeSent = send && isRetry(item.context) && isKnown && !begun.includes(undefined);
	const own = mayBeSent ? await sentByRetry(item, owner, creation) : undefined;
	const existing = own ?? (await existingDocument(item, creation, begun));
	if (existing) return existing;
	try {
		const created = await creation.create();
		lines.ownerById.set(created.id, owner);
		made.push(created);
		return created;
	} catch (error) {
		// It may exist all the same, and the lists are from before: the next item looks anew.
		if (leavesOpen(error)) lists.clear();
		throw asThrown(error);
	}
}

async function existingDocument(
	item: Item,
	{ withinHours, send, likeness }: Creation<Document>,
	begun: ReadonlyArray<string | undefined>,
): Promise<ExistingDocument | undefined> {
	if (withinHours === undefined) return undefined;
	const key = likenessKey(await likeness());
	const statuses = send ? SENT_STATUSES : [...SENT_STATUSES, 'draft'];
	// While a request is in doubt, what no item has may be what it has created.
	const isOthers = ({ id }: Document) =>
		begun.includes(undefined) ? lines.ownerById.has(id) : !begun.includes(id);
	const alike = [
		...runOf(item.context).documents.made,
		...(await lookBack(item, withinHours)),
	].filter(
		(document) =>
			statuses.includes(document.status) && likenessKey(document) === key && isOthers(document),
	);
	const [newest] = alike.sort(
		(left, right) => Date.parse(right.created_at) - Date.parse(left.created_at),
	);
	return newest && { ...newest, already_existed: true };
}

/**
 * In a retry: the document that another retry has sent for this item where this process does not
 * know of it, as another worker or before n8n was started anew. It was created since the first of
 * these executions began, and is no other item's.
 */
async function sentByRetry(
	item: Item,
	owner: Owner,
	{ likeness }: Pick<Creation<Document>, 'likeness'>,
) {
	const unfinished = client.unfinished();
	const out = (await lookBack(item, 'line')).filter(({ status }) => SENT_STATUSES.includes(status));
	// Another retry went on with the draft of this item, and so does this one.
	if (out.some(({ id }) => unfinished.get(id)?.items.includes(owner.item))) return undefined;
	const { ids } = lineOf(item.context);
	const rows = lines.rows.get(runOf(item.context).execution);
	const free = out.filter(
		({ id }) => !unfinished.has(id) && !ids.includes(id) && lines.isFor(owner, id, rows),
	);
	const wanted = free.length > 0 ? await likeness() : undefined;
	const exact = free.filter((document) => wanted && isExactly(document, wanted));
	// Items go in their order, and the list has the newest first. What was asked for like this goes
	// before the rest.
	const isSame = ({ id }: Document) => lines.ownerById.get(id)?.asked === owner.asked;
	const found = exact.findLast(isSame) ?? exact.at(-1);
	if (!found) return undefined;
	client.claim(found.id);
	lines.ownerById.set(found.id, owner);
	runOf(item.context).hintAt(SENT_SINCE, found.id, 'info');
	return found;
}

/** Of a draft that a retry has made: the document that another retry has sent for its item. */
export async function sentInstead(item: Item, draft: string): Promise<Document | undefined> {
	const [, owner] = lineOf(item.context).made.findLast(([id]) => id === draft) ?? [];
	if (!owner) return undefined;
	// It may have been made by another worker.
	lines.ownerById.set(draft, owner);
	const own = (await lookBack(item, 'line')).find(({ id }) => id === draft);
	return own?.status === 'draft'
		? await sentByRetry(item, owner, { likeness: async () => own })
		: undefined;
}

/** @param since so many hours ago, or since the first execution of the line began */
async function lookBack(item: Item, since: number | 'line'): Promise<Document[]> {
	const { context, index } = item;
	const { lists } = runOf(context).documents;
	const { beganAt } = lineOf(context);
	if (since === 'line' && beganAt === undefined)
		throw item.error('Whether this was sent already is not known', NOTHING_SAVED);
	const sinceLine = client.wallClock() - (beganAt ?? NaN) + CLOCKS_APART_MS;
	const milliseconds = since === 'line' ? sinceLine : since * 3_600_000;
	try {
		const list = lists.get(since) ?? (await client.documentsWithin(context, milliseconds, index));
		lists.set(since, list);
		return list;
	} catch (error) {
		if (error instanceof NodeApiError) {
			const why =
				'Nothing was created or sent, because it is not known whether the document exists already.';
			error.description = [error.description, why].filter(Boolean).join(' ');
		}
		throw asThrown(error);
	}
}
