import { client, type Document } from '../../client';
import { daysOf, HOUR_MS, type Claim } from './claim';
import type { Known, Own } from './documentList';
import {
	asNamed,
	asOfItem,
	asOwn,
	asTakenOver,
	done,
	isDenied,
	likenessOf,
	peopleKey,
	sentAs,
	titleKey,
	withDocument,
	withEqual,
	type Likeness,
	type Names,
} from './names';
import type { NodeMemory } from './nodeMemory';

/** What n8n's memory has of an item: what it has begun, and which documents are its own. */
export class ItemMemory {
	/** What was recorded as it was sent in one request, and was not there before. */
	private sent: string[] = [];

	/** The turns to send it in one request. */
	private turns: string[] = [];

	/** Whether there was a document of it before. */
	private hadOne = false;

	/** @param claim among the retries of the item */
	constructor(
		private readonly memory: NodeMemory,
		private readonly of: Names,
		private readonly claim: Claim,
		private readonly isRetry: boolean,
	) {}

	/**
	 * Records that it is begun. Returns whether it was before, and throws where that is unknown. One
	 * that was refused is not, and may have left a draft.
	 */
	async begin(): Promise<boolean> {
		const known = await this.memory.record(...this.begun);
		return known.slice(0, this.of.begun.length).includes(true);
	}

	/** Whether there was ever a document of it, or another beside one. Throws likewise. */
	async hadDocument(isBesideOne: boolean): Promise<boolean> {
		const { item } = this.of;
		const facts = [withDocument(item), withDocument(item, true)];
		const [hadOne = false, hadSeveral = false] = await this.memory.has(...facts);
		this.hadOne = hadOne;
		return isBesideOne ? hadSeveral : hadOne;
	}

	/** What another execution has left is its own from now on. */
	async takeOver(item: string, id: string): Promise<void> {
		await this.memory.record(asTakenOver(item, id)).catch(() => undefined);
	}

	/** Whether another execution has taken that over. Throws likewise. */
	async isTakenOver(id: string): Promise<boolean> {
		const [[isTaken] = []] = await this.hasEach([[asTakenOver(this.of.item, id)]]);
		return isTaken === true;
	}

	/**
	 * Takes the only turn of a day to send it in one request, and records that before it is sent.
	 * Whoever is killed, or in doubt, holds that up until the next day. What is sent shortly before
	 * midnight may take effect after it: it takes the turn of that day, too.
	 *
	 * @param name stands for title and people
	 * @returns false if another worker is at it, n8n was killed, or it cannot be recorded
	 */
	async beginDirectly(name: string, likeness: Likeness): Promise<boolean> {
		const now = client.moment().wallClock;
		const turns = daysOf(now, now + HOUR_MS).map((day) => `turn ${name} on ${day}`);
		const sent = sentAs(this.of, likeness);
		const facts = [...turns, ...sent, ...this.begun];
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
		await this.memory.forget(...this.of.begun, ...this.sent);
	}

	/**
	 * Records that the document is its own: as soon as the ID is known, and before it is sent. What
	 * n8n cannot record does not stop it.
	 *
	 * @param isNew whether this execution has made it
	 */
	async recordDocument(id: string, isNew: boolean): Promise<void> {
		const { item, same, alike } = this.of;
		const facts = [asOwn(same, id), asOwn(alike, id), id, withDocument(item)];
		if (isNew && this.hadOne) facts.push(withDocument(item, true));
		await this.record(...facts, ...asOfItem(this.of, id));
	}

	/**
	 * Records that the item is done with a document, whatever a person was asked, and even if it is
	 * corrected: with a draft, which another node may send, or with what was there already, which
	 * another item may look for.
	 */
	async recordDone(id: string): Promise<void> {
		await this.record(done(id), asOwn(this.of.same, id), ...asOfItem(this.of, id));
		const [isNamed = ''] = asNamed(this.of, id);
		if (this.isRetry) await this.memory.forget(isNamed);
	}

	/** With the item as begun, also where another one that began it has taken that back since. */
	private async record(...entries: string[]): Promise<void> {
		const { memory } = this;
		// Another retry may write at the same moment, and does not look for what it overwrites.
		const facts = [...entries, ...this.begun];
		const work = this.isRetry ? memory.recordForGood(...facts) : memory.record(...facts);
		await work.catch(() => undefined);
	}

	/** That it is begun; and that it has an equal, as far as the execution knows. */
	private get begun(): readonly string[] {
		const { isAlone, begun } = this.of;
		return isAlone ? begun : [...begun, withEqual(this.of)];
	}

