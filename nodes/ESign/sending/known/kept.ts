import type { IDataObject, IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';
import { client, RecentMap, type Document, type Timestamp } from '../../client';
import type { Item } from '../../operation/parameters';
import { lineOf, type Line } from './line';
import type { Likeness } from './likeness';

/**
 * What an item has asked for and what is not through: a draft, or a request whose outcome is
 * unknown. An item has one for everything that it asks for.
 */
export interface OpenRequest {
	/** Whose it is: see `beginRun`. */
	item: string;
	/** A hash of everything that was asked for. */
	asked: string;
	/** What a document is known by that nobody has the ID of. */
	likeness: Likeness;
	/** The document, where its ID is known, as it is known: a draft may have been sent. */
	document?: Document;
	/** Since when a contract may be out. Without a document: unset once nothing came of it. */
	sentAt?: Timestamp;
	/** When the answer to that was lost; unset while that is unknown, as after a kill. */
	lostAt?: Timestamp;
	/** The title as it was written in the node when a person was asked what came of it. */
	named?: string;
}

/** What is kept of one node. */
export interface KeptOfNode {
	/** The node's ID as it was first: a node that is made anew under its name is the same one. */
	id: string;
	/** The run of the node that is not through; one that has ended may be tried again by n8n. */
	round?: { execution: string; runIndex: number; hasEnded?: boolean };
	/** What each item of the run has put out. */
	done: Record<string, INodeExecutionData[]>;
	/** The items of earlier runs, and whether they were done; and all those of this one. */
	through: Record<string, boolean>;
	here: Record<string, true>;
}

/** What is kept with the execution (`getContext('flow')`): n8n hands it on to its retries. */
export interface Kept {
	line: Line;
	open: OpenRequest[];
	/** What items have, and what was asked for: none of these documents is another one's. */
	made: Record<string, string>;
	nodes: Record<string, KeptOfNode>;
}

export function keptOf(context: IExecuteFunctions): Kept {
	const flow: IDataObject & { eSign?: Kept } = context.getContext('flow');
	flow.eSign ??= { line: lineOf(context), open: [], made: {}, nodes: {} };
	return flow.eSign;
}

export function keptOfNode(context: IExecuteFunctions): KeptOfNode {
	const { nodes } = keptOf(context);
	const { id, name } = context.getNode();
	nodes[name] ??= { id, done: {}, through: {}, here: {} };
	return nodes[name];
}

/** Whether it is known what has become of it: it is out, or was withdrawn. */
export function isKnown({ document }: OpenRequest): boolean {
	return document !== undefined && document.status !== 'draft';
}

/** Whether a contract may be out that this has asked for. */
function mayBeOut(request: OpenRequest): boolean {
	return !isKnown(request) && request.sentAt !== undefined;
}

/**
 * Whether a contract may be out that the item has asked for, whatever has failed last. Undefined:
 * nothing is kept of it.
 */
export function isInDoubt({ context, id }: Item): boolean | undefined {
	const own = keptOf(context).open.filter(({ item }) => item === id);
	return own.length > 0 ? own.some(mayBeOut) : undefined;
}

/** A draft that was never sent is nobody's after this time: next week's contract is another one. */
const DRAFT_MS = 10 * 60_000;

/** What may be out is looked for by whoever asks for the same within a day. */
const IN_DOUBT_MS = 24 * 3_600_000;

const MAX_REQUESTS = 5_000;

/** What is not through, of all executions of this process. Each is kept with its execution, too. */
const recentRequests = new RecentMap<string, { request: OpenRequest; at: number }>(MAX_REQUESTS);

/** Keeps it as it is now, before anything is sent: n8n saves a stopped execution as it was then. */
export function keepOpen(kept: Kept, request: OpenRequest): void {
	dropOpen(kept, request);
	kept.open.push(request);
	recentRequests.set(nameOf(request), { request, at: client.now() });
}

/** Drops it, however many executions have kept it: what came of the item is known. */
export function dropOpen(kept: Kept, request: OpenRequest): void {
	const name = nameOf(request);
	kept.open = kept.open.filter((one) => nameOf(one) !== name);
	recentRequests.delete(name);
}

/**
 * What is open of an item, in whichever execution: first what it asked for before it was
 * corrected; and what is open for the same, while it is not known what has become of it, of this
 * execution, or of any other of this process a short while ago: first what may be out.
 *
 * @param isOneForAll whether items of the same node share what they have asked for, too
 */
export function openFor(
	kept: Kept,
	{ item, asked }: OpenRequest,
	isOneForAll: boolean,
): OpenRequest[] {
	const now = client.now();
	const recent = [...recentRequests.values()]
		.filter(({ request, at }) => now - at < (mayBeOut(request) ? IN_DOUBT_MS : DRAFT_MS))
		.map(({ request }) => request);
	// The process knows more than what n8n had saved of an execution that was stopped.
	const byName = new Map([...kept.open, ...recent].map((one) => [nameOf(one), one]));
	const open = [...byName.values()];
	const own = open.filter((one) => one.item === item);
	const before = own.filter((one) => one.asked !== asked);
	const others = open.filter(
		(one) => !isKnown(one) && (isOneForAll || nodeOf(one.item) !== nodeOf(item)),
	);
	const same = [...own, ...others.filter(mayBeOut), ...others].find((one) => one.asked === asked);
	return same ? [...before, same] : before;
}

/** The node, and the executions that were retried from each other: an item's ID begins with it. */
export function nodeOf(item: string): string {
	return item.slice(0, item.indexOf(' '));
}

function nameOf({ item, asked }: OpenRequest): string {
	return `${item} ${asked}`;
}

/** The same for all items of the node that ask for the same. */
export function sameOf({ item, asked }: OpenRequest): string {
	return `${nodeOf(item)} ${asked}`;
}

/**
 * What an item asks for, as it is begun. Several may ask for the same: each is known by how many
 * the execution has, or may have, before it.
 */
export function entryOf({ made, open }: Kept, request: OpenRequest): string {
	const same = sameOf(request);
	const others = open
		.filter((one) => one.item !== request.item && (isKnown(one) || mayBeOut(one)))
		.map(sameOf);
	const before = [...Object.values(made), ...others].filter((one) => one === same);
	return `${same}/${before.length}`;
}

/** The documents that items of this process have. */
const owners = new RecentMap<string, string>(MAX_REQUESTS);

/** The document is this item's. */
export function noteOwner({ made }: Kept, request: OpenRequest, { id }: Document): void {
	made[id] = sameOf(request);
	owners.set(id, request.item);
}

/** Whether another item of the execution has a document, or has come upon it. */
export function isTaken({ made, open }: Kept, item: string, { id }: Document): boolean {
	return id in made || open.some((one) => one.item !== item && one.document?.id === id);
}

/** Whether another item has it: of this execution, or of any other of this process. */
export function isAnothers(kept: Kept, item: string, document: Document): boolean {
	return isTaken(kept, item, document) || (owners.get(document.id) ?? item) !== item;
}
