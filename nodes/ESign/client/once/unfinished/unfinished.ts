import { randomUUID } from 'crypto';
import type { ApiRequest } from '../../call/address';
import type { Unknown } from '../../call/outcome';
import type { ItemTry } from '../../run';
import { forgetOldest, RecentIds } from '../../recent';
import type { Timestamp } from '../../settings';
import type { Endpoint } from '../../../service/endpoints';

/** A request that is not through: nobody knows what it has done, or it has made a draft that is not complete. Saved as JSON. */
export type Unfinished = {
	id: string;
	workspaceMode: string;
	endpoint: Endpoint;
	/** Stands for what was asked: base URL and mode, endpoint, path and body. */
	asked: string;
	/** Whose it is: see `ItemTry`. Undefined for a hook, and for the call of a tool. */
	item?: string;
	raw?: string;
	/** Other items whose it is as well. */
	takers?: string[];
	/** As it was sent, for finding what it has created. */
	request: Pick<ApiRequest, 'path' | 'body'>;
	/** What is created by requests of one such name cannot be told apart. */
	alike?: string;
	firstSent: Timestamp;
	lastSentAt: number;
	/** An effect that is not there by then will not come; by the clock of `Timestamp.at`. */
	certainAt: number;
	/** How often it was sent so that its effect may come late. */
	times: number;
	outcome: Unknown;
	/** The id of what it has created, where that is known. */
	found?: string;
	/** What a composite operation knows of its draft. */
	draft?: unknown;
};

/** What is asked now. */
export type AskedNow = Pick<Unfinished, 'workspaceMode' | 'endpoint' | 'request' | 'alike'> & {
	/** One of these: a draft whose fields are placed is asked for with them. */
	asked: readonly string[];
	itemTry: ItemTry<Unfinished> | undefined;
};

/** After this time the same request of anybody else is another request: next week's contract with the same title and people. */
const ANYBODYS_MS = 600_000;

/** Far more than an n8n has at a time. */
const MAX_OPEN = 5_000;

/** The outcome of a request during which the execution was cancelled, or n8n ended. */
export const CUT_SHORT: Unknown = { kind: 'unknown', reason: 'the execution was cancelled', late: true };

/**
 * The requests of this process that are not through. Each is also kept in the execution that sent it, so that another process
 * goes on from there.
 */
export class UnfinishedRequests {
	private readonly open = new Map<string, Unfinished>();

	/** Those that somebody is at. */
	private readonly active = new Set<string>();

	/** An older execution may still hold what is through by now. */
	private readonly through = new RecentIds();

	/**
	 * The request that whoever is about to send the very same takes over: that of an earlier try of the item, or of anybody else
	 * who sent it last within ten minutes and is not at it any more. What it creates belongs to the taker from
	 * then on. What creates nothing, such as a reminder, stays that of all who asked for it: none of them may send it again.
	 */
	take(now: AskedNow, at: number): Unfinished | undefined {
		const { item, raw } = now.itemTry ?? {};
		const all = this.fitting(now, at).filter(({ id }) => !this.active.has(id));
		const taken = all.find((one) => isOf(one, item)) ?? all[0];
		if (taken && isCreation(taken)) Object.assign(taken, { item, raw });
		else if (taken && item !== undefined && !isOf(taken, item)) taken.takers = [...(taken.takers ?? []), item];
		return taken;
	}

	/** Whether there is one to take over, or to wait for. */
	has(now: AskedNow, at: number): boolean {
		return this.fitting(now, at).length > 0;
	}

	private fitting(now: AskedNow, at: number): Unfinished[] {
		this.learn(now.itemTry);
		return [...this.open.values()].filter((one) => {
			if (one.workspaceMode !== now.workspaceMode || one.endpoint !== now.endpoint) return false;
			return isOwn(one, now) || (now.asked.includes(one.asked) && at - one.lastSentAt < ANYBODYS_MS);
		});
	}

	/** A request that is about to be sent first, not kept yet. */
	begin({ workspaceMode, endpoint, asked, request, alike, itemTry }: AskedNow, sent: Timestamp): Unfinished {
		const { item, raw } = itemTry ?? {};
		const [first = ''] = asked;
		const timing = { firstSent: sent, lastSentAt: sent.at, certainAt: sent.at, times: 0, outcome: CUT_SHORT };
		return { id: randomUUID(), workspaceMode, endpoint, asked: first, item, raw, request, alike, ...timing };
	}

	/** Keeps a request while somebody is at it. */
	keep(one: Unfinished, itemTry: ItemTry<Unfinished> | undefined): void {
		this.active.add(one.id);
		this.open.delete(one.id);
		this.open.set(one.id, one);
		forgetOldest(this.open, MAX_OPEN);
		if (itemTry && !itemTry.saved.includes(one)) itemTry.saved.push(one);
	}

	/** Nobody is at it any more, but it is not through. */
	rest({ id }: Unfinished): void {
		this.active.delete(id);
	}

	/** It is through. */
	close(one: Unfinished, itemTry: ItemTry<Unfinished> | undefined): void {
		this.active.delete(one.id);
		this.open.delete(one.id);
		this.through.add(one.id);
		const at = itemTry?.saved.indexOf(one) ?? -1;
		if (at >= 0) itemTry?.saved.splice(at, 1);
	}

	/** What earlier tries of an item have left that asked for something else. */
	leftBy(now: AskedNow & { itemTry: ItemTry<Unfinished> }): Unfinished[] {
		this.learn(now.itemTry);
		const isLeft = (one: Unfinished) =>
			isOf(one, now.itemTry.item) && one.workspaceMode === now.workspaceMode && !isOwn(one, now);
		return [...this.open.values()].filter((one) => isLeft(one) && !this.active.has(one.id));
	}

	/** Others whose effect would be taken for that of this one. */
	mistakable({ id, alike, workspaceMode, firstSent }: Unfinished): Unfinished[] {
		const isAlike = (one: Unfinished) => one.id !== id && one.workspaceMode === workspaceMode && one.alike === alike;
		return [...this.open.values()].filter((one) => isAlike(one) && one.certainAt > firstSent.at);
	}

	/** Takes up what another process, or this one before, has saved with the execution. */
	private learn(itemTry: ItemTry<Unfinished> | undefined): void {
		if (!itemTry) return;
		const left = itemTry.saved.filter(({ id }) => !this.through.has(id)).map((one) => this.open.get(one.id) ?? one);
		itemTry.saved.splice(0, Infinity, ...left);
		for (const one of left) this.open.set(one.id, one);
	}
}

/** An earlier try of the same item has asked for the same. */
function isOwn(one: Unfinished, { endpoint, asked, itemTry }: AskedNow): boolean {
	if (itemTry === undefined || !isOf(one, itemTry.item) || one.endpoint !== endpoint) return false;
	// A time or a random number in a parameter resolves to another value at each try.
	return asked.includes(one.asked) || (isCreation(one) && one.raw === itemTry.raw);
}

function isCreation({ alike, draft }: Unfinished): boolean {
	return alike !== undefined || draft !== undefined;
}

function isOf(one: Unfinished, item: string | undefined): boolean {
	return one.item === item || (item !== undefined && one.takers?.includes(item) === true);
}
