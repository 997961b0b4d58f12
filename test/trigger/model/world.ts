import type { IDataObject } from 'n8n-workflow';
import type { StoredWorkflow } from '../support/n8nInstance';
import type { Scene } from '../support/scene';

/** What is known of an event and a workflow that was to get it. */
interface Expected {
	workflow: StoredWorkflow;
	eventId: string;
	/**
	 * The endpoint was deleted behind our back, and with it the only record of what it had missed.
	 */
	untold?: boolean;
}

/** The service, n8n and its two workflows: what they are, and what they should be. */
export class World {
	isUp = true;
	isReachable = true;
	readonly expected: Expected[] = [];
	readonly snapshots = new Map<StoredWorkflow, IDataObject>();
	readonly workflows: StoredWorkflow[];
	readonly n8n: Scene['n8n'];
	readonly sandbox: Scene['sandbox'];
	readonly service: Scene['service'];

	constructor(
		private readonly scene: Scene,
		private readonly random: () => number,
	) {
		({ n8n: this.n8n, sandbox: this.sandbox, service: this.service } = scene);
		const events = [['document.sent'], ['document.sent', 'document.completed']];
		this.workflows = events.map((selected) => scene.n8n.add({ events: selected }));
	}

	/** From 1 to so many. */
	number(most: number): number {
		return 1 + Math.floor(this.random() * most);
	}

	choose<T>(...from: T[]): T {
		return from[this.number(from.length) - 1] as T;
	}

	either(): StoredWorkflow {
		return this.choose(...this.workflows);
	}

	runsOf({ workflow, eventId }: Expected): number {
		return this.n8n.itemsOf(workflow).filter(({ json }) => json.id === eventId).length;
	}

	private async activeEndpointsOf(workflow: StoredWorkflow) {
		const url = this.n8n.productionUrl(workflow);
		return (await this.service.endpoints()).filter(
			(endpoint) => endpoint.url === url && endpoint.status === 'ACTIVE',
		);
	}

	/**
	 * Sends a document. Returns what is expected of its event: whoever has an active endpoint is to
	 * get it.
	 *
	 * @param meanwhile what happens to the deliveries. An attempt is in the service's log only when
	 * it is over
	 */
	async send(meanwhile?: (sending: Promise<unknown>) => Promise<void>): Promise<Expected[]> {
		await this.sandbox.control.clearFaults();
		const listening: StoredWorkflow[] = [];
		for (const workflow of this.workflows) {
			if (workflow.active && (await this.activeEndpointsOf(workflow)).length > 0)
				listening.push(workflow);
		}
		const sending = this.scene.send();
		await meanwhile?.(sending);
		const document = await sending;
		const expected: Expected[] = [];
		for (const workflow of listening) {
			const [endpoint] = await this.activeEndpointsOf(workflow);
			const log = endpoint ? await this.service.deliveries(endpoint.id) : [];
			const eventId = log.find(({ document_id }) => document_id === document.id)?.event_id;
			// The twentieth failure in a row has just switched the endpoint off, which n8n's log will
			// say.
			if (eventId) expected.push({ workflow, eventId });
		}
		this.expected.push(...expected);
		return expected;
	}

	/** Sends while n8n or its answers fail, until the service has made all its attempts. */
	async sendInTrouble(
		meanwhile?: (sending: Promise<unknown>) => Promise<void>,
	): Promise<Expected[]> {
		const expected = await this.send(meanwhile);
		await this.sandbox.control.advance(30);
		this.n8n.beforeAnswer = async () => undefined;
		this.n8n.onAnswer = () => undefined;
		return expected;
	}

	/** n8n runs, and can be reached. */
	async bringBack(): Promise<void> {
		if (!this.isUp) await this.n8n.start();
		else if (!this.isReachable) await this.n8n.reconnect();
		this.isUp = this.isReachable = true;
	}

	/** Everything works again, and what waits has its turn. */
	async rest(): Promise<void> {
		await this.sandbox.control.clearFaults();
		this.n8n.saveLate();
		await this.bringBack();
		for (let looks = 0; looks < 3; looks++) {
			await this.sandbox.control.advance(60);
			await this.n8n.looked();
			await this.n8n.hourPasses();
		}
		await this.check();
	}

	private async check(): Promise<void> {
		for (const workflow of this.workflows) {
			const endpoints = (await this.activeEndpointsOf(workflow)).map(({ events }) => events);
			expect(endpoints).toEqual(workflow.active ? [workflow.node.parameters.events] : []);
		}
		for (const expected of await this.send())
			expect({ ...expected, runs: this.runsOf(expected) }).toMatchObject({ runs: 1 });
		const log = this.scene.logged.filter((line) => line.includes('was not run')).join('\n');
		const isUnread = this.scene.logged.some((line) => line.includes('could not be read'));
		for (const expected of this.expected) {
			const runs = this.runsOf(expected);
			const mayBeMissing = log.includes(expected.eventId) || isUnread || expected.untold;
			// What may be missing may have run as well, but once.
			if (!mayBeMissing || runs > 0) expect({ ...expected, runs }).toMatchObject({ runs: 1 });
		}
	}
}
