import type { World } from './world';

/** Something that happens, where the world allows it. */
interface Step {
	name: string;
	isPossible: (world: World) => boolean;
	run: (world: World) => Promise<void>;
}

const step = (name: string, isPossible: Step['isPossible'], run: Step['run']): Step => ({
	name,
	isPossible,
	run,
});

const always = () => true;
const isUp = (world: World) => world.isUp;
const isDown = (world: World) => !world.isUp;
const isCutOff = (world: World) => world.isUp && !world.isReachable;
const isRunning = (world: World) => world.isUp && world.isReachable;

const realNow = Date.now.bind(Date);

function tenMinutesPass(): void {
	const later = Date.now() + 600_000 - realNow();
	jest.spyOn(Date, 'now').mockImplementation(() => realNow() + later);
}

export const STEPS = [
	step('activate', isRunning, async (world) => {
		const workflow = world.either();
		// Where it fails, n8n does not let the user continue either.
		if (!workflow.active) await world.n8n.activate(workflow).catch(() => undefined);
	}),
	step('deactivate', isRunning, async (world) => {
		const workflow = world.either();
		if (workflow.active) await world.n8n.deactivate(workflow);
	}),
	step('kill', isUp, async (world) => {
		await world.n8n.kill();
		world.isUp = false;
	}),
	step('start', isDown, async (world) => await world.bringBack()),
	step('cut off', isRunning, async (world) => {
		world.n8n.cutOff();
		world.isReachable = false;
	}),
	step('reconnect', isCutOff, async (world) => await world.bringBack()),
	step('n8n runs and saves in another way', always, async (world) => {
		world.n8n.inQueueMode = world.choose(false, true);
		world.n8n.savesWithExecution = world.choose(false, true);
		world.n8n.savesHooks = world.choose('at once', 'late', 'never');
	}),
	step('saved at last', always, async ({ n8n }) => n8n.saveLate()),
	step('other trigger emits', always, async (world) => world.n8n.otherTriggerEmits(world.either())),
	step('snapshot', always, async (world) => {
		const workflow = world.either();
		world.snapshots.set(workflow, structuredClone(workflow.staticData));
	}),
	step('snapshot is put back', always, async (world) => {
		const workflow = world.either();
		workflow.staticData = structuredClone(world.snapshots.get(workflow) ?? {});
	}),
	step('fault', always, async (world) => {
		await world.sandbox.control.fault({
			method: world.choose('GET', 'POST', 'DELETE'),
			path: `/webhooks${world.choose('', '/*', '/*/deliveries', '/*/deliveries/*/replay')}`,
			when: world.choose('before', 'after'),
			// The connection breaks, the service is down, or it refuses the key for a while.
			...world.choose(
				{ kind: 'drop' as const },
				{ kind: 'status' as const, status: world.choose(503, 401, 402, 403) },
			),
			times: world.number(8),
		});
	}),
	step('hour passes', isUp, async ({ n8n }) => await n8n.hourPasses()),
	step('ten minutes pass', always, async ({ n8n, sandbox }) => {
		// Looks and the attempts of the service are over long before.
		await n8n.looked();
		await sandbox.control.advance(60);
		tenMinutesPass();
	}),
	step('time passes', always, async ({ sandbox }) => void (await sandbox.control.advance(30))),
	step('send', always, async (world) => void (await world.send())),
	step('send, and the first starts fail', isRunning, async (world) => {
		// Six: all attempts for both workflows.
		let left = world.choose(1, 2, 3, 6);
		world.n8n.beforeAnswer = async () => {
			if (left-- > 0) throw new Error('The database is down');
		};
		await world.sendInTrouble();
	}),
	step('send, and a slow start ends when the sender has gone', isRunning, async (world) => {
		const [fails, takesTenMinutes] = [world.choose(false, true), world.choose(false, true)];
		let release: () => void = () => undefined;
		const gate = new Promise<void>((resolve) => (release = resolve));
		let isFirst = true;
		world.n8n.beforeAnswer = async () => {
			if (!isFirst) return;
			isFirst = false;
			await gate;
			if (fails) throw new Error('The database is down');
		};
		await world.sendInTrouble(async (sending) => {
			let isSent = false;
			void sending.then(() => (isSent = true));
			while (!isSent && world.n8n.pending === 0)
				await new Promise((resolve) => setTimeout(resolve, 5));
			await world.sandbox.control.advance(11);
			if (takesTenMinutes) tenMinutesPass();
			await world.sandbox.control.advance(6);
			release();
			await world.sandbox.control.advance(30);
		});
	}),
	step('send, and the first answers are lost on their way', isRunning, async (world) => {
		let left = world.number(3);
		world.n8n.onAnswer = (response) => void (left-- > 0 && response.socket?.destroy());
		await world.sendInTrouble();
	}),
	step('send, and every answer is lost', isRunning, async (world) => {
		world.n8n.beforeAnswer = async () => world.n8n.cutOff();
		await world.sendInTrouble();
		await world.n8n.reconnect();
	}),
	step('an endpoint is deleted', always, async (world) => {
		await world.sandbox.control.clearFaults();
		const workflow = world.either();
		for (const { id, url } of await world.service.endpoints()) {
			if (url === world.n8n.productionUrl(workflow)) await world.service.deleteEndpoint(id);
		}
		for (const expected of world.expected) {
			if (expected.workflow === workflow) expected.untold ||= world.runsOf(expected) === 0;
		}
	}),
	step('rest', always, async (world) => await world.rest()),
];
