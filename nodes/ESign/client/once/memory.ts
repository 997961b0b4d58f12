import { ServerClock } from '../call/serverClock';
import type { Key } from '../call/sendOnce';
import { OneAtATime } from '../pacing/oneAtATime';
import { Pacer } from '../pacing/pacer';
import { RecentMap } from '../recent';
import type { Clock } from '../settings';
import { UnfinishedRequests } from './unfinished/unfinished';

/** What the process knows of its calls. Keys of one workspace see each other's documents. */
export class Memory {
	/**
	 * Ids of what creating calls have returned, more than while one is in doubt: a lost answer is not
	 * mistaken for one of these.
	 */
	readonly returned = new RecentMap<string, true>(10_000);
	readonly oneAtATime = new OneAtATime();
	readonly unfinished = new UnfinishedRequests();
	/**
	 * By the hash that stands for a key, of those used last. What is forgotten is learned anew within
	 * one request.
	 */
	private readonly keys = new RecentMap<string, Key>(1_000);

	keyOf(keyId: string, clock: Clock): Key {
		const key = this.keys.get(keyId) ?? { pacer: new Pacer(clock), serverClock: new ServerClock() };
		this.keys.set(keyId, key);
		return key;
	}
}
