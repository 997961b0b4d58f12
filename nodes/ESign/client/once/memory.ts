import { ServerClock } from '../call/serverClock';
import type { Key } from '../call/sendOnce';
import { OneAtATime } from '../pacing/oneAtATime';
import { Pacer } from '../pacing/pacer';
import { RecentMap } from '../recent';
import type { Clock } from '../settings';
import { UnfinishedRequests } from './unfinished/unfinished';

/** The key that was used last is the last to be forgotten, and is learned anew within one request. */
const MAX_KEYS = 1_000;

/** Far more than a key can create while one request is in doubt. */
const MAX_IDS = 10_000;

/** What the process knows of its calls. Keys of one workspace see each other's documents. */
export class Memory {
	/** Ids of what creating calls have returned: a lost answer is never mistaken for one of these. */
	readonly returned = new RecentMap<string, true>(MAX_IDS);

	readonly oneAtATime = new OneAtATime();

	readonly unfinished = new UnfinishedRequests();

	/** By the hash that stands for a key. */
	private readonly keys = new RecentMap<string, Key>(MAX_KEYS);

	keyOf(keyId: string, clock: Clock): Key {
		const key = this.keys.get(keyId) ?? { pacer: new Pacer(clock), serverClock: new ServerClock() };
		this.keys.set(keyId, key);
		return key;
	}
}
