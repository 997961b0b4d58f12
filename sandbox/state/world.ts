import type { Timeline } from './clock';
import type { Recipient, SignDocument } from './entities';
import type { State } from './state';
import type { DocumentEvent, RecipientEvent } from './vocabulary';

/** Tells the webhook endpoints what happens to documents. */
export interface Announcer {
	emit(document: SignDocument, event: DocumentEvent): void;
	emitAbout(recipient: Recipient, document: SignDocument, event: RecipientEvent): void;
}

/** What every act of the service needs: what is stored, what time it is, and somebody to tell. */
export interface World {
	readonly state: State;
	readonly timeline: Timeline;
	readonly events: Announcer;
	/** `http://127.0.0.1:PORT`; known once the server listens. */
	readonly origin: string;
}
