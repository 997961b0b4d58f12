import type { Timeline } from './clock';
import type { State } from './state';
import type { EventEmitter } from '../webhooks/events';

/** What every act of the service needs: what is stored, what time it is, and somebody to tell. */
export interface World {
	readonly state: State;
	readonly timeline: Timeline;
	readonly events: EventEmitter;
	/** `http://127.0.0.1:PORT`; known once the server listens. */
	readonly origin: string;
}
