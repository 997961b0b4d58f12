import type { IDataObject } from 'n8n-workflow';
import { fingerprint, runOf, type Document, type Timestamp } from '../client';
import { wasInDoubt } from '../operation/itemError';
import { isTool } from '../operation/isTool';
import type { Item } from '../operation/parameters';
import { Claim } from './known/claim';
import { hasData, isAlone, numbered } from './known/itemId';
import { keptOf, keptOfNode, openFor, type Kept, type OpenRequest } from './known/kept';
import { ItemMemory } from './known/itemMemory';
import { isRetry } from './known/line';
import { nodeOf, peopleKey, titleKey, type Likeness, type Names } from './known/names';
import { NodeMemory } from './known/nodeMemory';
import { notKnown, overtaken } from './words';

/** Asked right before it goes out: what this throws keeps it back. */
export type Confirm = () => Promise<void>;

/** What a creating operation wants, and how it makes it. */
export interface Creation {
	/** Everything that is asked for, as resolved. */
	asked: unknown;
	/**
	 * What makes it this contract, and no other, where nodes before ours have made its files anew;
	 * left out: everything that is asked for.
	 */
	contract?: unknown;
	send: boolean;
	/** Skip If Created; undefined: no look. */
	withinHours: number | undefined;
	emails: string[];
	/** As given; undefined: the one that the service gives. */
	title: string | undefined;
	/** The title that the service gives, where that takes a request. */
	titleOf?: () => Promise<string>;
	/** Makes and sends it in one request: nobody has an ID of it before. */
	direct?(confirm: Confirm): Promise<Document>;
	/** Makes a draft. */
	draft(confirm?: Confirm): Promise<Document>;
	/**
	 * Makes a draft ready to be sent.
	 *
	 * @param isOwn whether this very run of the node has made it
	 */
	prepare?(draft: Document, isOwn: boolean): Promise<Document>;
	/** Adds to the document what belongs to the output; to a draft nothing. */
	complete?(document: Document): Promise<Document>;
}

/** Nothing can come any longer of what was lost then. */
const LONG_AGO: Timestamp = { at: 0, wallClock: 0 };

/** A hash of the parameters as they are written in the workflow, but for Skip If Created. */
function writtenIn({ additionalFields, ...parameters }: IDataObject): string {
	const { skipIfCreatedWithin, ...more } = Object(additionalFields) as IDataObject;
	void skipIfCreatedWithin;
	return fingerprint([parameters, more]);
}

/** Whether a document was sent and not withdrawn. */
export function isOut({ status }: Document): boolean {
	return ['in_progress', 'completed', 'declined'].includes(status);
}

/** What an item wants, and what is known of it: by its executions, and in n8n's memory. */
export class Wanted {
	readonly kept: Kept;

	/** What stands for it in n8n's memory. */
	readonly names: Names;

	/** What the item asks for now. */
	readonly request: OpenRequest;

	/** Stands for title and people: whoever creates the same goes one after the other. */
	readonly name: string;

	/** Among all that want the same title for the same people, where Skip If Created is set. */
	readonly turn: Claim | undefined;

	readonly memory: ItemMemory;

	/** Whether the execution was retried from another: several may be under way at once. */
	readonly isRetry: boolean;

	/**
	 * Who has begun it: another execution, which may be sending a draft of it just now; or this one
	 * anew, as nothing has come of what was begun before.
	 */
	begun: 'here' | 'elsewhere' | 'anew' = 'here';

	/** Among the retries of the item. */
	readonly claimOfItem: Claim;

