import { until } from '../../../harness/processes/until';
import { chain, eSign, node } from '../support/nodes';
import { STAGE_TIMEOUT_MS } from '../support/stage';
import { setClusterStage, type ClusterStage } from './support/clusterStage';
import { acceptedOf, eventIdOf, eventIdsOf, isDelivery } from './support/deliveries';
import { Runs } from './support/runs';
import {
	BURST,
	BURST_EVENTS,
	countOf,
	draft,
	EVERY_EVENT,
	eventCounts,
	play,
	playInTurns,
	STORIES,
	type Plot,
	type Story,
} from './support/stories';

const TRIGGER = 'eSign Trigger';
/** As in the burst on one n8n: all workers busy, and every delivery answered in time. */
const AT_ONCE = 6;
const WAIT_SECONDS = 3;
/** Four times what one worker runs at once. */
const WAITING_RUNS = 20;

describe('The trigger on an n8n in queue mode', () => {
	let stage: ClusterStage;

	beforeAll(async () => {
		stage = await setClusterStage();
	}, STAGE_TIMEOUT_MS);
	afterAll(async () => await stage?.close());

	const happen = async (stories: Story[]) =>
		await play(stage.service, stage.sandbox.control, await draft(stage.service, stories));

	/** Publishes a workflow that starts with the trigger, runs `steps`, and takes it out of service afterwards. */
	async function withWorkflow(
		events: readonly string[],
		more: { waitSeconds?: number; downloadFiles?: string[] },
		steps: (runs: Runs, workflowId: string) => Promise<void>,
	): Promise<void> {
		const { api } = stage.cluster.main;
		const options = more.downloadFiles ? { downloadFiles: more.downloadFiles } : {};
		const trigger = eSign(TRIGGER, 'eSignTrigger', stage.credentialId, { events: [...events], options });
		const wait = node(
			'Wait',
			'n8n-nodes-base.wait',
			{ amount: more.waitSeconds ?? 0, unit: 'seconds' },
			{ typeVersion: 1.1 },
		);
		const { id } = await api.createWorkflow(chain('In a queue', more.waitSeconds ? [trigger, wait] : [trigger]));
		await api.publish(id);
		try {
			await steps(new Runs(api, id, TRIGGER), id);
		} finally {
			await api.unpublish(id);
		}
	}

	/** Ids of the executions that a process says it has run, in its log. */
	const startedOn = ({ logs }: { logs: string }) =>
		[...logs.matchAll(/Worker started execution (\d+)/g)].map(([, id]) => id);

	it(`${BURST_EVENTS} signed events of all seven types in a burst run on the two workers, each event once`, async () => {
		await withWorkflow(EVERY_EVENT, {}, async (runs) => {
			const plots = await draft(stage.service, BURST);
			const delivered = async ({ story, draft: { id } }: Plot) => {
				const wanted: number = STORIES[story].length;
				await until(`the events of ${id}`, async () =>
					acceptedOf(stage.recorder.exchanges, id).length >= wanted ? true : undefined,
				);
			};
			await playInTurns(stage.service, stage.sandbox.control, plots, AT_ONCE, delivered);
			const all = await runs.settled(BURST_EVENTS);
			const events = all.flatMap((run) => run.events);
			expect(all).toHaveLength(BURST_EVENTS);
			expect(countOf(events.map(({ event }) => event))).toEqual(eventCounts(BURST));
			expect(events.map(({ id }) => id).sort()).toEqual(eventIdsOf(stage.recorder.exchanges).sort());

			const { main, webhook, workers } = stage.cluster;
			const shares = workers.map((worker) => new Set(startedOn(worker)));
			expect(shares.every((share) => share.size > 0)).toBe(true);
			expect(all.filter(({ id }) => shares.filter((share) => share.has(id)).length !== 1)).toEqual([]);
			expect([...startedOn(main), ...startedOn(webhook)]).toEqual([]);
		});
	}, 180_000);

	it('a burst of workflows that mostly wait is through in about half the time that one worker takes', async () => {
		const [first, second] = stage.cluster.workers;
		await withWorkflow(['document.sent'], { waitSeconds: WAIT_SECONDS }, async (runs) => {
			/** From the first start to the last end, by n8n's own record. */
			const duration = async () => {
				const before = await runs.count();
				await happen(Array<Story>(WAITING_RUNS).fill('sent'));
				const burst = (await runs.settled(before + WAITING_RUNS)).slice(before);
				return (
					Math.max(...burst.map(({ stoppedAt }) => stoppedAt)) - Math.min(...burst.map(({ startedAt }) => startedAt))
				);
			};
			await second?.stop();
			const withOne = await duration();
			await second?.start();
			const withTwo = await duration();
			expect(first?.running && second?.running).toBe(true);
			expect(withTwo / withOne).toBeLessThan(0.75);
		});
	}, 180_000);

	it('a worker killed mid-run: its execution is shown as failed, none is lost or run twice, the next run elsewhere', async () => {
		await withWorkflow(['document.sent'], { waitSeconds: 10 }, async (runs) => {
			const { workers } = stage.cluster;
			await happen(['sent']);
			const running = await until('a worker to take it', async () => {
				const [execution] = await runs.list();
				return execution && workers.find((worker) => startedOn(worker).includes(execution.id));
			});
			await running.kill();
			await happen(['sent']);
			const [killed, next] = await runs.settled(2);
			expect(['error', 'crashed']).toContain(killed?.status);
			expect(next?.status).toBe('success');
			expect(await runs.count()).toBe(2);
			await running.start();
		});
	}, 120_000);

	it("the webhook process killed before it could answer: the service's retry starts the one execution", async () => {
		await withWorkflow(['document.sent'], {}, async (runs) => {
			const { webhook } = stage.cluster;
			const { control } = stage.sandbox;
			const plots = await draft(stage.service, ['sent']);
			const passed = stage.recorder.exchanges.length;
			const delivered = () => stage.recorder.exchanges.slice(passed).filter(isDelivery);
			await stage.holdClock(async () => {
				await webhook.kill();
				await play(stage.service, control, plots);
				await until('the first attempt to fail', async () => delivered()[0]);
				await webhook.start();
				await control.advance(5);
			});
			const [run] = await runs.settled(1);
			const attempts = delivered();
			expect(attempts.map(({ status }) => status)).toEqual([502, 200]);
			expect(run?.events.map(({ id }) => id)).toEqual([eventIdOf(attempts[0] as (typeof attempts)[0])]);
			expect(await runs.count()).toBe(1);
		});
	}, 120_000);

	it('Redis restarted: what happens meanwhile runs once when it is back', async () => {
		await withWorkflow(['document.sent'], {}, async (runs) => {
			const { redis, main, webhook, workers } = stage.cluster;
			const plots = await draft(stage.service, Array<Story>(5).fill('sent'));
			const passed = stage.recorder.exchanges.length;
			await redis.kill();
			await play(stage.service, stage.sandbox.control, plots);
			await redis.start();
			const all = await runs.settled(5);
			const ids = all.flatMap(({ events }) => events.map(({ id }) => id));
			expect(ids.sort()).toEqual(eventIdsOf(stage.recorder.exchanges.slice(passed)).sort());
			expect(all.map(({ status }) => status)).toEqual(Array(5).fill('success'));
			expect([main.pid, ...[webhook, ...workers].map(({ pid }) => pid)].every((pid) => pid !== undefined)).toBe(true);
		});
	}, 120_000);
});
