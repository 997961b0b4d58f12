import type { Timeline } from './clock';
import type { Recipient, SignDocument } from './entities';
import type { State } from './state';
import type { EventType } from './vocabulary';

/** Tells the webhook endpoints what happens to documents. */
export interface Announcer {
	/** `recipient` is the person whom the event is about. */
	emit(document: SignDocument, event: EventType, recipient?: Recipient): void;
}

/** What every act of the service needs: what is stored, what time it is, and somebody to tell. */
export interface World {
	readonly state: State;
	readonly timeline: Timeline;
	readonly events: Announcer;
	/** `http://127.0.0.1:PORT`; known once the server listens. */
	readonly origin: string;
}
