import fc from 'fast-check';
import type { IDataObject } from 'n8n-workflow';
import { SEED, sized } from '../../harness/nightly';
import { startSandbox, type Sandbox } from '../../sandbox';
import { captureLog } from './support/log';
import { N8nInstance } from './support/n8nInstance';
import { OfferSender } from './support/offerSender';

const RUNS = sized(12, 200);
const COMMANDS = 14;

const realNow = Date.now.bind(Date);

type Workflow = ReturnType<N8nInstance['add']>;

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
class Model {
	isUp = true;
	isReachable = true;
	readonly expected: Expected[] = [];
	readonly snapshots = new Map<Workflow, IDataObject>();
	readonly story: string[] = [];
}

/** The service, n8n and its two workflows. */
class World {
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

type Step = fc.AsyncCommand<Model, World>;

/** A step that any world allows, or that `isPossible` does. */
function step(
	name: string,
	run: (model: Model, world: World) => Promise<void>,
	isPossible?: (model: Model) => boolean,
): Step {
	return {
		check: (model) => isPossible?.(model) ?? true,
		run: async (model, world) => {
			model.story.push(name);
			await run(model, world);
		},
		toString: () => name,
	};
}

/** One without a choice. */
const always = (...given: Parameters<typeof step>) => fc.constant(step(...given));

const isRunning = ({ isUp, isReachable }: Model) => isUp && isReachable;

const which = fc.nat({ max: 1 });
const pick = ({ workflows }: World, index: number) => workflows[index] as Workflow;

/** Fails where n8n does not let the user go on either. */
const ifPossible = async (work: Promise<void>) => await work.catch(() => undefined);

function tenMinutesPass(): void {
	const later = Date.now() + 600_000 - realNow();
	jest.spyOn(Date, 'now').mockImplementation(() => realNow() + later);
}

const method = fc.constantFrom('GET', 'POST', 'DELETE');
const path = fc.constantFrom('/webhooks', '/webhooks/*', '/webhooks/*/deliveries', '/webhooks/*/deliveries/*/replay');
const when = fc.constantFrom('before' as const, 'after' as const);
const kind = fc.constantFrom('drop' as const, 'status' as const);
/** The service is down, or refuses the key for a while. */
const status = fc.constantFrom(503, 401, 402, 403);

const steps = [
	which.map((index) =>
		step(
			`activate ${index}`,
			async (_model, world) => {
				const workflow = pick(world, index);
				if (!workflow.active) await ifPossible(world.n8n.activate(workflow));
			},
			isRunning,
		),
	),
	which.map((index) =>
		step(
			`deactivate ${index}`,
			async (_model, world) => {
				const workflow = pick(world, index);
				if (workflow.active) await world.n8n.deactivate(workflow);
			},
			isRunning,
		),
	),
	always(
		'kill',
		async (model, world) => {
			await world.n8n.kill();
			model.isUp = false;
			for (const expected of model.expected) expected.mayRunAgain ||= expected.answerLost;
		},
		({ isUp }) => isUp,
	),
	always(
		'start',
		async (model, world) => {
			await world.n8n.start();
			model.isUp = model.isReachable = true;
		},
		({ isUp }) => !isUp,
	),
	always(
		'cut off',
		async (model, world) => {
			await world.n8n.cutOff();
			model.isReachable = false;
		},
		isRunning,
	),
	always(
		'reconnect',
		async (model, world) => {
			await world.n8n.reconnect();
			model.isReachable = true;
		},
		({ isUp, isReachable }) => isUp && !isReachable,
	),
	fc
		.boolean()
		.map((isQueueMode) =>
			step(`queue mode ${isQueueMode}`, async (_model, { n8n }) => void (n8n.inQueueMode = isQueueMode)),
		),
	fc
		.constantFrom('at once' as const, 'late' as const, 'never' as const)
		.map((saves) => step(`hooks are saved ${saves}`, async (_model, { n8n }) => void (n8n.savesHooks = saves))),
	fc
		.boolean()
		.map((saves) =>
			step(`saved with executions ${saves}`, async (_model, { n8n }) => void (n8n.savesWithExecution = saves)),
		),
	always('saved at last', async (_model, { n8n }) => n8n.saveLate()),
	which.map((index) =>
		step(`other trigger emits in ${index}`, async (_model, world) => world.n8n.otherTriggerEmits(pick(world, index))),
	),
	which.map((index) =>
		step(`snapshot of ${index}`, async (model, world) => {
			const workflow = pick(world, index);
			model.snapshots.set(workflow, structuredClone(workflow.staticData));
		}),
	),
	which.map((index) =>
		step(`snapshot of ${index} is put back`, async (model, world) => {
			const workflow = pick(world, index);
			workflow.staticData = structuredClone(model.snapshots.get(workflow) ?? {});
		}),
	),
	fc.record({ method, path, when, kind, status, times: fc.integer({ min: 1, max: 8 }) }).map(({ status, ...fault }) =>
		step(`fault ${JSON.stringify({ ...fault, status })}`, async (_model, { sandbox }) => {
			await sandbox.control.fault({ ...fault, ...(fault.kind === 'status' && { status }) });
		}),
	),
	always(
		'hour passes',
		async (_model, { n8n }) => await n8n.hourPasses(),
		({ isUp }) => isUp,
	),
	always('ten minutes pass', async () => tenMinutesPass()),
	always('time passes', async (_model, { sandbox }) => await sandbox.control.advance(30)),
	fc.constant(
		step('send', async (model, world) => {
			await world.sandbox.control.clearFaults();
			await world.send(model);
		}),
	),
	fc.integer({ min: 1, max: 3 }).map((times) =>
		step(
			`send, and the first ${times} starts fail`,
			async (model, world) => {
				await world.sandbox.control.clearFaults();
				let left = times;
				world.n8n.beforeAnswer = async () => {
					if (left-- > 0) throw new Error('The database is down');
				};
				await world.send(model);
				await world.sandbox.control.advance(30);
				world.n8n.beforeAnswer = async () => undefined;
			},
			isRunning,
		),
	),
	fc.record({ fails: fc.boolean(), isEndless: fc.boolean() }).map(({ fails, isEndless }) =>
		step(
			`send, and a slow start that ${fails ? 'fails' : 'succeeds'} ${isEndless ? 'ten minutes after' : 'when'} the sender has gone`,
			async (model, world) => {
				await world.sandbox.control.clearFaults();
				let release: () => void = () => undefined;
				const gate = new Promise<void>((resolve) => (release = resolve));
				let isFirst = true;
				world.n8n.beforeAnswer = async () => {
					if (!isFirst) return;
					isFirst = false;
					await gate;
					if (fails) throw new Error('The database is down');
				};
				await world.send(model, async (sending) => {
					let isSent = false;
					void sending.then(() => (isSent = true));
					while (!isSent && world.n8n.pending === 0) await new Promise((resolve) => setTimeout(resolve, 5));
					await world.sandbox.control.advance(11);
					if (isEndless) tenMinutesPass();
					await world.sandbox.control.advance(6);
					release();
					await world.sandbox.control.advance(30);
				});
				world.n8n.beforeAnswer = async () => undefined;
			},
			isRunning,
		),
	),
	fc.integer({ min: 1, max: 3 }).map((times) =>
		step(
			`send, and the first ${times} answers are lost on their way`,
			async (model, world) => {
				await world.sandbox.control.clearFaults();
				let left = times;
				world.n8n.onAnswer = (response) => void (left-- > 0 && response.socket?.destroy());
				const expected = await world.send(model);
				await world.sandbox.control.advance(30);
				world.n8n.onAnswer = () => undefined;
				for (const one of expected) one.answerLost = times === 3 && world.runsOf(one) > 0;
			},
			isRunning,
		),
	),
	always(
		'send, and every answer is lost',
		async (model, world) => {
			await world.sandbox.control.clearFaults();
			world.n8n.beforeAnswer = async () => await world.n8n.cutOff();
			const expected = await world.send(model);
			await world.sandbox.control.advance(30);
			world.n8n.beforeAnswer = async () => undefined;
			await world.n8n.reconnect();
			for (const one of expected) one.answerLost = world.runsOf(one) > 0;
		},
		isRunning,
	),
	which.map((index) =>
		step(`endpoint of ${index} is deleted`, async (model, world) => {
			await world.sandbox.control.clearFaults();
			const workflow = pick(world, index);
			for (const { id, url } of await world.service.endpoints()) {
				if (url === world.n8n.productionUrl(workflow)) await world.service.deleteEndpoint(id);
			}
			for (const expected of model.expected) {
				if (expected.workflow === workflow) expected.untold ||= world.runsOf(expected) === 0;
			}
		}),
	),
	always('rest', async (model, world) => await world.rest(model)),
];

let sandbox: Sandbox;

beforeAll(async () => void (sandbox = await startSandbox({ rateLimit: 0 })));
afterAll(async () => await sandbox.close());

describe('Whatever happens to n8n and the service, in any order', () => {
	it('at rest there is one endpoint per active trigger, its secret verifies, and each event ran once or is named', async () => {
		await fc.assert(
			fc.asyncProperty(fc.commands(steps, { maxCommands: COMMANDS }), async (commands) => {
				await sandbox.control.reset();
				const logged = captureLog();
				const n8n = new N8nInstance({ baseUrl: sandbox.url, apiKey: sandbox.keys.test });
				await n8n.start();
				const world = new World(sandbox, n8n, new OfferSender(sandbox, sandbox.keys.test), logged);
				const model = new Model();
				n8n.waitsForLook = false;
				try {
					for (const workflow of world.workflows) await n8n.activate(workflow);
					await fc.asyncModelRun(() => ({ model, real: world }), commands);
					await world.rest(model);
				} finally {
					await n8n.kill();
					jest.restoreAllMocks();
				}
			}),
			{ numRuns: RUNS, seed: SEED, endOnFailure: true },
		);
	});
});
