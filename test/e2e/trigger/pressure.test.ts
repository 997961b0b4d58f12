import type { INode } from 'n8n-workflow';
import { startGateway, type Gateway } from '../../support/gateway';
import { until } from '../../support/processes/until';
import { forEachOf } from '../../support/serviceClient';
import { node } from '../support/nodes';
import { eventsOf, Runs } from '../support/runs';
import { setStage, STAGE_TIMEOUT_MS, type Stage } from '../support/stage';
import { WaitingRuns } from '../wait/support/waitingRuns';
import { untilLook } from './support/deliveries';
import { end, type Plot } from './support/stories';

const LIMITS = [1, 2];
const EVENTS = 60;
const WAITING = 100;

/**
 * How long one execution holds a slot, in seconds: all of them take longer than the service waits
 * for an answer.
 */
const SLOT_SECONDS = 2;

describe.each(LIMITS)('An n8n with a limit of %d executions, whose address changes', (limit) => {
	let stage: Stage;
	let before: Gateway;
	let after: Gateway;

	beforeAll(async () => {
		stage = await setStage({
			env: { N8N_CONCURRENCY_PRODUCTION_LIMIT: String(limit) },
			toN8n: async (n8n) => {
				after = await startGateway(n8n);
				return (before = await startGateway(n8n));
			},
		});
	}, STAGE_TIMEOUT_MS);
	afterAll(async () => {
		await stage?.close();
		await after?.close();
	});

	/**
	 * Somebody takes a workflow out of service, gives its node another name, and publishes it again.
	 */
	async function renameNode(runs: Runs, name: string): Promise<void> {
		const { api } = stage.n8n;
		const path = `/workflows/${runs.workflowId}`;
		await runs.end();
		const { nodes, versionId } = await api.request<{ nodes: INode[]; versionId: string }>(
			'GET',
			path,
		);
		await api.request('PATCH', path, {
			nodes: nodes.map((one) => ({ ...one, name })),
			connections: {},
			versionId,
		});
		await runs.publish();
	}

	it('runs each event once, also across a restart, and its endpoint stays on', async () => {
		const { n8n, service } = stage;
		const more = { typeVersion: 1.1, webhookId: 'hold-the-slot' };
		const wait = node(
			'Hold the slot',
			'n8n-nodes-base.wait',
			{ amount: SLOT_SECONDS, unit: 'seconds' },
			more,
		);
		const runs = await Runs.ofTrigger(stage, { events: ['document.sent'] }, [wait]);
		await runs.publish();
		const documents: string[] = [];
		await forEachOf(EVENTS, EVENTS, async (index) => {
			documents.push((await service.send(`Contract ${index}`, [`p${index}@example.com`])).id);
		});
		// Whatever n8n has not answered by then is delivered again, and n8n runs what it has stored:
		// those would run twice.
		const [endpoint] = await service.endpoints();
		await until(
			'every event to be accepted',
			async () => {
				const log = await service.deliveries(endpoint?.id ?? '');
				const arrived = new Set(
					log.filter(({ succeeded }) => succeeded).map(({ event_id }) => event_id),
				);
				return arrived.size === EVENTS ? true : undefined;
			},
			120_000,
		);
		expect((await runs.list()).some(({ status }) => status === 'new')).toBe(true);
		await untilLook(service, async () => await n8n.restart(), 120_000);
		const all = await runs.settled(EVENTS, 60_000 + EVENTS * SLOT_SECONDS * 10_000);
		// What is given again ends at once, without an item.
		expect(new Set(all.map(({ status }) => status))).toEqual(new Set(['success']));
		const ran = eventsOf(all).map(({ document }) => document.id);
		expect(ran.sort()).toEqual(documents.sort());
		expect(await service.endpoints()).toMatchObject([{ status: 'ACTIVE' }]);
		await runs.end();
	}, 900_000);

	it('wakes whoever fell asleep at the address before, and was killed, by a trigger that was renamed', async () => {
		const runs = await WaitingRuns.of(stage, 'moved');
		const plots = await forEachOf(WAITING, WAITING, async (n): Promise<Plot> => {
			const document = await stage.service.send(`Wait ${n}`, [`w${n}@example.com`]);
			return { document, story: 'completed' };
		});
		await Promise.all(plots.map(async ({ document }) => await runs.start(document.id)));
		await runs.asleep(WAITING, 400_000);
		await renameNode(runs.trigger, 'Contracts end here');
		await stage.n8n.kill();
		before.set('down');
		Object.assign(stage.n8n['settings'].env, { WEBHOOK_URL: after.url });
		await untilLook(stage.service, async () => await stage.n8n.start(), 120_000);
		await Promise.all(plots.map(async (plot) => await end(stage.service, plot)));
		await runs.expectGoneOn(plots, 400_000);
		// The one at the address before stays, and is switched off: another n8n might receive there.
		await until(
			'the endpoint to be on',
			async () => {
				const here = (await stage.service.endpoints()).filter(({ url }) =>
					url.startsWith(after.url),
				);
				return here.length > 0 && here.every(({ status }) => status === 'ACTIVE')
					? true
					: undefined;
			},
			180_000,
		);
		await runs.end();
	}, 1_200_000);
});
