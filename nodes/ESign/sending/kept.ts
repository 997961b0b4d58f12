import type { IDataObject, IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';
import { client, RecentMap, type Document, type Timestamp } from '../client';
import type { Likeness } from './likeness';
import { lineOf, type Line } from './line';

/**
 * What an item has asked for and what is not through: a draft, a request whose answer was lost, or
 * documents that a person has to look at.
 */
export interface OpenRequest {
	/** Its own name. */
	key: string;
	/** Whose it is: see `idOf`. */
	item: string;
	/** The run of the node, as in `idOf`. Equal rows of one run are as many contracts. */
	run?: string;
	/** A hash of everything that was asked for. */
	asked: string;
	/** What a document is known by that nobody has the ID of. */
	likeness: Likeness;
	/** The draft. Without it, a request whose answer was lost; or, never sent, what was named. */
	document?: Document & IDataObject;
	/** Since when a contract may be out. */
	sentAt?: Timestamp;
	/** When the answer to that was lost; unset while nobody knows, as after a kill. */
	lostAt?: Timestamp;
	/** When it was kept last, by the clock of `client.now()`. */
	keptAt: number;
}

/** One run of a node, in all its tries. */
export interface Round {
	/** How many runs of the node there were before. */
	number: number;
	execution: string;
	runIndex: number;
	isThrough: boolean;
}

/** What is kept of one node. */
export interface KeptOfNode {
	round?: Round;
	/** What each item of the run has put out. */
	done: Record<string, INodeExecutionData[]>;
	/** The items that were done in earlier runs, and those that have come in this one. */
	through: Record<string, true>;
	here: Record<string, true>;
}

/** What is kept with the execution (`getContext('flow')`): n8n hands it on to its retries. */
export interface Kept {
	line: Line;
	open: OpenRequest[];
	nodes: Record<string, KeptOfNode>;
}

export function keptOf(context: IExecuteFunctions): Kept {
	const flow: IDataObject & { eSign?: Kept } = context.getContext('flow');
	flow.eSign ??= { line: lineOf(context), open: [], nodes: {} };
	return flow.eSign;
}

export function keptOfNode(context: IExecuteFunctions): KeptOfNode {
	const { nodes } = keptOf(context);
	const { name } = context.getNode();
	nodes[name] ??= { done: {}, through: {}, here: {} };
	return nodes[name];
}

/** Whether a contract may be out that this has asked for. */
export function mayBeOut({ document, sentAt }: OpenRequest): boolean {
	return sentAt !== undefined || document === undefined;
}

/** A draft that was never sent is nobody's after this time: next week's contract is another one. */
const DRAFT_MS = 10 * 60_000;

/** What may be out is looked for by whoever asks for the very same within a day. */
const IN_DOUBT_MS = 24 * 3_600_000;

const MAX_REQUESTS = 5_000;

/** What is not through, of all executions of this process. Each is kept with its execution, too. */
export class OpenRequests {
	private readonly recent = new RecentMap<string, OpenRequest>(MAX_REQUESTS);

	/**
	 * Keeps it as it is now, before anything is sent: n8n saves a killed execution as it was then.
	 */
	keep(kept: Kept, request: OpenRequest): void {
		const now = { ...request, keptAt: client.now() };
		kept.open = [...kept.open.filter(({ key }) => key !== request.key), now];
		this.recent.set(request.key, now);
	}

	drop(kept: Kept, { key }: OpenRequest): void {
		kept.open = kept.open.filter((request) => request.key !== key);
		this.recent.delete(key);
	}

	/**
	 * What is open for the very same: of the item, of this execution, or of any other of this process
	 * a short while ago.
	 *
	 * @param run whose equal rows have their own
	 */
	findSame(kept: Kept, item: string, asked: string, run?: string): OpenRequest | undefined {
		const now = client.now();
		const isRecent = (request: OpenRequest) =>
			now - request.keptAt < (mayBeOut(request) ? IN_DOUBT_MS : DRAFT_MS);
		const all = [...kept.open, ...[...this.recent.values()].filter(isRecent)];
		const same = all.filter((request) => request.asked === asked);
		const isOfEqualRow = (request: OpenRequest) => run !== undefined && request.run === run;
		return (
			same.find((request) => request.item === item) ??
			same.find((request) => !isOfEqualRow(request))
		);
	}

	/** What the item has open that asked for something else, before it was corrected. */
	findOther(kept: Kept, item: string, asked: string): OpenRequest[] {
		return kept.open.filter((request) => request.item === item && request.asked !== asked);
	}
}

export const openRequests = new OpenRequests();