	/**
	 * Which documents may be the item's own. Those are for which it asks for the same. Those that are
	 * recorded for it are, if no equal item is known, and either a person has changed the node since,
	 * or it has data, and they go to its people. But not what was named. What is alike may be, until
	 * the person says that it is not; where Skip If Created has looked for what is asked for, only
	 * what the person has corrected. Throws where that cannot be read.
	 */
	async ownAmong(documents: readonly Known[]): Promise<Own[]> {
		const { item, same, alike, isSkipping } = this.of;
		const facts = documents.map(({ document: { id } }) => {
			const ofItem = [...asOfItem(this.of, id), done(id), asTakenOver(item, id)];
			return [asOwn(same, id), asOwn(alike, id), ...ofItem, ...asNamed(this.of, id)];
		});
		const [[hasEqual] = [], ...known] = await this.hasEach([[withEqual(this.of)], ...facts]);
		const isAlone = this.of.isAlone && !hasEqual;
		return documents.flatMap((one, index) => {
			const [isSame = false, isAlike, isOfItem = false, isWritten, ...more] = known[index] ?? [];
			const [isDone = false, isTakenOver = false, ...asNamed] = more;
			const isCorrected = isOfItem && !isWritten;
			const isIts = isAlone && (isCorrected || this.isLikely(one.document));
			const isSure = isSame || (isOfItem && isIts && !asNamed[0]);
			const isRuledOut = isDenied(asNamed) || (isSkipping && !isCorrected);
			const mayBe = !isRuledOut && (isAlike || isOfItem);
			const isOwn = !isTakenOver && (isSure || mayBe);
			return isOwn ? [{ ...one, isSame, isOfItem, isDone, isSure }] : [];
		});
	}

	/** Records that a person was asked whether one of these is the item's. */
	async recordNamed(documents: readonly Document[]): Promise<void> {
		const facts = documents.flatMap(({ id }) => asNamed(this.of, id));
		await this.memory.record(...facts).catch(() => undefined);
	}

	/**
	 * Of drafts the newest one with which an item is done: a lost answer may leave another. One whose
	 * fields were refused is none; what others have made is taken to be done.
	 *
	 * @param drafts the newest first
	 */
	async draftOf(drafts: readonly Document[]): Promise<Document | undefined> {
		const facts = drafts.map(({ id }) => [done(id), id]);
		const known = await this.hasEach(facts).catch(() => []);
		const isDone = drafts.find((_, index) => known[index]?.[0]);
		return isDone ?? drafts.find((_, index) => !known[index]?.[1]);
	}

	/**
	 * Whether each document is known to be another item's: another retry may just have made it this
	 * item's own, and a person may have said that it is not. Throws likewise.
	 */
	async areOthers(documents: readonly Document[]): Promise<boolean[]> {
		const { item, same } = this.of;
		const facts = documents.map(({ id }) => {
			return [id, asOwn(item, id), asOwn(same, id), ...asNamed(this.of, id)];
		});
		const known = await this.hasEach(facts);
		return known.map(([isKnown, isOfItem, isSame, ...asNamed]) => {
			if (isOfItem || isSame) return false;
			return isKnown === true || isDenied(asNamed);
		});
	}

	/**
	 * Which documents are like what the item has sent in one request, and whether one is its own.
	 * Throws likewise.
	 *
	 * @param titleOf the title of the template
	 */
	async sentAmong(
		documents: readonly Known[],
		titleOf?: () => Promise<string>,
	): Promise<Array<{ document: Document; isIt: boolean }>> {
		const facts = documents.map(({ document }) => {
			const likeness = likenessOf(document);
			const { emails } = likeness;
			return [...sentAs(this.of, likeness), ...sentAs(this.of, { emails })];
		});
		const known = await this.hasEach(facts);
		const isOfTemplate = known.some(([, , isTemplate, isSameTemplate]) => {
			return isTemplate || isSameTemplate;
		});
		const name = isOfTemplate && titleKey(await titleOf?.());
		return documents.flatMap(({ document }, index) => {
			const [isTitled, isSameTitled, isTemplate, isSameTemplate] = known[index] ?? [];
			const hasName = titleKey(document.title) === name;
			const isOfItem = isTitled || (hasName && isTemplate);
			const isSame = isSameTitled || (hasName && isSameTemplate);
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
			// With Skip If Created the service is asked anyway. It does not tell whose a draft is.
			if (this.of.isSkipping && this.claim.lostAt === 0) return [];
			throw error;
		});
		return facts.map((some) => known.splice(0, some.length));
	}
}
