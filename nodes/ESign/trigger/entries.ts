import type { EventType } from '../service/events';

/** An endpoint that a trigger has at the service; its secret cannot be read again (docs/service.md section 6, rule 7). */
export type KnownEndpoint = {
	id: string;
	secret: string;
	url: string;
	events: EventType[];
	owner: string;
	/** The trigger was deactivated, and the service could not be brought to delete it: what it delivers is not wanted. */
	retired?: true;
	/** When it was made, or retired, in milliseconds since the epoch. */
	at: number;
};

/** An event that started the workflow. */
export type AcceptedEvent = {
	id: string;
	/** The newest signature that it came with, in seconds since the epoch: those signed earlier are repetitions. */
	at: number;
	/**
	 * Until then, in milliseconds since the epoch, a new signature makes no difference either. 0: n8n has failed to start the
	 * workflow after the service was told that it would, so that the service is to be asked for a replay.
	 */
	until: number;
};
