import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { EVERY_EVENT } from '../../e2e/trigger/support/stories';
import type { ServiceClient } from '../../support/serviceClient';

/**
 * An event as the service emitted it; its id is the same at every endpoint that it is delivered to.
 */
export interface LedgerEvent {
	id: string;
	event: string;
	documentId: string;
	title: string;
	/** By the service's clock, in milliseconds since the epoch. */
	at: number;
}

interface Payload {
	id: string;
	event: string;
	occurred_at: string;
	document: { id: string; title: string };
}

/**
 * An endpoint of the soak's own, in no fault's way: what it receives is what the service emitted,
 * against which the triggers' executions are balanced.
 */
export class EventLedger {
	readonly events = new Map<string, LedgerEvent>();
	private readonly listeners: Array<(event: LedgerEvent) => void> = [];
	private readonly server = createServer((request, response) => {
		void json(request).then((body) => {
			response.writeHead(200).end('Noted');
			this.note(body as Payload);
		});
	});

	/** Starts listening and registers at the service. */
	static async open(service: ServiceClient): Promise<EventLedger> {
		const ledger = new EventLedger();
		await new Promise<void>((resolve) => ledger.server.listen(0, '127.0.0.1', resolve));
		const { port } = ledger.server.address() as AddressInfo;
		const body = { url: `http://127.0.0.1:${port}/ledger`, events: EVERY_EVENT };
		await service.api('POST', '/webhooks', body);
		return ledger;
	}

	/** Calls `listener` with every event that is new. */
	onEvent(listener: (event: LedgerEvent) => void): void {
		this.listeners.push(listener);
	}

	async close(): Promise<void> {
		this.server.closeAllConnections();
		await new Promise((resolve) => this.server.close(resolve));
	}

	private note({ id, event, occurred_at: occurredAt, document }: Payload): void {
		if (this.events.has(id)) return;
		const entry = {
			id,
			event,
			documentId: document.id,
			title: document.title,
			at: Date.parse(occurredAt),
		};
		this.events.set(id, entry);
		for (const listener of this.listeners) listener(entry);
	}
}
