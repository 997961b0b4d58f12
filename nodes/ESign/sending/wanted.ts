import { fingerprint, runOf, type Document } from '../client';
import { wasInDoubt } from '../operation/itemError';
import { isTool } from '../operation/isTool';
import type { Item } from '../operation/parameters';
import {
	entryOf,
	isKnown,
	isTaken,
	keptOf,
	openFor,
	sameOf,
	type Kept,
	type OpenRequest,
} from './known/kept';
import { isRetry } from './known/line';
import { likenessKey, likenessOf, peopleKey, titleKey, type Likeness } from './known/likeness';
import { NodeMemory } from './known/nodeMemory';
import { Turn } from './known/turn';
import { notKnown } from './words';

/** What a creating operation wants, and how it makes it. */
export interface Creation {
	/** Everything that is asked for, as resolved. */
	asked: unknown;
	send: boolean;
	/** Skip If Created; undefined: no look. */
	withinHours: number | undefined;
	emails: string[];
	/** As given; undefined: the one that the service gives. */
	title: string | undefined;
	/** The title that the service gives, where that takes a request. */
	titleOf?: () => Promise<string>;
	/** Makes and sends it in one request: nobody has an ID of it before. */
	direct?(): Promise<Document>;
	/** Makes a draft. */
	draft(): Promise<Document>;
	/**
	 * Makes a draft ready to be sent.
	 *
	 * @param isOwn whether this very run of the node has made it
	 */
	prepare?(draft: Document, isOwn: boolean): Promise<Document>;
	/** Adds to the document what belongs to the output; to a draft nothing. */
	complete?(document: Document): Promise<Document>;
}

/**
 * A document that is the item's: whether it was made for what the item asks for now, as equal rows
 * do, and whether for what it is given.
 */
export type Own = { document: Document; isSame: boolean; isGiven: boolean };

/** Whether a document was sent and not withdrawn. */
export function isOut({ status }: Document): boolean {
	return ['in_progress', 'completed', 'declined'].includes(status);
}

/**
 * What an item wants, and what is known of it: by its executions, and in n8n's memory of the node.
 * That has it as begun, and the IDs of its documents, under two names: a row may note the time each
 * time that n8n runs the nodes before this one, and a person may correct what it asks for.
 */
export class Wanted {
	readonly kept: Kept;

	readonly memory: NodeMemory;

	/** What the item asks for now. */
	readonly request: OpenRequest;

	/** Stands for the node as it is written in the workflow. */
	private readonly node: string;

	/** Stands for title and people: whoever creates the same goes one after the other. */
	readonly turnName: string;

	/** Among all that want the same title for the same people, where Skip If Created is set. */
	readonly turn: Turn;

	/** Among the retries that have looked for what came of it, and found nothing. */
	readonly anew: Turn;

	readonly isRetry: boolean;

	/** Whether something may have come of the item in another execution. */
	mayHaveCome = false;

	constructor(
		readonly item: Item,
		readonly creation: Creation,
		workspaceMode: string,
	) {
		const { title, emails } = creation;
		const { id, context } = item;
		const asked = fingerprint([workspaceMode, creation.asked]);
		this.kept = keptOf(context);
		this.memory = new NodeMemory(context);
		this.request = { item: id, asked, likeness: { title, emails } };
		this.node = fingerprint([runOf(context).parameters]);
		this.turnName = fingerprint([workspaceMode, titleKey(title), peopleKey(emails)]);
		this.turn = new Turn(this.memory, this.turnName);
		// Of those that ask for the same it is the next one, whatever is in doubt of the others.
		const known = { ...this.kept, open: this.kept.open.filter(isKnown) };
		this.anew = new Turn(this.memory, `${entryOf(known, this.request)} anew`);
		this.isRetry = isRetry(context);
	}

	/** As it is begun: what it asks for, and what it is given. */
	get entries(): [same: string, item: string] {
		return [entryOf(this.kept, this.request), this.item.id];
	}

	/** Whether Skip If Created is set: the service is asked anyway. */
	get isSkipping(): boolean {
		return this.creation.withinHours !== undefined;
	}

	/** The title as it is written in the node. */
	get written(): string {
		const { title, additionalFields } = runOf(this.item.context).parameters;
		return fingerprint([title, Object(additionalFields).title]);
	}

	/** Title and people, also where the title takes a request. */
	async likeness(): Promise<Likeness> {
		const { title, titleOf, emails } = this.creation;
		return { title: title ?? (await titleOf?.()), emails };
	}

