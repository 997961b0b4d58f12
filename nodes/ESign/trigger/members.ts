import type { IDataObject } from 'n8n-workflow';
import { isEventType, type EventType } from '../service/events';

/** An endpoint that a trigger has at the service; its secret cannot be read again (docs/service.md section 6, rule 7). */
export type KnownEndpoint = {
	id: string;
	secret: string;
	url: string;
	events: EventType[];
	owner: string;
	/** Made for one "Listen for test event". */
	test: boolean;
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
	/** Until then, in milliseconds since the epoch, a new signature makes no difference either. */
	until: number;
};

/** An execution that waits for documents (docs/architecture.md section 8). */
export type WaitingExecution = {
	/** Of the execution: it waits at one node at a time. */
	id: string;
	/** Of this time that it waits. */
	key: string;
	/** Where n8n wakes it; holds n8n's own token, and is never logged. */
	url: string;
	/** Those that are open, as far as is known. None: it does not wait any more. */
	documents: string[];
	/** How many other triggers call it first. */
	order: number;
	/** When it is forgotten, in milliseconds since the epoch. */
	until: number;
	/** When this became known, in milliseconds since the epoch. */
	at: number;
};

/** What a trigger knows, by kind. */
export interface Members {
	endpoint: KnownEndpoint;
	event: AcceptedEvent;
	wait: WaitingExecution;
}

export type Kind = keyof Members;

const isText = (value: unknown): value is string => typeof value === 'string' && value !== '';

export const isTime = (value: unknown): value is number => typeof value === 'number' && Number.isFinite(value);

/** Reads a member with suspicion: what is stored may be an old backup, and what is received comes from another process. */
export const READ: { [K in Kind]: (value: IDataObject) => Members[K] | undefined } = {
	endpoint: ({ id, secret, url, events, owner, test, at, retired }) =>
		isText(id) && isText(secret) && isText(url) && isText(owner) && isTime(at) && Array.isArray(events)
			? {
					id,
					secret,
					url,
					owner,
					at,
					events: events.filter(isEventType),
					test: test === true,
					...(retired === true && { retired }),
				}
			: undefined,
	event: ({ id, at, until }) => (isText(id) && isTime(at) && isTime(until) ? { id, at, until } : undefined),
	wait: ({ id, key, url, documents, order, until, at }) =>
		isText(id) && isText(key) && isText(url) && Array.isArray(documents) && isTime(until) && isTime(at)
			? { id, key, url, documents: documents.filter(isText), order: isTime(order) ? order : 0, until, at }
			: undefined,
};

/** So many of a kind are kept in static data and handed to another process; the oldest go first. */
export const MOST: Record<Kind, number> = { endpoint: 20, event: 500, wait: 2_000 };
