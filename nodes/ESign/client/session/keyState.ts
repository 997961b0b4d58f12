import { OneAtATime } from '../pacing/oneAtATime';
import { Pacer } from '../pacing/pacer';
import { RecentIds } from './recentIds';
import { UnfinishedRequests } from './unfinished';
import { ServerClock } from '../call/serverClock';
import type { Clock, ClientSettings } from '../settings';

/** What the process knows of the effects of its calls. Keys of one workspace see each other's documents. */
export class Effects {
	/** Ids of what creating calls have returned: a lost answer is never mistaken for one of these. */
	readonly returned = new RecentIds();

	readonly oneAtATime = new OneAtATime();

	readonly unfinished = new UnfinishedRequests();
}

/** What the process knows of one key: its pace, and the service's clock. */
export class KeyState {
	readonly pacer: Pacer;

	readonly serverClock = new ServerClock();

	constructor(
		clock: Clock,
		readonly effects: Effects,
	) {
		this.pacer = new Pacer(clock);
	}
}

/** A key that has rested for this long is forgotten; it is learned anew within one request. */
const IDLE_MS = 900_000;

/** The states of all keys in use, by the hash that stands for a key. */
export class KeyStates {
	private readonly states = new Map<string, KeyState>();

	readonly effects = new Effects();

	constructor(private readonly settings: ClientSettings) {}

	get size(): number {
		return this.states.size;
	}

	of(keyId: string): KeyState {
		let state = this.states.get(keyId);
		if (!state) {
			this.dropIdle();
			state = new KeyState(this.settings.clock, this.effects);
			this.states.set(keyId, state);
		}
		return state;
	}

	private dropIdle(): void {
		for (const [keyId, state] of this.states) {
			if (state.pacer.isIdle(IDLE_MS)) this.states.delete(keyId);
		}
	}
}
