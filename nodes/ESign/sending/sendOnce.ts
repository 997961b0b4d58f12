import { NodeApiError } from 'n8n-workflow';
import {
	asThrown,
	client,
	fingerprint,
	leavesOpen,
	OneAtATime,
	runOf,
	serviceOf,
	type Document,
} from '../client';
import { isTool } from '../operation/isTool';
import type { Item } from '../operation/parameters';
import type { Creation } from './creation';
import { noteMade } from './documentList';
import { findBegun } from './findBegun';
import { findLost } from './findLost';
import { finish } from './finish';
import { runIdOf } from './itemId';
import { keptOf, openRequests, type OpenRequest } from './kept';
import { settleCorrected } from './leftovers';
import { peopleKey, type Likeness } from './likeness';
import { isRetry } from './line';
import { NodeMemory } from './nodeMemory';
import { skipIfCreated } from './skipIfCreated';
import { forgetBegun, newRequest, recordDocument, type Found, type Wanted } from './wanted';
import { CALLED, CONTINUED, notRemembered } from './words';

/** Who creates the same title for the same people goes one after the other. */
const turns = new OneAtATime();

/**
 * Makes a document, and sends it if that is wanted: never the same contract twice
 * (docs/architecture.md section 4).
 *
 * @throws NodeApiError, NodeOperationError with everything that is known about what was sent
 */
export async function sendOnce<Made extends Document>(
	item: Item,
	creation: Creation<Made>,
): Promise<Document> {
	const { context, index } = item;
	const { workspaceMode } = await serviceOf(context);
	const turn = fingerprint([workspaceMode, creation.title, peopleKey(creation.emails)]);
	return await client.inTurn(context, turns, turn, index, async () => {
		return await new Sending(item, creation, workspaceMode).run();
	});
}

class Sending<Made extends Document> implements Wanted {
	readonly kept;

	readonly memory;

	readonly asked: string;

	readonly runId: string | undefined;

	/** The request of an earlier try that was not carried out: what follows is begun anew. */
	private resolved: OpenRequest | undefined;

	constructor(
		readonly item: Item,
		private readonly creation: Creation<Made>,
		workspaceMode: string,
	) {
		const { context } = item;
		this.kept = keptOf(context);
		this.memory = new NodeMemory(context);
		this.asked = fingerprint([workspaceMode, creation.asked]);
		// Equal calls of a model are repetitions, and so are equal rows where Skip If Created is set.
		const isAlone = isTool(context) || creation.withinHours !== undefined;
		this.runId = isAlone ? undefined : runIdOf(context);
	}

	get claim(): string {
		return this.item.id;
	}

	get send(): boolean {
		return this.creation.send;
	}

	async likeness(): Promise<Likeness> {
		const { title, titleOf, emails } = this.creation;
		return { title: typeof title === 'string' ? title : await titleOf?.(), emails };
	}

	async run(): Promise<Document> {
		const { item, creation } = this;
		const { withinHours } = creation;
		const isCalled = item.context.getMode() === 'integrated';
		if (isCalled && this.send && withinHours === undefined) {
			runOf(item.context).hintAt(CALLED, '', 'info');
		}
		const document =
			(await this.continueLeft()) ??
			(withinHours === undefined
				? await this.create()
				: await skipIfCreated(this, withinHours, async () => await this.create()));
		await noteMade(item, document);
		return document;
	}

	/** What an earlier try of the item, or anybody who asked for the very same, has left. */
	private get left(): OpenRequest | undefined {
		return openRequests.findSame(this.kept, this.claim, this.asked, this.runId);
	}

	/** Continues with a draft that is left, or with what the item had asked for before. */
	private async continueLeft(): Promise<Document | undefined> {
		const { left } = this;
		if (left?.document) {
			// Another execution may have corrected the item, and sent it.
			const found = left.sentAt ? undefined : await this.begin();
			if (!found) runOf(this.item.context).hintAt(CONTINUED, left.document.id);
			return await this.finish(found ?? { draft: left.document }, left);
		}
		const settled = await settleCorrected(this);
		if (settled && 'found' in settled) return await this.finish(settled.found, settled.request);
		this.resolved = settled?.resolved;
		return undefined;
	}

