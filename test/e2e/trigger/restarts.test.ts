import { until } from '../../support/processes/until';
import { startRecordingProxy, type RecordingProxy } from '../../support/recordingProxy';
import { setStage, STAGE_TIMEOUT_MS, type Stage } from '../support/stage';
import { deliverAgain, eventIdOf, eventIdsOf, isDelivery, untilLook } from './support/deliveries';
import { startGateway, type Gateway } from '../../support/gateway';
import { Runs } from '../support/runs';
import { draft, EVERY_EVENT, happen, play, STORIES, type Story } from './support/stories';

describe('What a real n8n misses while it is down, and what it must not do twice', () => {
	let stage: Stage;
	/** Between the service and n8n; answers 502 while n8n is down. */
	let recorder: RecordingProxy;
	/** Between n8n and the service. */
	let gateway: Gateway;
	let runs: Runs;

	beforeAll(async () => {
		stage = await setStage({
			toN8n: async (n8n) => (recorder = await startRecordingProxy(n8n)),
			toService: async (service) => (gateway = await startGateway(service)),
		});
		runs = await Runs.ofTrigger(stage, { events: EVERY_EVENT });
		await runs.publish();
	}, STAGE_TIMEOUT_MS);
	afterAll(async () => await stage?.close());

	/** One event, accepted by n8n. */
	async function acceptedEvent(): Promise<RecordingProxy['exchanges'][number]> {
		const passed = recorder.exchanges.length;
		await happen(stage.service, ['sent']);
		return await until('the delivery', async () =>
			recorder.exchanges
				.slice(passed)
				.find((exchange) => exchange.status === 200 && isDelivery(exchange)),
		);
	}

	async function theEndpoint(): Promise<{ id: string; url: string; status: string }> {
		const endpoints = await stage.service.endpoints();
		expect(endpoints).toHaveLength(1);
		return endpoints[0] as { id: string; url: string; status: string };
	}

	describe('forty events fall due while n8n is dead, more than the service bears', () => {
		let before: number;
		let oldId: string;
		let lost: string[];
		let began: string;
		let ended: string;

		it('it switches the endpoint off, and drops what comes after', async () => {
			await acceptedEvent();
			before = (await runs.settled(1)).length;
			oldId = (await theEndpoint()).id;
			const plots = await draft(stage.service, Array<Story>(10).fill('completed'));
			await stage.n8n.kill();
			began = new Date().toISOString();
			await play(stage.service, plots);
			ended = new Date().toISOString();
			expect(plots.length * STORIES.completed.length).toBe(40);
			expect(await theEndpoint()).toMatchObject({ id: oldId, status: 'DISABLED' });
			const log = await stage.service.deliveries(oldId);
			lost = [
				...new Set(log.filter(({ succeeded }) => !succeeded).map(({ event_id }) => event_id)),
			];
			expect(lost.length).toBeGreaterThanOrEqual(20);
		});

		it('the trigger is back with one active endpoint, runs what the log shows, and gets the next event', async () => {
			await stage.n8n.start();
			await until('another endpoint', async () => {
				const ids = (await stage.service.endpoints()).map(({ id }) => id);
				return ids.length === 1 && !ids.includes(oldId) ? ids : undefined;
			});
			expect(await theEndpoint()).toMatchObject({ status: 'ACTIVE' });
			const next = eventIdOf(await acceptedEvent());
			const ran = await runs.eventIdsAfter(before, lost.length + 1);
			expect(ran.sort()).toEqual([...lost, next].sort());
		});

		it('every event of the old delivery log has run once, without a replay, and none is called lost', async () => {
			const requests = await stage.sandbox.control.requests();
			expect(requests.filter(({ path }) => path.endsWith('/replay'))).toEqual([]);
			expect(stage.n8n.logs).not.toContain('was not run');
		});

		it("n8n's log names the span to reconcile, and everything that happened is within", () => {
			const span = /changed between (\S+Z) and (\S+Z)/.exec(stage.n8n.logs);
			const [since = '', until = ''] = span?.slice(1) ?? [];
			expect([since <= began, until >= ended]).toEqual([true, true]);
		});
	});

	describe('six events fall due while n8n is dead', () => {
		it('all six arrive after its next start, each once', async () => {
			const before = await runs.count();
			const delivered = eventIdsOf(recorder.exchanges).length;
			const plots = await draft(stage.service, ['completed', 'cancelled']);
			await stage.n8n.kill();
			await play(stage.service, plots);
			await stage.sandbox.control.advance(20);
			const missed = eventIdsOf(recorder.exchanges).slice(delivered);
			expect(missed).toHaveLength(6);
			const log = await stage.service.deliveries((await theEndpoint()).id);
			expect(log.filter(({ event_id }) => missed.includes(event_id))).toHaveLength(18);
			expect(await theEndpoint()).toMatchObject({ status: 'ACTIVE' });

			await stage.n8n.start();
			const ids = await runs.eventIdsAfter(before, 6);
			expect(ids.sort()).toEqual([...missed].sort());
		});

		it('and none of them again at the start after that, nor what was accepted and repeated just before a SIGKILL', async () => {
			const delivery = await acceptedEvent();
			expect(await deliverAgain(stage.n8n.url, delivery)).toMatchObject({ status: 200 });
			// What a kill cuts off has not run.
			const [{ length: before }, endpoint] = [await runs.settled(1), await theEndpoint()];
			await stage.n8n.kill();
			await untilLook(stage.service, async () => await stage.n8n.start());
			// The process does not know of it, n8n's memory does: the execution ends at once.
			const again = await deliverAgain(stage.n8n.url, delivery);
			expect(again.status).toBe(200);
			const next = eventIdOf(await acceptedEvent());
			expect(await runs.eventIdsAfter(before, 2)).toEqual([next]);
			expect(await theEndpoint()).toEqual(endpoint);
		});
	});

	describe('the service is down while the workflow is taken out of service', () => {
		it("n8n's own clean-up continues: the workflow is unpublished", async () => {
			gateway.set('down');
			await runs.end();
			expect(await stage.n8n.api.isPublished(runs.workflowId)).toBe(false);
			expect(stage.n8n.logs).toMatch(/eSign: webhook whk_\S+ could not be deleted/);
			gateway.set('open');
			await theEndpoint();
		});

		it('published again, it has one endpoint, and not the one that was left behind', async () => {
			const left = await theEndpoint();
			await runs.publish();
			// What is replaced goes once its delivery log was run.
			expect((await until('one endpoint', theEndpoint)).id).not.toBe(left.id);
			const next = eventIdOf(await acceptedEvent());
			expect((await runs.eventIdsAfter(0, 1)).at(-1)).toBe(next);
		});

		it('taken out of service with the service up, it has none', async () => {
			await runs.end();
			expect(await stage.service.endpoints()).toEqual([]);
		});
	});
});
