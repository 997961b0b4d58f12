import { fingerprint, runOf, type Document } from '../client';
import { isTool } from '../operation/isTool';
import type { Item } from '../operation/parameters';
import type { Creation } from './creation';
import { keptOf, openRequests, type Kept, type OpenRequest } from './known/kept';
import { likenessOf, peopleKey, titleKey, type Likeness } from './known/likeness';
import { isRetry } from './known/line';
import { NodeMemory } from './known/nodeMemory';
import { Turns } from './known/turns';
import { notKnown } from './words';

/** Whether a document was sent and not withdrawn. */
export function isOut({ status }: Document): boolean {
	return ['in_progress', 'completed', 'declined'].includes(status);
}

/** What an item wants, and what is known of it: by its executions, and in n8n's memory. */
export class Wanted {
	readonly kept: Kept;

	/** Stands for title and people: whoever creates the same goes one after the other. */
	readonly name: string;

	readonly turns: Turns;

	/** Whether nothing has come of what was begun before. */
	isBegunAnew = false;

	/** Whether another execution has begun it, and may be sending a draft of it just now. */
	mayBeUnderWay = false;

	/** A hash of everything that is asked for. */
	private readonly asked: string;

	/** A hash of the parameters as they are written in the workflow. */
	private readonly written: string;

	private readonly memory: NodeMemory;

	constructor(
		readonly item: Item,
		readonly creation: Creation,
		workspaceMode: string,
	) {
		const { title, emails } = creation;
		this.kept = keptOf(item.context);
		this.memory = new NodeMemory(item.context);
		this.asked = fingerprint([workspaceMode, creation.asked]);
		this.written = fingerprint([runOf(item.context).parameters]);
		this.name = fingerprint([workspaceMode, title, peopleKey(emails)]);
		this.turns = new Turns(this.memory, {
			title: this.isSkipping ? this.name : undefined,
			item: isRetry(item.context) ? item.id : undefined,
		});
	}

	/** Title and people, also where the title takes a request. */
	async likeness(): Promise<Likeness> {
		const { title, titleOf, emails } = this.creation;
		return { title: title ?? (await titleOf?.()), emails };
	}

	/** Something that the item asks for now. */
	request(): OpenRequest {
		const { item, asked, written, creation } = this;
		const { title, emails } = creation;
		return { item: item.id, asked, written, likeness: { title, emails } };
	}

	/**
	 * What earlier tries of the item have left, also of what it asked for before it was corrected;
	 * and what anybody has left who asked for the same.
	 */
	left(): OpenRequest[] {
		// Equal calls of a model are repetitions, and so are equal rows where Skip If Created is set.
		// Elsewhere each has its own, also those that another try of the execution comes to later.
		const isOneForAll = isTool(this.item.context) || this.isSkipping;
		return openRequests.of(this.kept, this.request(), isOneForAll);
	}

	/** Whether something else was asked for. */
	isCorrected({ asked }: OpenRequest): boolean {
		return asked !== this.asked;
	}

	/** Whether a person has changed the node since. */
	isRewritten({ written }: OpenRequest): boolean {
		return written !== this.written;
	}

	/**
	 * What another execution of the line may have sent of the item, by n8n's memory, which has the
	 * item as begun from now on. A first execution has nothing to ask.
	 *
	 * @throws NodeOperationError where nobody can know
	 */
	async begunBefore(): Promise<OpenRequest | undefined> {
		const { item, kept } = this;
		const turn = this.turns.ofItem;
		if (!turn) return undefined;
		if (kept.line.beganAt === undefined && !this.isSkipping) {
			throw notKnown(item, 'n8n has saved nothing of the execution that is retried');
		}
		if (this.isBegunAnew) return undefined;
		const { wasThere, failure } = await turn.take();
		if (failure && !this.isSkipping) {
			throw notKnown(item, `n8n's memory of this node cannot be read (${failure.message})`);
		}
		// While it waited for others that want the same title, another try may have begun it.
		const isBegun = wasThere || this.turns.hasWaited;
		if (!isBegun || failure) return undefined;
		this.mayBeUnderWay = true;
		return this.request();
	}

	/** Nothing came of what was begun before. */
	beginAnew(): void {
		this.isBegunAnew = true;
		this.mayBeUnderWay = false;
	}

	/** This has sent nothing: a retry need not look, unless another execution has begun it, too. */
	async forgetBegun(): Promise<void> {
		if (!this.mayBeUnderWay) await this.turns.forget(this.item.id, this.sentAs(this.creation));
	}

