import type { Service } from '../credentials';
import type { ErrorContext } from '../errors/failure';
import type { Pacer } from '../pacing/pacer';
import type { Run } from '../run';
import type { ClientSettings } from '../settings';
import type { ServerClock } from './serverClock';

/** What the process knows of one key: all that the client remembers. */
export type Key = { pacer: Pacer; serverClock: ServerClock };

/** One call of an endpoint, in all its attempts. */
export type Call = ErrorContext & {
	/** Below the base URL. */
	path: string;
	run: Run;
	settings: ClientSettings;
	service: Service;
	key: Key;
	signal: AbortSignal;
	/** When the call is given up, whatever has become of it; `Infinity` where nothing presses. */
	deadline: number;
	/** How long the call waits in all for a key whose limit others spend, in milliseconds. */
	patienceMs: number;
};
