import { client, fingerprint, type Document } from '../client';
import { isTool } from '../operation/isTool';
import type { Item } from '../operation/parameters';
import type { Creation } from './creation';
import { keptOf, keptOfNode, openRequests, type Kept, type OpenRequest } from './known/kept';
import { peopleKey, type Likeness } from './known/likeness';
import { isRetry } from './known/line';
import { NodeMemory } from './known/nodeMemory';
import { notKnown } from './words';

/** Whether a document was sent and not withdrawn. */
export function isOut({ status }: Document): boolean {
	return ['in_progress', 'completed', 'declined'].includes(status);
}

/** What an item wants, and what is known of it: by its executions, and in n8n's memory. */
export class Wanted {
	readonly kept: Kept;

	/** Whoever creates the same title for the same people goes one after the other. */
	readonly turn: string;

	/** Whether the turn is this item's in n8n's memory, too, to be given back. */
	hasTurn = false;

	/** A hash of everything that is asked for. */
	private readonly asked: string;

	private readonly memory: NodeMemory;

	/** Stands in n8n's memory for the item as begun: another one each time that it is begun anew. */
	private begun: string;

	constructor(
		readonly item: Item,
		readonly creation: Creation,
		workspaceMode: string,
	) {
		const { title, emails } = creation;
		this.kept = keptOf(item.context);
		this.memory = new NodeMemory(item.context);
		this.asked = fingerprint([workspaceMode, creation.asked]);
		this.begun = item.id;
		// A killed item holds up its turn until the next day at most.
		const day = new Date(client.moment().wallClock).toISOString().slice(0, 10);
		this.turn = `turn ${fingerprint([workspaceMode, title, peopleKey(emails)])} on ${day}`;
	}

	/** Title and people, also where the title takes a request. */
	async likeness(): Promise<Likeness> {
		const { title, titleOf, emails } = this.creation;
		return { title: title ?? (await titleOf?.()), emails };
	}

	/** Something that the item asks for now. */
	request(): OpenRequest {
		const { title, emails } = this.creation;
		return { item: this.item.id, asked: this.asked, likeness: { title, emails } };
	}

	/** What an earlier try of the item, or anybody who asked for the same, has left. */
	left(): OpenRequest | undefined {
		const { context } = this.item;
		// Equal calls of a model are repetitions, and so are equal rows where Skip If Created is set.
		const isOneForAll = isTool(context) || this.creation.withinHours !== undefined;
		const equalRows = isOneForAll ? {} : keptOfNode(context).here;
		return openRequests.findSame(this.kept, this.request(), equalRows);
	}

	/** What the item has open that asked for something else, before it was corrected. */
	leftBefore(): OpenRequest[] {
		const { id } = this.item;
		return this.kept.open.filter(({ item, asked }) => item === id && asked !== this.asked);
	}

	/**
	 * What another execution of the line may have sent of the item, by n8n's memory, which has the
	 * item as begun from now on. A first execution has nothing to ask.
	 *
	 * @throws NodeOperationError where nobody can know
	 */
	async begunBefore(): Promise<OpenRequest | undefined> {
		const { item, kept, creation, begun } = this;
		if (!isRetry(item.context)) return undefined;
		const isSkipping = creation.withinHours !== undefined;
		if (kept.line.beganAt === undefined && !isSkipping) {
			throw notKnown(item, 'n8n has saved nothing of the execution that is retried');
		}
		const [isBegun] = await this.memory.record(begun).catch((error: Error) => {
			if (isSkipping) return [];
			throw notKnown(item, `n8n's memory of this node cannot be read (${error.message})`);
		});
		return isBegun ? this.request() : undefined;
	}

	/** Nothing came of what was begun: who does this at the same time in another process is seen. */
	beginAnew(): void {
		this.begun = `${this.begun} again`;
	}

	get isBegunAnew(): boolean {
		return this.begun !== this.item.id;
	}

	/** Nothing has been sent, by whatever name it was begun: a retry need not look. */
	async forgetBegun(): Promise<void> {
		await this.memory.forget(this.item.id, this.begun);
	}

	/**
	 * Takes the turn in n8n's memory, where it stands until it is known what came of the item, and
	 * records that the item is begun.
	 *
	 * @returns false if it is taken: another worker is at it, or n8n was killed
	 */
	async takeTurn(): Promise<boolean> {
		const entries = [this.turn, this.begun];
		const [isTaken = false] = await this.memory.record(...entries).catch(() => []);
		this.hasTurn ||= !isTaken;
		return this.hasTurn;
	}

	async giveTurnBack(): Promise<void> {
		if (this.hasTurn) await this.memory.forget(this.turn);
	}

	/**
	 * Records in n8n's memory that the item is begun, and that the document is its own: as soon as
	 * the ID is known, and before it is sent. What n8n cannot record does not stop it.
	 */
	async recordDocument(id: string): Promise<void> {
		const entries = [this.begun, ...this.entriesFor(id)];
		await this.memory.record(...entries).catch(() => undefined);
	}

	/** What n8n's memory says of documents. Throws where it cannot be read. */
	async recorded(documents: readonly Document[]): Promise<Recorded[]> {
		const known = await this.memory.has(...documents.flatMap(({ id }) => this.entriesFor(id)));
		return documents.map((document, index) => {
			const [isKnown, isOwn, isSame] = known.slice(3 * index);
			return { document, isKnown, isOwn, isSame };
		});
	}

	/** The document is somebody's, it is this item's, and it is what the item asks for. */
	private entriesFor(id: string): string[] {
		const own = `${this.item.id} ${id}`;
		return [id, own, `${own} ${this.asked}`];
	}
}

/** A document, whether it is somebody's, this item's, and what the item asks for now. */
export type Recorded = {
	document: Document;
	isKnown?: boolean;
	isOwn?: boolean;
	isSame?: boolean;
};
