import type { Document } from '../../client';
import type { Known } from './documentList';
import { nodeOf } from './kept';
import { likenessOf, peopleKey, titleKey, type Likeness } from './likeness';
import type { NodeMemory } from './nodeMemory';

/** A document of an item, whether it is done with it, and whether it asks for the same now. */
export type Own = Known & { isDone: boolean; isSame: boolean };

/** Whose memory it is. */
interface ItemOfMemory {
	/** Its ID: see `beginRun`. */
	item: string;
	/** A hash of everything that it asks for now. */
	asked: string;
	/** Another retry may write at the same moment, and does not look for what it overwrites. */
	isRetry: boolean;
}

/** What n8n's memory has of an item: what it has begun, and which documents are its own. */
export class ItemMemory {
	/** What was recorded as it was sent in one request, and was not there before. */
	private sent: string[] = [];

	/** @param isNeeded whether nothing else could tell; else what cannot be read counts as nothing */
	constructor(
		private readonly memory: NodeMemory,
		private readonly of: ItemOfMemory,
		private readonly isNeeded: () => boolean,
	) {}

	/** Records that it is begun. Returns whether it was before, and throws where that is unknown. */
	async begin(): Promise<boolean> {
		const [isBegun = false] = await this.memory.record(...this.begun);
		return isBegun;
	}

	/**
	 * Takes the first number, from this one on, that no execution of the line has. Undefined where
	 * n8n cannot record it.
	 */
	async takeNumber(from: number): Promise<number | undefined> {
		try {
			let number = from;
			while ((await this.memory.record(this.entryOfNumber(number)))[0]) number++;
			return number;
		} catch {
			return undefined;
		}
	}

	/**
	 * Records that it is sent in one request, unless somebody has one of these turns.
	 *
	 * @returns false if somebody has, or n8n cannot record
	 */
	async beginDirectly(turns: readonly string[], likeness: Likeness): Promise<boolean> {
		const { item } = this.of;
		const sent = [item, nodeOf(item)].map((one) => sentAs(one, likeness));
		const facts = [...turns, ...sent, ...this.begun];
		const were = await this.memory.record(...facts).catch(() => undefined);
		const areNew = facts.filter((_, index) => were?.[index] === false);
		// What stands for the node may be another item's.
		this.sent = sent.filter((one) => areNew.includes(one));
		const taken = turns.filter((turn) => areNew.includes(turn));
		const isOurs = taken.length === turns.length;
		if (!isOurs) await this.memory.forget(...this.sent, ...taken);
		return isOurs;
	}

	/** It has sent nothing. */
	async forgetBegun(): Promise<void> {
		await this.memory.forget(this.of.item, ...this.sent);
	}

	/**
	 * Records that the document is its own: as soon as the ID is known, and before it is sent. What
	 * n8n cannot record does not stop it.
	 */
	async recordDocument(id: string): Promise<void> {
		const { own, asked } = this.entriesFor(id);
		await this.record(asked, own, this.entryOfNode(id), id);
	}

	/**
	 * Records that the item is done with a document, even if it is corrected: with a draft, which
	 * another node may send, or with what was there already, which another item may look for.
	 */
	async recordDone(id: string): Promise<void> {
		const { own, done } = this.entriesFor(id);
		await this.record(done, own);
	}

	/** With the item as begun, also where another one that began it has taken that back since. */
	private async record(...entries: string[]): Promise<void> {
		const { memory, begun } = this;
		const work = this.of.isRetry
			? memory.recordForGood(...entries, ...begun)
			: memory.record(...entries, ...begun);
		await work.catch(() => undefined);
	}

	/** Which documents are the item's own. Throws where that cannot be read. */
	async ownAmong(documents: readonly Known[]): Promise<Own[]> {
		const known = await this.has(
			...documents.flatMap(({ document }) => Object.values(this.entriesFor(document.id))),
		);
		return documents.flatMap((one, index) => {
			const [isOwn, isSame = false, isDone = false] = known.slice(3 * index);
			return isOwn ? [{ ...one, isSame, isDone }] : [];
		});
	}

	/**
	 * Whose each document is, as far as is known: another retry may just have made it the item's own.
	 * Throws likewise.
	 */
	async ownersOf(documents: readonly Document[]): Promise<Array<'this' | 'another' | undefined>> {
		const facts = documents.flatMap(({ id }) => [id, this.entriesFor(id).own]);
		const known = await this.has(...facts);
		return documents.map((_, index) => {
			const [isKnown, isOwn] = known.slice(2 * index);
			if (isOwn) return 'this';
			return isKnown ? 'another' : undefined;
		});
	}

	/**
	 * How one of the item's node has made a document that none of these items has: by its ID, or in
	 * one request without one. Throws likewise.
	 *
	 * @param likeness what the item would be sent as in one request
	 */
	async leftBy(
		{ id, status }: Document,
		likeness: Likeness,
		items: readonly string[],
	): Promise<'id' | 'likeness' | undefined> {
		const owners = items.map((item) => `${item} ${id}`);
		const asked = [this.entryOfNode(id), id, ...owners];
		const [isOfNode, isKnown, ...areOwners] = await this.has(...asked);
		if (areOwners.includes(true)) return undefined;
		if (isOfNode) return 'id';
		if (isKnown || status === 'draft') return undefined;

		const [wasSent] = await this.has(sentAs(nodeOf(this.of.item), likeness));
		return wasSent ? 'likeness' : undefined;
	}

	/**
	 * Which documents are like what the item has sent in one request. Throws likewise.
	 *
	 * @param titleOf the title of the template
	 */
	async sentAmong(
		documents: readonly Document[],
		titleOf: () => Promise<string | undefined>,
	): Promise<Document[]> {
		const likenesses = documents.map(likenessOf);
		const { item } = this.of;
		const asTitled = likenesses.map((one) => sentAs(item, one));
		const asTemplate = likenesses.map(({ emails }) => sentAs(item, { emails }));
		const known = await this.has(...asTitled, ...asTemplate);
		const areTemplates = known.splice(documents.length);
		const name = areTemplates.includes(true) && titleKey(await titleOf());
		return documents.filter(({ title }, index) => {
			return known[index] || (areTemplates[index] && titleKey(title) === name);
		});
	}

	private async has(...facts: string[]): Promise<boolean[]> {
		return await this.memory.has(...facts).catch((error: Error) => {
			if (!this.isNeeded()) return [];
			throw error;
		});
	}

	/** The item, and the first execution that has begun the node. */
	private get begun(): [string, string] {
		return [this.of.item, this.entryOfNumber(0)];
	}

	/** The document is this item's, it is what the item asks for, and the item is done with it. */
	private entriesFor(id: string) {
		const own = `${this.of.item} ${id}`;
		return { own, asked: `${own} ${this.of.asked}`, done: `${own} done` };
	}

	private entryOfNumber(number: number): string {
		return `${nodeOf(this.of.item)} in execution ${number}`;
	}

	/** The document is one of the item's node. */
	private entryOfNode(id: string): string {
		return `${nodeOf(this.of.item)} ${id}`;
	}
}

/**
 * Stands for an item, or one of a node, as sent in one request with this title to these people:
 * nobody has an ID of it, and it may be corrected since. Without a title: the template's.
 */
function sentAs(whose: string, { title, emails }: Likeness): string {
	const name = title === undefined ? 'its template' : titleKey(title);
	return `${whose} sent as ${name} to ${peopleKey(emails)}`;
}
