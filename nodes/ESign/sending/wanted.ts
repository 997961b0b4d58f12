import { client, fingerprint, type Document } from '../client';
import { isTool } from '../operation/isTool';
import type { Item } from '../operation/parameters';
import type { Creation } from './creation';
import { keptOf, keptOfNode, openRequests, type Kept, type OpenRequest } from './known/kept';
import { peopleKey, titleKey, type Likeness } from './known/likeness';
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

	/** Stands for title and people: whoever creates the same goes one after the other. */
	readonly name: string;

	/**
	 * Whether this run has taken the turn in n8n's memory, too, and gives it back. What was left in
	 * doubt, or killed, holds it up until the next day: another one may have it since.
	 */
	hasTurn = false;

	/** Stands in n8n's memory for the item as begun: another one each time that it is begun anew. */
	begun: string;

	/** Stands in n8n's memory for whoever is at work on it. */
	private readonly turn: string;

	/** What was recorded before the look, and is taken away if nothing comes of it. */
	private lookedFor: string[] = [];

	/** A hash of everything that is asked for. */
	private readonly asked: string;

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
		this.begun = item.id;
		this.name = fingerprint([workspaceMode, title, peopleKey(emails)]);
		const day = new Date(client.moment().wallClock).toISOString().slice(0, 10);
		this.turn = `turn ${this.name} on ${day}`;
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

	/**
	 * What earlier tries of the item have left, also of what it asked for before it was corrected;
	 * and what anybody has left who asked for the same.
	 */
	left(): OpenRequest[] {
		const { context } = this.item;
		// Equal calls of a model are repetitions, and so are equal rows where Skip If Created is set.
		const isOneForAll = isTool(context) || this.isSkipping;
		const equalRows = isOneForAll ? {} : keptOfNode(context).here;
		return openRequests.of(this.kept, this.request(), equalRows);
	}

	/** Whether something else was asked for. */
	isCorrected({ asked }: OpenRequest): boolean {
		return asked !== this.asked;
	}

	/**
	 * What another execution of the line may have sent of the item, by n8n's memory, which has the
	 * item as begun from now on. A first execution has nothing to ask.
	 *
	 * @throws NodeOperationError where nobody can know
	 */
	async begunBefore(): Promise<OpenRequest | undefined> {
		const { item, kept, begun } = this;
		if (!isRetry(item.context)) return undefined;
		if (kept.line.beganAt === undefined && !this.isSkipping) {
			throw notKnown(item, 'n8n has saved nothing of the execution that is retried');
		}
		const [isBegun] = await this.memory.record(begun).catch((error: Error) => {
			if (this.isSkipping) return [];
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
		await this.memory.forget(this.item.id, this.begun, this.sentAs(this.creation.title));
	}

	/**
	 * Stands in n8n's memory for the item as sent in one request with this title: nobody has an ID of
	 * it, and an expression may give another title each time. Left out: the one of its template.
	 */
	private sentAs(title?: string): string {
		return `${this.item.id} sent as ${title === undefined ? 'its template' : titleKey(title)}`;
	}

	/**
	 * Takes the turn to look for what is there already, which is recorded before the look.
	 *
	 * @returns `isFree`: false if another worker is at it, or n8n was killed; `wasThere`: whether
	 * somebody has looked for it before
	 */
	async beginLook(): Promise<{ isFree: boolean; wasThere: boolean }> {
		const entry = `wanted ${this.name}`;
		const [isTaken, wasThere = false] = await this.takeTurn(entry);
		if (!wasThere) this.lookedFor = [entry];
		return { isFree: !isTaken, wasThere };
	}

	/**
	 * Takes the turn to send it in one request, which is recorded before that is sent.
	 *
	 * @returns false if another worker is at it, n8n was killed, or it cannot be recorded
	 */
	async beginDirectly(): Promise<boolean> {
		const sent = this.sentAs(this.creation.title);
		await this.takeTurn(this.begun, sent);
		if (!this.hasTurn) await this.memory.forget(sent);
		return this.hasTurn;
	}

	/**
	 * Takes the turn in n8n's memory, where it stands until it is known what came of the item, and
	 * records something else with it.
	 *
	 * @returns for each of them, whether it was there before; none where n8n cannot record
	 */
	private async takeTurn(...others: string[]): Promise<boolean[]> {
		const wereThere = await this.memory.record(this.turn, ...others).catch(() => []);
		this.hasTurn ||= wereThere[0] === false;
		return wereThere;
	}

	/** @param isMade whether something came of it */
	async giveTurnBack(isMade: boolean): Promise<void> {
		const lookedFor = isMade ? [] : this.lookedFor;
		if (this.hasTurn) await this.memory.forget(this.turn, ...lookedFor);
	}

	/**
	 * Records in n8n's memory that the item is begun, and that the document is its own: as soon as
	 * the ID is known, and before it is sent. What n8n cannot record does not stop it.
	 */
	async recordDocument(id: string): Promise<void> {
		const { own, asked } = this.entriesFor(id);
		await this.memory.record(this.begun, id, own, asked).catch(() => undefined);
	}

	/**
	 * Records that the item is done with a document, even if it is corrected: with a draft, which
	 * another node may send, or with what was there already, which another item may look for.
	 */
	async recordDone(id: string): Promise<void> {
		const { own, done } = this.entriesFor(id);
		await this.memory.record(this.begun, own, done).catch(() => undefined);
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
				const [isOwn, isAsked, isDone] = known.slice(3 * index);
				// A draft that it is done with may be of before a correction: that is never sent.
				return { document, isOwn, isSame: isAsked || (isDone && !this.creation.send) };
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

	/** Which documents have a title with which the item was sent in one request. Throws likewise. */
	async sentAmong(documents: readonly Document[]): Promise<Document[]> {
		const titles = documents.map(({ title }) => this.sentAs(title));
		const [asTemplate, ...asTitled] = await this.has(this.item.id, this.sentAs(), ...titles);
		const name = asTemplate && titleKey(await this.creation.titleOf?.());
		return documents.filter(({ title }, index) => asTitled[index] || titleKey(title) === name);
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

/** A document of an item, and whether the item asks for the same now, or is done with it. */
export type Own = { document: Document; isSame?: boolean };
