import { freePort } from '../../../harness/n8nServer/server';
import { until } from '../../../harness/processes/until';
import { startRecordingProxy, type RecordingProxy } from '../../../harness/recordingProxy';
import { setStage, STAGE_TIMEOUT_MS, type Stage } from '../support/stage';
import { acceptedOf, deliveryLog, eventIdOf, eventIdsOf, isDelivery, startAndCheck } from './support/deliveries';
import { startGateway, type Gateway } from '../../../harness/gateway';
import { publishForEveryEvent, type Runs } from './support/runs';
import {
	BURST,
	BURST_EVENTS,
	countOf,
	draft,
	eventCounts,
	play,
	playInTurns,
	STORIES,
	type Plot,
} from './support/stories';

/**
 * Documents that move at once in the burst, with up to four deliveries each: more than n8n can take up at a time, and few
 * enough to be answered within the ten seconds that the service waits. On two cores n8n starts some ten executions a
 * second: of 200 deliveries in one instant the last would be too late, whatever the trigger does.
 */
const AT_ONCE = 6;

describe('Deliveries to a real n8n: each event starts one execution', () => {
	let stage: Stage;
	/** From the service to the recorder, which stands before n8n. */
	let gateway: Gateway;
	let recorder: RecordingProxy;
	let runs: Runs;

	beforeAll(async () => {
		const port = await freePort();
		recorder = await startRecordingProxy(() => `http://127.0.0.1:${port}`);
		gateway = await startGateway(() => recorder.url);
		stage = await setStage({ port, env: { WEBHOOK_URL: gateway.url } });
		({ runs } = await publishForEveryEvent(stage));
	}, STAGE_TIMEOUT_MS);
	afterAll(async () => {
		await stage?.close();
		await gateway?.close();
		await recorder?.close();
	});

	/** Resolves when n8n has accepted every event of this document. */
	const delivered = async ({ story, draft: { id } }: Plot) => {
		const wanted: number = STORIES[story].length;
		await until(`the events of ${id}`, async () =>
			acceptedOf(recorder.exchanges, id).length >= wanted ? true : undefined,
		);
	};

	it(`${BURST_EVENTS} signed events of all seven types in a burst are as many executions, each event in one of them`, async () => {
		const plots = await draft(stage.service, BURST);
		await playInTurns(stage.service, stage.sandbox.control, plots, AT_ONCE, delivered);
		const received = (await runs.settled(BURST_EVENTS)).flatMap(({ events }) => events);
		expect(await runs.count()).toBe(BURST_EVENTS);
		expect(countOf(received.map(({ event }) => event))).toEqual(eventCounts(BURST));
		expect(received.map(({ id }) => id).sort()).toEqual(eventIdsOf(recorder.exchanges).sort());
		expect(new Set(received.map(({ documentId }) => documentId))).toEqual(new Set(plots.map((plot) => plot.draft.id)));
	}, 180_000);

	describe('an answer that takes longer than the ten seconds that the service waits', () => {
		let before: number;
		let eventId: string;

		const attempts = () =>
			recorder.exchanges.filter((exchange) => isDelivery(exchange) && eventIdOf(exchange) === eventId);

		it('is followed by two more attempts, and neither starts anything', async () => {
			const { control } = stage.sandbox;
			before = await runs.count();
			const passed = recorder.exchanges.length;
			gateway.set('late');
			await play(stage.service, control, await draft(stage.service, ['sent']));
			const first = await until('the first attempt', async () => recorder.exchanges.slice(passed).find(isDelivery));
			eventId = eventIdOf(first);
			// The service stops waiting after 10 seconds, tries again 5 seconds later, and again 10 seconds after that.
			for (const [index, pause] of [5, 10].entries()) {
				await control.advance(10);
				await control.advance(pause);
				await until('the next attempt', async () => attempts()[index + 1]);
			}
			await control.advance(10);
			gateway.set('open');

			const [endpoint] = await stage.service.endpoints();
			const log = await deliveryLog(stage.service, endpoint?.id ?? '');
			const tried = log.filter(({ event_id }) => event_id === eventId).sort((a, b) => a.attempt - b.attempt);
			expect(tried).toMatchObject([1, 2, 3].map((attempt) => ({ attempt, succeeded: false })));
			expect(attempts().map(({ status, answer }) => [status, answer.toString()])).toEqual([
				[200, expect.stringContaining('Accepted')],
				[200, expect.stringContaining('Ignored')],
				[200, expect.stringContaining('Ignored')],
			]);
			expect(await runs.eventIdsAfter(before, 1)).toEqual([eventId]);
		});

		it('is no missed event at the next start, although the service believes that it never arrived', async () => {
			await startAndCheck(stage.sandbox.control, async () => await stage.n8n.restart());
			const passed = recorder.exchanges.length;
			await play(stage.service, stage.sandbox.control, await draft(stage.service, ['sent']));
			const next = await until('the next event', async () => recorder.exchanges.slice(passed).find(isDelivery));
			const requests = await stage.sandbox.control.requests();
			expect(requests.filter(({ path }) => path.endsWith('/replay'))).toEqual([]);
			expect(await runs.eventIdsAfter(before, 2)).toEqual([eventId, eventIdOf(next)]);
		});
	});
});
