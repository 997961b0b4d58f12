import type { ApiRequest } from '../../call/address';
import type { Unknown } from '../../call/outcome';
import { RecentMap } from '../../recent';
import type { ItemTry } from '../../run';
import type { Timestamp } from '../../settings';
import { ruleOf, type Endpoint } from '../../../service/endpoints';

/**
 * A request that may not be through: nobody knows what it has done, or it has made a draft. Saved
 * as JSON while it is not.
 */
export type Unfinished = {
	id: string;
	workspaceMode: string;
	endpoint: Endpoint;
	/**
	 * Stands for what was asked: base URL and mode, endpoint, path and body; of a document, what its
	 * draft is made of.
	 */
	asked: string;
	/** The same with all that is done with a draft before it is through. */
	whole?: string;
	/** As it was sent, for finding what it has created. */
	request: Pick<ApiRequest, 'path' | 'body'>;
	/**
	 * What is created by requests of one such name cannot be told apart. Only what creates something
	 * has one.
	 */
	alike?: string;
	/**
	 * Whose it is: see `ItemTry`. Nobody's for a hook. The run is that of one execution: only its
	 * rows come together.
	 */
	items: string[];
	line?: string;
	run?: string;
	raw?: string;
	firstSent: Timestamp;
	lastSentAt: number;
	/** When the last one who was at it left it open. */
	leftAt?: number;
	/** An effect that is not there by then will not come; by the clock of `Timestamp.at`. */
	certainAt: number;
	/** How often it was sent so that its effect may come late. */
	times: number;
	outcome: Unknown;
	/** It was lost or has left a draft: another try goes on from here. */
	isOpen: boolean;
	/** The id of what it has created, where that is known. */
	found?: string;
	/**
	 * What a composite operation knows of its draft. Once that is sent, only who asks for the same as
	 * a whole goes on with it.
	 */
	draft?: { id: string; isSent?: boolean };
};

/**
 * After this time the same request of anybody else is another request: next week's contract with
 * the same title and people.
 */
const ANYBODYS_MS = 600_000;

/**
 * The requests of this process that are not through. Each is also kept in its execution: another
 * process goes on from there.
 */
export class UnfinishedRequests {
	/** Far more than an n8n has at a time. */
	private readonly open = new RecentMap<string, Unfinished>(5_000);
	/** Those that somebody is at. */
	private readonly active = new Set<string>();
	/** What became of those that are through: an older execution may still hold them. */
	private readonly through = new RecentMap<
		string,
		{ line?: string; found?: string; whole?: string }
	>(10_000);

	/**
	 * The request that whoever is about to send the very same takes over: that of an earlier try of
	 * the item, of this execution, or of anybody else within ten minutes, but for an equal row of the
	 * same run. What it creates belongs to the taker from then on; what creates nothing, such as a
	 * reminder, stays that of all who asked for it: none of them may send it again.
	 */
	take(now: Unfinished, itemTry: ItemTry | undefined): Unfinished | undefined {
		const all = this.fitting(now, itemTry).filter(({ id }) => !this.active.has(id));
		const taken = all.find((one) => isOfSameItem(one, now)) ?? all[0];
		if (!taken) return undefined;
		const { items, run, raw, whole } = now;
		if (taken.alike !== undefined) Object.assign(taken, { items, run, raw, whole });
		else taken.items = [...new Set([...taken.items, ...items])];
		taken.isOpen = true;
		this.keep(taken, itemTry);
		return taken;
	}

	/** Keeps a request while somebody is at it. */
	keep(one: Unfinished, itemTry: ItemTry | undefined): void {
		this.active.add(one.id);
		this.open.set(one.id, one);
		if (itemTry && !itemTry.saved.includes(one)) itemTry.saved.push(one);
	}

	/** Nobody is at it any more. Unless it is open, it is through. */
	leave(one: Unfinished, itemTry: ItemTry | undefined, now: number): void {
		this.active.delete(one.id);
		if (one.isOpen) one.leftAt = now;
		else this.close(one, itemTry);
	}

	close(one: Unfinished, itemTry: ItemTry | undefined): void {
		this.open.delete(one.id);
		this.through.set(one.id, { line: itemTry?.line, found: one.found, whole: one.whole });
		const saved = itemTry?.saved ?? [];
		saved.splice(0, Infinity, ...saved.filter((other) => other !== one));
	}