	/** Makes the document, unless somebody has: what may have been sent is found first. */
	private async create(): Promise<Document> {
		const { creation, left } = this;
		const found = (left && (await this.settle(left))) ?? (await this.begin(left));
		if (found) return await this.finish(found, left);

		const sent = await this.sendDirectly();
		if (sent) return sent;

		const draft = await creation.draft().catch(async (error: unknown) => {
			// No more than a draft can have come of it.
			await forgetBegun(this);
			throw asThrown(error);
		});
		return await this.finish({ draft });
	}

	/** @returns the document of a request whose answer was lost, if it was carried out */
	private async settle(left: OpenRequest): Promise<Found | undefined> {
		if (!left.sentAt) return undefined;
		// Whoever takes it over keeps it with its own execution, too.
		const own = { ...left, item: this.claim, run: this.runId };
		openRequests.keep(this.kept, own);
		const out = await findLost(this, left);
		if (out) return { out };
		openRequests.drop(this.kept, own);
		this.resolved = left;
		return undefined;
	}

	/**
	 * Records in n8n's memory that the item is begun. A first execution only records; a retry finds
	 * out what is there if somebody has begun it before.
	 */
	private async begin(left?: OpenRequest): Promise<Found | undefined> {
		const { item, kept, creation } = this;
		// A person was asked to look, and an error output has led the item back.
		const isNamed = left !== undefined && !left.sentAt && !left.document;
		if (!isNamed && !isRetry(item.context)) return undefined;
		const isSkipping = creation.withinHours !== undefined;
		const isBegun = await this.isBegun().catch((error: unknown) => {
			if (isSkipping) return false;
			throw asThrown(error);
		});
		if (!isBegun && !isNamed) return undefined;

		const found = await findBegun(isNamed ? this.as(left.item) : this);
		if (isNamed) openRequests.drop(kept, left);
		return found;
	}

	/** @throws NodeOperationError where nobody can know */
	private async isBegun(): Promise<boolean> {
		const { item, memory, kept } = this;
		if (kept.line.beganAt === undefined) {
			throw notRemembered(item, 'n8n has saved nothing of the execution that is retried');
		}
		try {
			const [isBegun = false] = await memory.record(this.begunEntry);
			return isBegun;
		} catch (error) {
			const why = error instanceof Error ? error.message : String(error);
			throw notRemembered(item, `n8n's memory of this node cannot be read (${why})`);
		}
	}

	/** What stands in n8n's memory for the item as begun. */
	get begunEntry(): string {
		const { claim, resolved } = this;
		return resolved ? `${resolved.item} ${resolved.key}` : claim;
	}

	/**
	 * Sends it in one request, where the service can.
	 *
	 * @returns undefined if it was not sent: it goes out by the ID of a draft then
	 */
	private async sendDirectly(): Promise<Document | undefined> {
		const { kept, creation, resolved } = this;
		if (!creation.direct || !this.send || resolved) return undefined;
		const { title, emails } = creation;
		const likeness = { ...(typeof title === 'string' && { title }), emails };
		const request = { ...newRequest(this, likeness), sentAt: client.moment() };
		// Both before it is sent: n8n saves what is stopped or killed as it was at that moment.
		openRequests.keep(kept, request);
		await this.memory.record(this.begunEntry).catch(() => undefined);
		try {
			const made = await creation.direct();
			await recordDocument(this, made.id);
			openRequests.drop(kept, request);
			return made;
		} catch (error) {
			if (!leavesOpen(error)) {
				openRequests.drop(kept, request);
				await forgetBegun(this);
			}
			// Where it was stopped, whoever asks for it next looks what came of it.
			if (!leavesOpen(error) || !(error instanceof NodeApiError)) throw asThrown(error);
		}

		const lost = { ...request, lostAt: client.moment() };
		openRequests.keep(kept, lost);
		const found = await this.settle(lost);
		return found && (await this.finish(found, lost));
	}

	private async finish(found: Found, left?: OpenRequest): Promise<Document> {
		return await finish(this, this.creation.then, found, left);
	}

	private as(claim: string): Wanted {
		const { item, kept, memory, asked, send, begunEntry } = this;
		const likeness = async () => await this.likeness();
		return { item, kept, memory, asked, send, likeness, claim, begunEntry };
	}
}
