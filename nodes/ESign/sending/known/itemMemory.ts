import type { Document } from '../../client';
import type { Known } from './documentList';
import { secondOf } from './itemId';
import { likenessOf, peopleKey, titleKey, type Likeness } from './likeness';
import type { NodeMemory } from './nodeMemory';

/** A document that may be an item's. */
export interface Own extends Known {
	/** Whether the item asks for the same now. */
	isSame: boolean;
	/** Whether it is recorded for the item, or for one that has the same data and place. */
	isOfItem: boolean;
	/** Whether it is, and a person has changed the node since, and was not asked about it. */
	isCorrected: boolean;
	/** Whether the item is done with it. */
	isDone: boolean;
	/** Whether it is the item's, and cannot be another one's. */
	isSure: boolean;
}

/** What stands for an item. */
export interface Names {
	/** Its node, data and place: see `beginRun`. */
	item: string;
	/** Its node, and all that it asks for. */
	same: string;
	/** Likewise, but for what nodes before ours may have made anew, as its files. */
	alike: string;
	/** Those two, and its number among those that ask for that: see `numbered`. */
	numbers: readonly string[];
	/** A hash of the parameters as they are written in the workflow. */
	written: string;
	/** Its people. */
	people: string;
	/** Whether it has data, which may tell it from others. */
	hasData: boolean;
	/** Whether the execution knows of no equal item. */
	isAlone: boolean;
}

/** What n8n's memory has of an item: what it has begun, and which documents are its own. */
export class ItemMemory {
	/** What was recorded as it was sent in one request, and was not there before. */
	private sent: string[] = [];

	/** The turns to send it in one request. */
	private turns: string[] = [];

	/**
	 * @param isRetry another retry may write at the same moment, and does not look for what it
	 * overwrites
	 * @param isNeeded whether nothing else could tell; else what cannot be read counts as nothing
	 */
	constructor(
		private readonly memory: NodeMemory,
		private readonly of: Names,
		private readonly isRetry: boolean,
		private readonly isNeeded: () => boolean,
	) {}

	/** Records that it is begun. Returns whether it was before, and throws where that is unknown. */
	async begin(): Promise<boolean> {
		const areBegun = await this.memory.record(...this.asBegun);
		return areBegun.includes(true);
	}

	/**
	 * Records that it is sent in one request, unless somebody has one of these turns.
	 *
	 * @returns false if somebody has, or n8n cannot record
	 */
	async beginDirectly(turns: readonly string[], likeness: Likeness): Promise<boolean> {
		const sent = this.sentAs(likeness);
		const facts = [...turns, ...sent, ...this.asBegun];
		const were = await this.memory.record(...facts).catch(() => undefined);
		const areNew = facts.filter((_, index) => were?.[index] === false);
		this.sent = sent.filter((one) => areNew.includes(one));
		this.turns = turns.filter((turn) => areNew.includes(turn));
		const isOurs = this.turns.length === turns.length;
		if (!isOurs) await this.memory.forget(...this.sent, ...this.turns.splice(0));
		return isOurs;
	}

	/** Whoever wants the same for the same people may send it in one request. */
	async giveBackTurns(): Promise<void> {
		await this.memory.forget(...this.turns.splice(0));
	}

	/** It has sent nothing. */
	async forgetBegun(): Promise<void> {
		await this.memory.forget(...this.asBegun, ...this.sent);
	}

	/**
	 * Records that the document is its own: as soon as the ID is known, and before it is sent. What
	 * n8n cannot record does not stop it.
	 */
	async recordDocument(id: string): Promise<void> {
		const { same, alike } = this.of;
		await this.record(asOwn(same, id), asOwn(alike, id), id, ...this.asOfItem(id));
	}

	/**
	 * Records that the item is done with a document, even if it is corrected: with a draft, which
	 * another node may send, or with what was there already, which another item may look for.
	 */
	async recordDone(id: string): Promise<void> {
		const { item, same } = this.of;
		await this.record(done(item, id), asOwn(same, id), ...this.asOfItem(id));
	}

	/** With the item as begun, also where another one that began it has taken that back since. */
	private async record(...entries: string[]): Promise<void> {
		const { memory, asBegun } = this;
		const work = this.isRetry
			? memory.recordForGood(...entries, ...asBegun)
			: memory.record(...entries, ...asBegun);
		await work.catch(() => undefined);
	}