	/** By the id of their draft, or of what they have created. */
	byId(): Map<string | undefined, Unfinished> {
		return new Map([...this.open.values()].map((one) => [one.draft?.id ?? one.found, one]));
	}

	/** What earlier tries of an item have left that asked for something else. */
	leftBy(now: Unfinished, itemTry: ItemTry | undefined): Unfinished[] {
		const ofItem = this.known(now, itemTry).filter((one) => isOfSameItem(one, now));
		return ofItem.filter((one) => !isSameRequest(one, now) && !this.active.has(one.id));
	}

	/**
	 * Others whose effect would be taken for that of this one: times of the service are known to two
	 * seconds.
	 */
	mistakable({ id, alike, workspaceMode, firstSent }: Unfinished): Unfinished[] {
		const isAlike = (one: Unfinished) =>
			one.id !== id && one.workspaceMode === workspaceMode && one.alike === alike;
		return [...this.open.values()].filter(
			(one) => isAlike(one) && one.certainAt > firstSent.at - 2_000,
		);
	}

	/** Those to take over, or to wait for. */
	fitting(now: Unfinished, itemTry: ItemTry | undefined): Unfinished[] {
		const isHere = (one: Unfinished) =>
			itemTry && (one.line === itemTry.line || itemTry.saved.includes(one));
		// An error output may lead back after an hour. A reminder of the next round is another one.
		const mayLast = ({ endpoint, found }: Unfinished) =>
			ruleOf(endpoint).retry !== 'never' && found === undefined;
		const isRecent = (one: Unfinished) => now.lastSentAt - one.lastSentAt < ANYBODYS_MS;
		const isTaken = (one: Unfinished) =>
			isOfEqualRow(one, now) || itemTry?.ids.includes(one.draft?.id ?? '') === true;
		// A result that another line has found belongs to that line.
		const isFree = (one: Unfinished) =>
			isHere(one) ? mayLast(one) || isRecent(one) : !one.found && isRecent(one);
		const isAnybodys = (one: Unfinished) => isSameAsked(one, now) && isFree(one) && !isTaken(one);
		const isTheSame = (one: Unfinished) =>
			isOfSameItem(one, now) ? isSameRequest(one, now) : isAnybodys(one);
		return this.known(now, itemTry).filter(isTheSame);
	}

	/**
	 * All of the workspace, with what another process, or this one before, has saved with the
	 * execution. What another line of executions has found since is what this one asked for as well.
	 */
	private known({ workspaceMode }: Unfinished, itemTry: ItemTry | undefined): Unfinished[] {
		const saved = (itemTry?.saved ?? []) as Unfinished[];
		const left = saved.flatMap((one) => {
			const end = this.through.get(one.id);
			if (!end) return [this.open.get(one.id) ?? one];
			const isOurs =
				end.found === undefined || end.line === itemTry?.line || end.whole !== one.whole;
			return isOurs ? [] : [{ ...one, found: end.found }];
		});
		saved.splice(0, Infinity, ...left);
		for (const one of left) this.open.set(one.id, one);
		return [...this.open.values()].filter((one) => one.workspaceMode === workspaceMode);
	}
}

/** Whether an earlier try of the item has asked for the same. */
function isSameRequest(one: Unfinished, now: Unfinished): boolean {
	// A time or a random number in a parameter resolves to another value at each try.
	const isSameInNode =
		one.alike !== undefined && one.endpoint === now.endpoint && one.raw === now.raw;
	return isSameAsked(one, now) || isSameInNode;
}

function isSameAsked(one: Unfinished, now: Unfinished): boolean {
	return one.asked === now.asked && (one.draft?.isSent !== true || one.whole === now.whole);
}

function isOfSameItem({ items }: Unfinished, now: Unfinished): boolean {
	return now.items.some((item) => items.includes(item));
}

/** Equal rows are as many contracts: its own next try goes on with it. */
function isOfEqualRow(one: Unfinished, now: Unfinished): boolean {
	return one.alike !== undefined && one.run !== undefined && one.run === now.run;
}
