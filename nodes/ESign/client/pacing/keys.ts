import { ServerClock } from '../call/serverClock';
import { RecentMap } from '../recent';
import type { Clock } from '../settings';
import { Pacer } from './pacer';

/** What the process knows of one key. */
export type Key = { pacer: Pacer; serverClock: ServerClock };

const MAX_KEYS = 1_000;

/**
 * The pace of the keys used last, by the hash that stands for a key. It is all that the client
 * remembers, and what is forgotten is learned anew within one request.
 */
export class Keys {
	private readonly keys = new RecentMap<string, Key>(MAX_KEYS);

	get(keyId: string, clock: Clock): Key {
		const key = this.keys.get(keyId) ?? { pacer: new Pacer(clock), serverClock: new ServerClock() };
		this.keys.set(keyId, key);
		return key;
	}
}
