import type { Document } from '../../client';
import type { Known } from './documentList';
import { likenessOf, peopleKey, titleKey, type Likeness } from './likeness';
import type { NodeMemory } from './nodeMemory';

/** A document of an item. */
export interface Own extends Known {
	/** Whether it is recorded as the row's; else it is of its contract alone. */
	isOfRow: boolean;
	/** Whether the item is done with it. */
	isDone: boolean;
	/** Whether the item asks for the same now. */
	isSame: boolean;
}

/** Whose memory it is. */
interface ItemOfMemory {
	/** The item and its contract: see `beginRun` and `contractOf`. */
	names: readonly [item: string, contract: string];
	/** A hash of everything that it asks for now. */
	asked: string;
	/** Another retry may write at the same moment, and does not look for what it overwrites. */
	isRetry: boolean;
}

/** What n8n's memory has of an item: what it has begun, and which documents are its own. */
export class ItemMemory {
	/** What was recorded as it was sent in one request, and was not there before. */
	private sent: string[] = [];

	/** The turns to send it in one request. */
	private turns: string[] = [];

	/** @param isNeeded whether nothing else could tell; else what cannot be read counts as nothing */
	constructor(
		private readonly memory: NodeMemory,
		private readonly of: ItemOfMemory,
		private readonly isNeeded: () => boolean,
	) {}

	/** Records that it is begun. Returns whether it was before, and throws where that is unknown. */
	async begin(): Promise<boolean> {
		const areBegun = await this.memory.record(...this.of.names);
		return areBegun.includes(true);
	}

	/**
	 * Records that it is sent in one request, unless somebody has one of these turns.
	 *
	 * @returns false if somebody has, or n8n cannot record
	 */
	async beginDirectly(turns: readonly string[], likeness: Likeness): Promise<boolean> {
		const { names } = this.of;
		const sent = names.map((name) => sentAs(name, likeness));
		const facts = [...turns, ...sent, ...names];
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
		await this.memory.forget(...this.of.names, ...this.sent);
	}

	/**
	 * Records that the document is its own: as soon as the ID is known, and before it is sent. What
	 * n8n cannot record does not stop it.
	 */
	async recordDocument(id: string): Promise<void> {
		await this.record(this.asAsked(id), ...this.asOwn(id), id);
	}

	/**
	 * Records that the item is done with a document, even if it is corrected: with a draft, which
	 * another node may send, or with what was there already, which another item may look for.
	 */
	async recordDone(id: string): Promise<void> {
		await this.record(this.asDone(id), ...this.asOwn(id));
	}

	/** With the item as begun, also where another one that began it has taken that back since. */
	private async record(...entries: string[]): Promise<void> {
		const { memory } = this;
		const { names, isRetry } = this.of;
		const work = isRetry
			? memory.recordForGood(...entries, ...names)
			: memory.record(...entries, ...names);
		await work.catch(() => undefined);
	}

	/**
	 * Which documents are the item's own: those of its row, and those of its contract. Where those
	 * are not quite the same, only if it has none of its row, and if none of these rows has them.
	 * Throws where that cannot be read.
	 */
	async ownAmong(documents: readonly Known[], rows: readonly string[]): Promise<Own[]> {
		const facts = documents.map(({ document: { id } }) => {
			return [this.asAsked(id), this.asDone(id), ...this.asOwn(id)];
		});
		const known = await this.hasEach(facts);
		const all = documents.map((one, index) => {
			const [isSame = false, isDone = false, isOfRow = false, isOfContract] = known[index] ?? [];
			return { ...one, isSame, isDone, isOfRow, isOfContract };
		});
		const own = all.filter(({ isOfRow }) => isOfRow);
		const contracts = all.filter(({ isOfRow, isOfContract, isSame }) => {
			return !isOfRow && isOfContract && (isSame || own.length === 0);
		});
		const owners = await this.hasEach(
			contracts.map(({ document: { id }, isSame }) => {
				return isSame ? [] : rows.map((row) => asOwn(row, id));
			}),
		);
		return [...own, ...contracts.filter((_, index) => !owners[index]?.includes(true))];
	}

	/** Whether several items of an execution have asked for this contract. Throws likewise. */
	async isOneOfSeveral(): Promise<boolean> {
		const [, contract] = this.of.names;
		// The second one, or this one, which is a later one itself.
		const [[isThere = false] = []] = await this.hasEach([[contract.replace(/\/0$/, '/1')]]);
		return isThere;
	}

	/**
	 * Whose each document is, as far as is known: another retry may just have made it the item's own.
	 * Throws likewise.
	 */
	async ownersOf(documents: readonly Document[]): Promise<Array<'this' | 'another' | undefined>> {
		const known = await this.hasEach(documents.map(({ id }) => [id, ...this.asOwn(id)]));
		return known.map(([isKnown, ...areOwn]) => {
			if (areOwn.includes(true)) return 'this';
			return isKnown ? 'another' : undefined;
		});
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
		const { names } = this.of;
		const asSent = (likeness: Likeness) => names.map((name) => sentAs(name, likeness));
		const likenesses = documents.map(likenessOf);
		const areTitled = await this.hasEach([
			...likenesses.map(asSent),
			...likenesses.map(({ emails }) => asSent({ emails })),
		]);
		const areTemplates = areTitled.splice(documents.length);
		const name = areTemplates.flat().includes(true) && titleKey(await titleOf());
		return documents.filter(({ title }, index) => {
			if (areTitled[index]?.includes(true)) return true;
			return areTemplates[index]?.includes(true) && titleKey(title) === name;
		});
	}

	/** Whether facts are there, in one question. */
	private async hasEach(facts: readonly string[][]): Promise<boolean[][]> {
		const known = await this.memory.has(...facts.flat()).catch((error: Error) => {
			if (!this.isNeeded()) return [];
			throw error;
		});
		return facts.map((some) => known.splice(0, some.length));
	}

	/** The document is this item's: by either name. */
	private asOwn(id: string): string[] {
		return this.of.names.map((name) => asOwn(name, id));
	}

	/** The item is done with the document. */
	private asDone(id: string): string {
		const [item] = this.of.names;
		return `${asOwn(item, id)} done`;
	}

	/** The document is what the item asks for. */
	private asAsked(id: string): string {
		return `${id} as ${this.of.asked}`;
	}
}

function asOwn(name: string, id: string): string {
	return `${name} ${id}`;
}

/**
 * Stands for an item as sent in one request with this title to these people: nobody has an ID of
 * it, and it may be corrected since. Without a title: the template's.
 */
function sentAs(whose: string, { title, emails }: Likeness): string {
	const name = title === undefined ? 'its template' : titleKey(title);
	return `${whose} sent as ${name} to ${peopleKey(emails)}`;
}
