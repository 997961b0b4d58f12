import type { IDataObject } from 'n8n-workflow';
import type { Sandbox } from '../../../sandbox';
import type { N8nInstance } from '../support/n8nInstance';
import type { OfferSender } from '../support/offerSender';

export type Workflow = ReturnType<N8nInstance['add']>;

/** What is known of an event and a workflow that was to get it. */
interface Expected {
	workflow: Workflow;
	eventId: string;
	/** n8n has started the workflow, and the service does not know. */
	answerLost?: boolean;
	/** n8n died before the service could learn that the event arrived: nobody can know, so it may run again. */
	mayRunAgain?: boolean;
	/** The endpoint was deleted behind our back, and with it the only record of what it had missed. */
	untold?: boolean;
}

/** What the world should be, beside what it is. */
export class Model {
	isUp = true;
	isReachable = true;
	readonly expected: Expected[] = [];
	readonly snapshots = new Map<Workflow, IDataObject>();
	readonly story: string[] = [];
}

/** The service, n8n and its two workflows. */
export class World {
	readonly workflows: Workflow[];

	constructor(
		readonly sandbox: Sandbox,
		readonly n8n: N8nInstance,
		readonly service: OfferSender,
		readonly logged: string[],
	) {
		const events = [['document.sent'], ['document.sent', 'document.completed']];
		this.workflows = events.map((selected) => n8n.add({ events: selected }));
	}

	runsOf({ workflow, eventId }: Expected): number {
		return this.n8n.itemsOf(workflow).filter(({ json }) => json.id === eventId).length;
	}

	async activeEndpointsOf(workflow: Workflow) {
		const url = this.n8n.productionUrl(workflow);
		return (await this.service.endpoints()).filter((endpoint) => endpoint.url === url && endpoint.status === 'ACTIVE');
	}

	/**
	 * Sends a document. Returns what is expected of its event: whoever has an active endpoint is to get it.
	 *
	 * @param meanwhile what happens to the deliveries. An attempt is in the service's log only when it is over
	 */
	async send(model: Model, meanwhile?: (sending: Promise<unknown>) => Promise<void>): Promise<Expected[]> {
		const listening: Workflow[] = [];
		for (const workflow of this.workflows) {
			if (workflow.active && (await this.activeEndpointsOf(workflow)).length > 0) listening.push(workflow);
		}
		const sending = this.service.send();
		await meanwhile?.(sending);
		const document = await sending;
		const expected: Expected[] = [];
		for (const workflow of listening) {
			const [endpoint] = await this.activeEndpointsOf(workflow);
			const log = endpoint ? await this.service.deliveries(endpoint.id) : [];
			const eventId = log.find(({ document_id }) => document_id === document.id)?.event_id;
			// The twentieth failure in a row has just switched the endpoint off, which n8n's log will say.
			if (eventId) expected.push({ workflow, eventId });
		}
		model.expected.push(...expected);
		return expected;
	}

	/** Everything works again, and what waits has its turn. */
	async rest(model: Model): Promise<void> {
		await this.sandbox.control.clearFaults();
		this.n8n.beforeAnswer = async () => undefined;
		this.n8n.saveLate();
		if (!model.isUp) await this.n8n.start();
		else if (!model.isReachable) await this.n8n.reconnect();
		model.isUp = model.isReachable = true;
		for (let looks = 0; looks < 3; looks++) {
			await this.sandbox.control.advance(60);
			await this.n8n.looked();
			await this.n8n.hourPasses();
		}
		await this.check(model);
	}

	private async check(model: Model): Promise<void> {
		const after = model.story;
		for (const workflow of this.workflows) {
			const endpoints = await this.activeEndpointsOf(workflow);
			expect({ endpoints: endpoints.map(({ events }) => events), after }).toEqual({
				endpoints: workflow.active ? [workflow.node.parameters.events] : [],
				after,
			});
		}
		for (const expected of await this.send(model)) {
			expect({ [expected.eventId]: this.runsOf(expected), after }).toEqual({ [expected.eventId]: 1, after });
		}
		const log = this.logged.join('\n');
		for (const expected of model.expected) {
			const { eventId, mayRunAgain, untold } = expected;
			const isNamed =
				log.includes(eventId) || /delivery log of webhook \S+, which is deleted, could not be read/.test(log);
			const fewest = isNamed || untold ? 0 : 1;
			const runs = this.runsOf(expected);
			expect({ eventId, runs: Math.min(Math.max(runs, fewest), mayRunAgain ? 2 : 1), after }).toEqual({
				eventId,
				runs,
				after,
			});
		}
	}
}