	constructor(
		readonly item: Item,
		readonly creation: Creation,
		workspaceMode: string,
	) {
		const { title, emails, contract } = creation;
		const { id, context } = item;
		const hashOf = (...what: unknown[]) => fingerprint([workspaceMode, ...what]);
		const asked = hashOf(creation.asked);
		const same = `${nodeOf(id)} ${asked}`;
		const alike = contract ? `${nodeOf(id)} ${hashOf(contract)}` : same;
		this.kept = keptOf(context);
		this.request = { item: id, asked, likeness: { title, emails } };
		this.names = {
			item: id,
			same,
			alike,
			begun: [id, numbered(context, id, same), numbered(context, id, alike)],
			written: writtenIn(runOf(context).parameters),
			title: titleKey(title),
			people: peopleKey(emails),
			hasData: hasData(item),
			isAlone: isAlone(item),
			isSkipping: creation.withinHours !== undefined,
		};
		this.name = hashOf(this.names.title, this.names.people);
		this.isRetry = isRetry(context);
		const memory = new NodeMemory(context);
		this.turn = this.names.isSkipping ? new Claim(memory, this.name) : undefined;
		this.claimOfItem = new Claim(memory, id);
		this.memory = new ItemMemory(memory, this.names, this.claimOfItem, this.isRetry);
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
	left(): OpenRequest[] {
		const { context, input } = this.item;
		// Equal calls of a model are repetitions, and so are equal rows where Skip If Created is set. A
		// row in doubt that was led back may have been changed, as by a node that counts its tries.
		// Elsewhere each has its own, also those that another try of the execution comes to later.
		const isOneForAll = isTool(context) || this.names.isSkipping || wasInDoubt(input.json);
		const left = openFor(this.kept, this.request, isOneForAll);
		// What another item of the execution has put out is nobody's own.
		return left.filter(({ document }) => !document || !this.kept.made.includes(document.id));
	}

	/**
	 * What another execution of the line may have sent of the item, by n8n's memory, which has the
	 * item as begun from now on. A first execution has nothing to ask.
	 *
	 * @param hasDraft whether this execution has a draft of it to continue with
	 * @throws NodeOperationError where nobody can know
	 */
	async begunBefore(hasDraft: boolean): Promise<OpenRequest | undefined> {
		if (!this.isRetry) return undefined;
		if (this.kept.line.beganAt === undefined && !this.names.isSkipping) {
			throw notKnown(this.item, 'n8n has saved nothing of the execution that is retried');
		}
		if (this.begun === 'anew') return undefined;
		if (await this.orNotKnown(this.memory.begin(), false)) {
			this.begun = 'elsewhere';
			return this.request;
		}
		// It was refused: nothing can come any longer, but a person may have sent what it has left.
		const hasLeft = await this.orNotKnown(this.memory.hadDocument(hasDraft), false);
		return hasLeft ? { ...this.request, lostAt: LONG_AGO } : undefined;
	}

	/**
	 * Claims in n8n's memory that this execution sends the item. Nothing of a retry goes out without
	 * that: others may be under way at the same time.
	 *
	 * @returns false if another one was first, of which something may have come
	 * @throws NodeOperationError where nobody can know
	 */
	async claim(): Promise<boolean> {
		if (!this.isRetry) return true;
		// What was claimed for long, and cannot be claimed once more, may be another one's by now.
		const { isOurs } = this.claimOfItem;
		return await this.orNotKnown(this.claimOfItem.take(), !isOurs);
	}

	/**
	 * Right before it goes out: while it waited for the rate limit, another one may have gone on.
	 *
	 * @throws Error then, and NodeOperationError where nobody can know, or it was overtaken
	 */
	readonly confirm: Confirm = async () => {
		await this.confirmTurn();
		if (await this.claim()) return;
		this.begun = 'elsewhere';
		throw new Error('another retry of this execution sends it');
	};

	/**
	 * Likewise among all that Skip If Created makes wait. Where n8n could not tell from the
	 * beginning, nobody is waited for.
	 *
	 * @throws NodeOperationError if another one may have gone on
	 */
	async confirmTurn(): Promise<void> {
		const { turn } = this;
		if (!turn) return;
		const wasOurs = turn.isOurs;
		const isOurs = await turn.take().catch(() => !wasOurs);
		if (!isOurs || turn.mayHaveCome) throw overtaken(this.item);
	}

	/** @param otherwise what counts where the memory cannot be read, and the service was asked */
	private async orNotKnown(asked: Promise<boolean>, otherwise: boolean): Promise<boolean> {
		return await asked.catch(({ message }: Error) => {
			if (this.names.isSkipping) return otherwise;
			throw notKnown(this.item, `n8n's memory of this node cannot be read (${message})`);
		});
	}

	/** Gives back what was taken for it, once the item is through. */
	async giveBack(hasCome: boolean): Promise<void> {
		await this.turn?.end(hasCome);
		await this.memory.giveBackTurns();
	}

	/**
	 * This has sent nothing: nobody waits for what comes of its claim, and a retry need not look,
	 * unless another execution has begun it, too.
	 */
	async giveUp(): Promise<void> {
		await this.claimOfItem.end(false);
		if (this.begun === 'elsewhere') return;
		await this.memory.forgetBegun();
		const { asking } = keptOfNode(this.item.context);
		for (const fact of this.names.begun) delete asking[fact];
	}
}
