import { setTimeout as pause } from 'node:timers/promises';
import { until } from '../../support/processes/until';
import { node } from '../support/nodes';
import { eventsOf, Runs } from '../support/runs';
import { STAGE_TIMEOUT_MS } from '../support/stage';
import { setClusterStage, type ClusterStage } from './support/clusterStage';
import { eventIdOf, eventIdsOf, isDelivery } from './support/deliveries';
import {
	BURST_EVENTS,
	draft,
	EVERY_EVENT,
	expectBurst,
	happen,
	play,
	playBurst,
	type Story,
} from './support/stories';

describe('The trigger on an n8n in queue mode', () => {
	let stage: ClusterStage;

	beforeAll(async () => {
		stage = await setClusterStage();
	}, STAGE_TIMEOUT_MS);
	afterAll(async () => await stage?.close());

	/**
	 * Publishes a workflow that starts with the trigger and then waits, runs `steps`, and takes it
	 * out of service afterwards.
	 */
	async function withWorkflow(
		events: readonly string[],
		waitSeconds: number,
		steps: (runs: Runs) => Promise<void>,
	): Promise<void> {
		const wait = node(
			'Wait',
			'n8n-nodes-base.wait',
			{ amount: waitSeconds, unit: 'seconds' },
			{ typeVersion: 1.1 },
		);
		const runs = await Runs.ofTrigger(
			stage,
			{ events: [...events] },
			waitSeconds > 0 ? [wait] : [],
		);
		await runs.publish();
		try {
			await steps(runs);
		} finally {
			await runs.end();
		}
	}

	/** Ids of the executions that a process says it has run, in its log. */
	const startedOn = ({ logs }: { logs: string }) =>
		[...logs.matchAll(/Worker started execution (\d+)/g)].map(([, id]) => id);

	it(`${BURST_EVENTS} signed events of all seven types in a burst run on the two workers, each event once`, async () => {
		await withWorkflow(EVERY_EVENT, 0, async (runs) => {
			await playBurst(stage.service, stage.recorder.exchanges);
			const all = await runs.settled(BURST_EVENTS);
			expectBurst(all, stage.recorder.exchanges);

			const { main, webhook, workers } = stage.cluster;
			const shares = workers.map((worker) => new Set(startedOn(worker)));
			expect(shares.every((share) => share.size > 0)).toBe(true);
			expect(all.filter(({ id }) => shares.filter((share) => share.has(id)).length !== 1)).toEqual(
				[],
			);
			expect([...startedOn(main), ...startedOn(webhook)]).toEqual([]);
		});
	}, 180_000);

	it('two webhook processes each get every delivery of fifty events: each event runs once', async () => {
		await withWorkflow(['document.sent'], 0, async (runs) => {
			stage.splitter.isOn = true;
			await happen(stage.service, Array<Story>(50).fill('sent'));
			const all = await runs.settled(50);
			await pause(5_000);
			stage.splitter.isOn = false;
			// Those of the second deliveries end without an item.
			const ids = eventsOf(await runs.settled(all.length)).map(({ id }) => id);
			expect([ids.length, new Set(ids).size]).toEqual([50, 50]);
		});
	}, 300_000);

	it('a worker killed mid-run: its execution is shown as failed, none is lost or run twice, the next run elsewhere', async () => {
		await withWorkflow(['document.sent'], 10, async (runs) => {
			const { workers } = stage.cluster;
			await happen(stage.service, ['sent']);
			const running = await until('a worker to take it', async () => {
				const [execution] = await runs.list();
				return execution && workers.find((worker) => startedOn(worker).includes(execution.id));
			});
			await running.kill();
			await happen(stage.service, ['sent']);
			const [killed, next] = await runs.settled(2);
			expect(['error', 'crashed']).toContain(killed?.status);
			expect(next?.status).toBe('success');
			expect(await runs.count()).toBe(2);
			await running.start();
		});
	}, 120_000);

	it("the webhook process killed before it could answer: the service's retry starts the one execution", async () => {
		await withWorkflow(['document.sent'], 0, async (runs) => {
			const { webhook } = stage.cluster;
			const { control } = stage.sandbox;
			const plots = await draft(stage.service, ['sent']);
			const passed = stage.recorder.exchanges.length;
			const delivered = () => stage.recorder.exchanges.slice(passed).filter(isDelivery);
			await stage.holdClock(async () => {
				await webhook.kill();
				await play(stage.service, plots);
				await until('the first attempt to fail', async () => delivered()[0]);
				await webhook.start();
				await control.advance(5);
			});
			const all = await runs.settled(1);
			const attempts = delivered();
			expect(attempts.map(({ status }) => status)).toEqual([502, 200]);
			expect(eventsOf(all).map(({ id }) => id)).toEqual(attempts.slice(1).map(eventIdOf));
		});
	}, 120_000);

	it('Redis restarted: what happens meanwhile runs once when it is back', async () => {
		await withWorkflow(['document.sent'], 0, async (runs) => {
			const { redis, main, webhook, workers } = stage.cluster;
			const plots = await draft(stage.service, Array<Story>(5).fill('sent'));
			const passed = stage.recorder.exchanges.length;
			await redis.kill();
			await play(stage.service, plots);
			await redis.start();
			const all = await runs.settled(5);
			const ids = eventsOf(all).map(({ id }) => id);
			expect(ids.sort()).toEqual(eventIdsOf(stage.recorder.exchanges.slice(passed)).sort());
			expect(all.map(({ status }) => status)).toEqual(Array(5).fill('success'));
			expect(
				[main.pid, ...[webhook, ...workers].map(({ pid }) => pid)].every(
					(pid) => pid !== undefined,
				),
			).toBe(true);
		});
	}, 120_000);
});