	/**
	 * Stands in n8n's memory for the item as sent in one request with this title to these people:
	 * nobody has an ID of it, and it may be corrected since. Without a title: the template's.
	 */
	private sentAs({ title, emails }: Likeness): string {
		const name = title === undefined ? 'its template' : titleKey(title);
		return `${this.item.id} sent as ${name} to ${peopleKey(emails)}`;
	}

	/**
	 * Takes the turn to send it in one request, which is recorded before that is sent.
	 *
	 * @returns false if another worker is at it, n8n was killed, or it cannot be recorded
	 */
	async beginDirectly(): Promise<boolean> {
		const sent = this.sentAs(this.creation);
		const isOurs = await this.turns.takeToSend(this.name, this.item.id, sent);
		if (!isOurs) await this.memory.forget(sent);
		return isOurs;
	}

	/**
	 * Records in n8n's memory that the item is begun, and that the document is its own: as soon as
	 * the ID is known, and before it is sent. What n8n cannot record does not stop it.
	 */
	async recordDocument(id: string): Promise<void> {
		const { own, asked } = this.entriesFor(id);
		await this.record(asked, own, id);
	}

	/**
	 * Records that the item is done with a document, even if it is corrected: with a draft, which
	 * another node may send, or with what was there already, which another item may look for.
	 */
	async recordDone(id: string): Promise<void> {
		const { own, done } = this.entriesFor(id);
		await this.record(done, own);
	}

	/**
	 * With the item as begun, also where another one that began it has taken that back since. Another
	 * retry may write to n8n's memory at the same moment, and does not look for what it overwrites.
	 */
	private async record(...entries: string[]): Promise<void> {
		const { memory, item } = this;
		const work = isRetry(item.context)
			? memory.recordSafely(...entries, item.id)
			: memory.record(...entries, item.id);
		await work.catch(() => undefined);
	}

	/**
	 * Which documents n8n's memory has as this item's, and whether the item asks for the same now, or
	 * is done with it. Throws where it cannot be read.
	 */
	async ownAmong(documents: readonly Document[]): Promise<Own[]> {
		const known = await this.has(
			this.item.id,
			...documents.flatMap(({ id }) => Object.values(this.entriesFor(id))),
		);
		return documents
			.map((document, index) => {
				const [isOwn, isAsked, wasDone] = known.slice(3 * index);
				// A draft that it is done with may be of before a correction: that is never sent.
				const isDone = wasDone && !this.creation.send;
				return { document, isOwn, isDone, isSame: isAsked || isDone };
			})
			.filter(({ isOwn }) => isOwn);
	}

	/**
	 * Which documents n8n's memory has as somebody's. Each is a question by itself: other items ask
	 * for it, too. Throws where it cannot be read.
	 */
	async knownAmong(documents: readonly Document[]): Promise<Document[]> {
		const known: Document[] = [];
		for (const document of documents) {
			const [isKnown] = await this.has(document.id, document.id);
			if (isKnown) known.push(document);
		}
		return known;
	}

	/** Which documents are like what the item has sent in one request. Throws likewise. */
	async sentAmong(documents: readonly Document[]): Promise<Document[]> {
		const likenesses = documents.map(likenessOf);
		const asTitled = likenesses.map((one) => this.sentAs(one));
		const asTemplate = likenesses.map(({ emails }) => this.sentAs({ emails }));
		const known = await this.has(this.item.id, ...asTitled, ...asTemplate);
		const areTemplates = known.splice(documents.length);
		const name = areTemplates.includes(true) && titleKey(await this.creation.titleOf?.());
		return documents.filter(({ title }, index) => {
			return known[index] || (areTemplates[index] && titleKey(title) === name);
		});
	}

	/** With Skip If Created the service is asked anyway. */
	private async has(about: string, ...entries: string[]): Promise<boolean[]> {
		return await this.memory.has(about, ...entries).catch((error: Error) => {
			if (this.isSkipping) return [];
			throw error;
		});
	}

	private get isSkipping(): boolean {
		return this.creation.withinHours !== undefined;
	}

	/** The document is this item's, it is what the item asks for, and the item is done with it. */
	private entriesFor(id: string) {
		const own = `${this.item.id} ${id}`;
		return { own, asked: `${own} ${this.asked}`, done: `${own} done` };
	}
}

/** A document of an item, whether it is done with it, and whether it asks for the same now. */
export type Own = { document: Document; isDone?: boolean; isSame?: boolean };