	/**
	 * What earlier tries of the item have left, also of what it asked for before it was corrected;
	 * and what anybody has left who asked for the same.
	 */
	async left(): Promise<OpenRequest[]> {
		const { context, id, input } = this.item;
		// Equal calls of a model are repetitions, and so are equal rows where Skip If Created is set. A
		// row in doubt that was led back may have been changed, as by a node that counts its tries.
		const isOneForAll = isTool(context) || this.isSkipping || wasInDoubt(input.json);
		const left = openFor(this.kept, this.request, isOneForAll);
		const others = left.flatMap(({ item, document }) => (item !== id && document) || []);
		// What another item has put out, in whichever execution, is nobody else's.
		const done = await this.doneAmong(others).catch(() => undefined);
		return left.filter(({ document }) => {
			return !document || (document !== done && !(document.id in this.kept.made));
		});
	}

	/**
	 * Whether another execution of the line has begun the item, which n8n's memory has as begun from
	 * now on. A first execution has nothing to ask.
	 *
	 * @throws NodeOperationError where nobody can know
	 */
	async wasBegun(): Promise<boolean> {
		if (!this.isRetry) return false;
		if (this.kept.line.beganAt === undefined && !this.isSkipping) {
			throw notKnown(this.item, 'n8n has saved nothing of the execution that is retried');
		}
		const known = await this.memory.record(...this.entries).catch((error: Error): boolean[] => {
			if (this.isSkipping) return [];
			throw notKnown(this.item, `n8n's memory of this node cannot be read (${error.message})`);
		});
		this.mayHaveCome = known.includes(true);
		return this.mayHaveCome;
	}

	/**
	 * Records what may be sent now: the item, and its document, if the ID of that is known. What n8n
	 * cannot record does not stop it.
	 */
	async begin(id?: string): Promise<void> {
		const facts = id === undefined ? [] : [id, ...this.factsOf(id)];
		await this.memory.record(...this.entries, ...facts).catch(() => undefined);
	}

	/** This try has sent nothing: a retry need not look, unless others have begun the item, too. */
	async giveUp(): Promise<void> {
		if (!this.mayHaveCome) await this.memory.forget(...this.entries);
		await this.anew.end();
	}

	/**
	 * Of the documents those of the item, and of no other that is through. Throws where n8n's memory
	 * cannot be read.
	 */
	async ownAmong(listed: readonly Document[]): Promise<Own[]> {
		const documents = listed.filter((one) => !isTaken(this.kept, this.item.id, one));
		const known = await this.memory.has(...documents.flatMap(({ id }) => this.factsOf(id)));
		const own: Own[] = [];
		for (const document of documents) {
			const [isSame = false, isGiven = false, isWritten] = known.splice(0, FACTS);
			// Another row may have come in the place of one that is no longer listed, as where rows have
			// no data. A person who corrects an item changes the node.
			const isIts = isSame || (isGiven && (!isWritten || (await this.isLike(document))));
			if (isIts) own.push({ document, isSame, isGiven });
		}
		return own;
	}

	/** Records that the item is done with a document: a draft may be sent by other nodes. */
	async noteDone(id: string): Promise<void> {
		await this.memory.record(doneWith(id)).catch(() => undefined);
	}

	/** Records that the item has taken a draft that was there: equal rows may take it, too. */
	async noteTaken(id: string): Promise<void> {
		const [, ...ownFacts] = this.factsOf(id);
		await this.memory.record(this.item.id, ...ownFacts, doneWith(id)).catch(() => undefined);
	}

	/** Of documents the first one with which an item is done. Throws likewise. */
	async doneAmong(documents: readonly Document[]): Promise<Document | undefined> {
		const known = await this.memory.has(...documents.map(({ id }) => doneWith(id)));
		return documents.find((_, index) => known[index]);
	}

	/** Of the documents those of no item of this node. Throws likewise. */
	async freeAmong(documents: readonly Document[]): Promise<Document[]> {
		const known = await this.memory.has(...documents.map(({ id }) => id));
		return documents.filter((_, index) => !known[index]);
	}

	/** Whether it has the title and the people of the item. */
	private async isLike(document: Document): Promise<boolean> {
		return likenessKey(likenessOf(document)) === likenessKey(await this.likeness());
	}

	/** That it is the item's, by either name, and as the node is written. */
	private factsOf(id: string): string[] {
		return [sameOf(this.request), this.item.id, this.node].map((name) => `${name} ${id}`);
	}
}

/** How many facts stand for a document of an item. */
const FACTS = 3;

function doneWith(id: string): string {
	return `${id} is done`;
}
