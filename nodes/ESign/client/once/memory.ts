import { OneAtATime } from '../pacing/oneAtATime';
import { Pacer } from '../pacing/pacer';
import { RecentIds } from '../recent';
import type { Clock } from '../settings';
import { ServerClock } from './serverClock';
import { UnfinishedRequests } from './unfinished/unfinished';

/** What the process knows of one key: its pace, and the service's clock. */
export type Key = { pacer: Pacer; serverClock: ServerClock };

/** A key that has rested for this long is forgotten; it is learned anew within one request. */
const IDLE_MS = 900_000;

/** What the process knows of its calls. Keys of one workspace see each other's documents. */
export class Memory {
	/** Ids of what creating calls have returned: a lost answer is never mistaken for one of these. */
	readonly returned = new RecentIds();

	readonly oneAtATime = new OneAtATime();

	readonly unfinished = new UnfinishedRequests();

	/** By the hash that stands for a key. Idle ones are dropped when another one is learned. */
	private readonly keys = new Map<string, Key>();

	keyOf(keyId: string, clock: Clock): Key {
		const known = this.keys.get(keyId);
		if (known) return known;
		for (const [id, { pacer }] of this.keys) if (pacer.isIdle(IDLE_MS)) this.keys.delete(id);
		const key = { pacer: new Pacer(clock), serverClock: new ServerClock() };
		this.keys.set(keyId, key);
		return key;
	}
}
