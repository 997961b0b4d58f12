import fc from 'fast-check';
import type { Model, Workflow, World } from './world';

const realNow = Date.now.bind(Date);

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

export const steps = [
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
