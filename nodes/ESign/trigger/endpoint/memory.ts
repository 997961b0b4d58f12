import type { SeenEvent } from '../delivery/deduplication';
import { isWithinWindow } from '../delivery/deduplication';

/** Event ids kept per trigger in this process: a burst of that many within the window is still told apart. */
const MOST_EVENTS = 5_000;
/** Triggers remembered in this process; the one that was silent longest is forgotten first. */
const MOST_TRIGGERS = 1_000;

interface Claim {
	at: number;
	/** Whether the delivery that claimed the event was accepted; resolved once that is known. */
	accepted: Promise<boolean>;
	/** How far that delivery has come. */
	stage: 'claimed' | 'accepted' | 'answered';
}

/** The right to handle an event, or the earlier delivery that has it. */
export type ClaimResult =
	{ first: true; settle: (accepted: boolean) => void } | { first: false; at: number; accepted: Promise<boolean> };

/** Work in the background that ends when the trigger is switched off. */
export interface BackgroundRun {
	stopped: boolean;
}

/** Drops the oldest entries of a Map or Set, which keep the order of insertion. */
function bound(collection: Map<string, unknown> | Set<string>, limit: number): void {
	for (const key of collection.keys()) {
		if (collection.size <= limit) return;
		collection.delete(key);
	}
}

/**
 * What one trigger knows only in this process. Static data alone cannot carry it: n8n 2.41 loses what `webhook()` writes
 * there when the delivery starts an execution, and two deliveries at once would each read it before the other wrote.
 */
export class TriggerMemory {
	private readonly claims = new Map<string, Claim>();

	private readonly postponed = new Map<string, number>();

	private readonly replayed = new Set<string>();

	private run: BackgroundRun = { stopped: true };

	private watch: BackgroundRun = { stopped: true };

	private lookNow: () => Promise<void> = async () => undefined;

	/** Claims an event in one synchronous step, so that of two deliveries at once exactly one is first. */
	claim(id: string, now: number): ClaimResult {
		const earlier = this.claims.get(id);
		if (earlier && isWithinWindow(earlier.at, now)) return { first: false, at: earlier.at, accepted: earlier.accepted };
		let resolve: (accepted: boolean) => void = () => undefined;
		const claim: Claim = { at: now, accepted: new Promise((settled) => (resolve = settled)), stage: 'claimed' };
		this.claims.delete(id);
		this.claims.set(id, claim);
		bound(this.claims, MOST_EVENTS);
		const settle = (isAccepted: boolean) => {
			if (isAccepted) claim.stage = 'accepted';
			else this.release(id);
			resolve(isAccepted);
		};
		return { first: true, settle };
	}

	/** Notes that the service was told: it will not deliver this event again. */
	markAnswered(id: string): void {
		const claim = this.claims.get(id);
		if (claim) claim.stage = 'answered';
	}

	/** Gives an event back that was not accepted after all: its next delivery is handled again. */
	release(id: string): void {
		this.claims.delete(id);
	}

	/** The events that were accepted, also those whose answer the service may not have got. */
	accepted(): SeenEvent[] {
		return this.inStage(MOST_EVENTS, 'accepted', 'answered');
	}

	/** Those of the newest `most` events that the service knows to be accepted. */
	answered(most: number): SeenEvent[] {
		return this.inStage(most, 'answered');
	}

	private inStage(most: number, ...stages: Array<Claim['stage']>): SeenEvent[] {
		const reached = [...this.claims].slice(-most).filter(([, { stage }]) => stages.includes(stage));
		return reached.map(([id, { at }]) => ({ id, at }));
	}

	/** How often this event was put off, this time included. */
	postpone(id: string, before: number): number {
		const times = Math.max(before, this.postponed.get(id) ?? 0) + 1;
		this.postponed.set(id, times);
		bound(this.postponed, MOST_EVENTS);
		return times;
	}

	/** Notes that the next delivery of this event is a replay, of which there may be no second attempt. */
	markReplayed(id: string): void {
		this.replayed.add(id);
		bound(this.replayed, MOST_EVENTS);
	}

	wasReplayed(id: string): boolean {
		return this.replayed.has(id);
	}

	/** Begins background work and ends what was begun before. */
	beginRun(): BackgroundRun {
		this.stopRun();
		this.run = { stopped: false };
		return this.run;
	}

	/** Begins to look after the endpoint while n8n runs, in place of whoever did before; `look` does it once. */
	beginWatch(look: () => Promise<void>): BackgroundRun {
		this.watch.stopped = true;
		this.watch = { stopped: false };
		this.lookNow = look;
		return this.watch;
	}

	/** Has the endpoint looked after at once. Returns false if nobody does that in this process. */
	async lookAfterEndpoint(): Promise<boolean> {
		if (this.watch.stopped) return false;
		await this.lookNow();
		return true;
	}

	private stopRun(): void {
		this.run.stopped = true;
	}

	/** The trigger is being switched off. */
	stop(): void {
		this.stopRun();
		this.watch.stopped = true;
	}
}

const memories = new Map<string, TriggerMemory>();

/** The memory of the trigger with this key in this process. */
export function memoryOf(key: string): TriggerMemory {
	const memory = memories.get(key) ?? new TriggerMemory();
	memories.delete(key);
	memories.set(key, memory);
	bound(memories, MOST_TRIGGERS);
	return memory;
}

/** Endpoints of test listeners that are listening in this process; any other `/webhook-test/` endpoint was left behind. */
export const listeningForTest = new Set<string>();
