import type { IDataObject } from 'n8n-workflow';
import type { EventType } from '../../transport';
import { isEventType } from '../events';
import type { SeenEvent } from '../delivery/deduplication';

/** The endpoint of a trigger at the service; its secret cannot be read again (docs/service.md section 6, rule 7). */
export type HeldEndpoint = {
	id: string;
	secret: string;
	url: string;
	events: EventType[];
	/** n8n instance, workflow and node: a copy of the static data under another owner does not own the endpoint. */
	owner: string;
	/** Made for one "Listen for test event". */
	test: boolean;
};

type Postponed = { id: string; times: number };

/** Events kept in the database: enough for five busy minutes, small enough to be written with every delivery. */
export const MOST_STORED_EVENTS = 500;

const listOf = <Item>(value: unknown, isItem: (item: unknown) => item is Item): Item[] =>
	Array.isArray(value) ? value.filter(isItem) : [];

const isRecord = (value: unknown): value is IDataObject => typeof value === 'object' && value !== null;

const isText = (value: unknown): value is string => typeof value === 'string' && value !== '';

const isSeen = (value: unknown): value is SeenEvent =>
	isRecord(value) && isText(value.id) && typeof value.at === 'number';

const isPostponed = (value: unknown): value is Postponed =>
	isRecord(value) && isText(value.id) && typeof value.times === 'number';

/** An endpoint out of what was stored or received; undefined if anything of it is missing. */
export function heldEndpointOf(value: unknown): HeldEndpoint | undefined {
	if (!isRecord(value)) return undefined;
	const { id, secret, url, owner } = value;
	if (!isText(id) || !isText(secret) || !isText(url) || !isText(owner)) return undefined;
	return { id, secret, url, owner, events: listOf(value.events, isEventType), test: value.test === true };
}

/**
 * The node's static data, read with suspicion (it may be an older backup or a copy of another workflow's) and written
 * key by key: n8n saves it only when a top-level key was assigned.
 */
export class TriggerState {
	constructor(private readonly data: IDataObject) {}

	get endpoint(): HeldEndpoint | undefined {
		return heldEndpointOf(this.data.endpoint);
	}

	set endpoint(endpoint: HeldEndpoint | undefined) {
		if (endpoint) this.data.endpoint = { ...endpoint };
		else delete this.data.endpoint;
	}

	/** Endpoints of this trigger that another one has replaced, and that are still to be deleted. */
	get superseded(): string[] {
		return listOf(this.data.superseded, isText);
	}

	set superseded(ids: string[]) {
		if (ids.length > 0) this.data.superseded = [...new Set(ids)];
		else if (this.data.superseded !== undefined) delete this.data.superseded;
	}

	get seen(): SeenEvent[] {
		return listOf(this.data.seen, isSeen);
	}

	set seen(events: SeenEvent[]) {
		this.data.seen = events;
	}

	/** How often a delivery of this event was put off. */
	timesPostponed(id: string): number {
		return listOf(this.data.postponed, isPostponed).find((event) => event.id === id)?.times ?? 0;
	}

	setPostponed(id: string, times: number): void {
		const others = listOf(this.data.postponed, isPostponed).filter((event) => event.id !== id);
		this.data.postponed = [...others, { id, times }].slice(-MOST_STORED_EVENTS);
	}
}