	/**
	 * Which documents may be the item's own. Those are for which it asks for the same. Those that are
	 * recorded for it are, if no equal item is known, and either a person has changed the node since,
	 * or it has data, and they go to its people. But not what was named. Throws where that cannot be
	 * read.
	 */
	async ownAmong(documents: readonly Known[]): Promise<Own[]> {
		const { item, same, alike } = this.of;
		const facts = documents.map(({ document: { id } }) => {
			const ofItem = [...this.asOfItem(id), named(item, id), done(item, id)];
			return [asOwn(same, id), asOwn(alike, id), ...ofItem];
		});
		const [[hasEqual] = [], ...known] = await this.hasEach([[secondOf(item)], ...facts]);
		const isAlone = this.of.isAlone && !hasEqual;
		return documents.flatMap((one, index) => {
			const [isSame = false, isAlike, isOfItem = false, isWritten, isNamed, isDone = false] =
				known[index] ?? [];
			const isCorrected = isOfItem && !isWritten && !isNamed;
			const isIts = isAlone && (isCorrected || this.isLikely(one.document));
			const isSure = isSame || (isOfItem && !isNamed && isIts);
			const isOwn = { ...one, isSame, isOfItem, isCorrected, isDone, isSure };
			return isSame || isAlike || isOfItem ? [isOwn] : [];
		});
	}

	/** Records that a person was asked whether a document is the item's. */
	async recordNamed(id: string): Promise<void> {
		await this.memory.record(named(this.of.item, id)).catch(() => undefined);
	}

	/**
	 * Whose each document is, as far as is known: another retry may just have made it the item's own.
	 * Throws likewise.
	 */
	async ownersOf(documents: readonly Document[]): Promise<Array<'this' | 'another' | undefined>> {
		const { item, same } = this.of;
		const facts = documents.map(({ id }) => [id, asOwn(item, id), asOwn(same, id)]);
		const known = await this.hasEach(facts);
		return known.map(([isKnown, ...areOwn]) => {
			if (areOwn.includes(true)) return 'this';
			return isKnown ? 'another' : undefined;
		});
	}

	/**
	 * Which documents are like what the item has sent in one request, and whether one is its own.
	 * Throws likewise.
	 *
	 * @param titleOf the title of the template
	 */
	async sentAmong(
		documents: readonly Document[],
		titleOf: () => Promise<string | undefined>,
	): Promise<Array<{ document: Document; isIt: boolean }>> {
		const likenesses = documents.map(likenessOf);
		const areTitled = await this.hasEach([
			...likenesses.map((likeness) => this.sentAs(likeness)),
			...likenesses.map(({ emails }) => this.sentAs({ emails })),
		]);
		const areTemplates = areTitled.splice(documents.length);
		const name = areTemplates.flat().includes(true) && titleKey(await titleOf());
		return documents.flatMap((document, index) => {
			const ofTemplate = titleKey(document.title) === name ? areTemplates[index] : [];
			const [isOfItem, isSame] = [0, 1].map((at) => areTitled[index]?.[at] || ofTemplate?.[at]);
			const isIt = isSame === true || this.isLikely(document);
			return isOfItem || isSame ? [{ document, isIt }] : [];
		});
	}

	/** Whether the item has data that tell it from others, and a document goes to its people. */
	private isLikely(document: Document): boolean {
		const { hasData, people } = this.of;
		return hasData && peopleKey(likenessOf(document).emails) === people;
	}

	/** Whether facts are there, in one question. */
	private async hasEach(facts: readonly string[][]): Promise<boolean[][]> {
		const known = await this.memory.has(...facts.flat()).catch((error: Error) => {
			if (!this.isNeeded()) return [];
			throw error;
		});
		return facts.map((some) => known.splice(0, some.length));
	}

	private asOfItem(id: string): string[] {
		const { item, written } = this.of;
		return [asOwn(item, id), `${asOwn(item, id)} by ${written}`];
	}

	private get asBegun(): string[] {
		return [this.of.item, ...this.of.numbers];
	}

	/**
	 * Stands for the item as sent in one request with this title to these people, and likewise for
	 * what it asks for: nobody has an ID of it, and it may be corrected since. Without a title: the
	 * template's.
	 */
	private sentAs({ title, emails }: Likeness): string[] {
		const { item, same } = this.of;
		const name = title === undefined ? 'its template' : titleKey(title);
		const as = `sent as ${name} to ${peopleKey(emails)}`;
		return [`${item} ${as}`, `${same} ${as}`];
	}
}

function asOwn(name: string, id: string): string {
	return `${name} ${id}`;
}

function done(name: string, id: string): string {
	return `${asOwn(name, id)} done`;
}

function named(name: string, id: string): string {
	return `${asOwn(name, id)} was named`;
}
