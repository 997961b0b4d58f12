import { until } from '../../support/processes/until';
import {
	startRecordingProxy,
	type Exchange,
	type RecordingProxy,
} from '../../support/recordingProxy';
import { setStage, STAGE_TIMEOUT_MS, type Stage } from '../support/stage';
import { deliverAgain, eventIdOf, isDelivery, untilLook } from './support/deliveries';
import { startGateway, type Gateway } from '../../support/gateway';
import { Runs } from '../support/runs';
import { BURST_EVENTS, EVERY_EVENT, expectBurst, happen, playBurst } from './support/stories';

describe('Deliveries to a real n8n: each event starts one execution', () => {
	let stage: Stage;
	/** From the service to the recorder, which stands before n8n. */
	let gateway: Gateway;
	let recorder: RecordingProxy;
	let runs: Runs;

	beforeAll(async () => {
		stage = await setStage({
			toN8n: async (n8n) => {
				recorder = await startRecordingProxy(n8n);
				return (gateway = await startGateway(() => recorder.url));
			},
		});
		runs = await Runs.ofTrigger(stage, { events: EVERY_EVENT });
		await runs.publish();
	}, STAGE_TIMEOUT_MS);
	afterAll(async () => {
		await stage?.close();
		await recorder?.close();
	});

	it(`${BURST_EVENTS} signed events of all seven types in a burst are as many executions, each event in one of them`, async () => {
		await playBurst(stage.service, recorder.exchanges);
		expectBurst(await runs.settled(BURST_EVENTS), recorder.exchanges);
	}, 180_000);

	it('one changed byte, or no signature, gets 401 and starts nothing', async () => {
		const before = await runs.count();
		const { path, headers, body } = recorder.exchanges.find(isDelivery) as Exchange;
		const unsigned = Object.entries(headers).filter(([name]) => name !== 'x-esign-signature');
		// With another id it is no repetition.
		const changed = Buffer.from(body.toString().replace('"evt_', '"evt-'));
		for (const forged of [
			{ path, headers, body: changed },
			{ path, headers: Object.fromEntries(unsigned), body },
		]) {
			expect(await deliverAgain(stage.n8n.url, forged)).toMatchObject({ status: 401 });
		}
		expect(await runs.count()).toBe(before);
	});

	describe('an answer that takes longer than the ten seconds that the service waits', () => {
		let before: number;
		let eventId: string;

		const attempts = () =>
			recorder.exchanges.filter(
				(exchange) => isDelivery(exchange) && eventIdOf(exchange) === eventId,
			);

		it('is followed by two more attempts, and neither starts anything', async () => {
			const { control } = stage.sandbox;
			before = await runs.count();
			const passed = recorder.exchanges.length;
			gateway.set('late');
			await happen(stage.service, ['sent']);
			const first = await until('the first attempt', async () =>
				recorder.exchanges.slice(passed).find(isDelivery),
			);
			eventId = eventIdOf(first);
			// The service stops waiting after 10 seconds, tries again 5 seconds later, and again 10
			// seconds after that.
			for (const [index, pause] of [5, 10].entries()) {
				await control.advance(10);
				await control.advance(pause);
				await until('the next attempt', async () => attempts()[index + 1]);
			}
			await control.advance(10);
			gateway.set('open');

			const [endpoint] = await stage.service.endpoints();
			const log = await stage.service.deliveries(endpoint?.id ?? '');
			const tried = log
				.filter(({ event_id }) => event_id === eventId)
				.sort((a, b) => a.attempt - b.attempt);
			expect(tried).toMatchObject([1, 2, 3].map((attempt) => ({ attempt, succeeded: false })));
			expect(attempts().map(({ status, answer }) => [status, answer.toString()])).toEqual([
				[200, expect.stringContaining('Accepted')],
				[200, expect.stringContaining('Ignored')],
				[200, expect.stringContaining('Ignored')],
			]);
			expect(await runs.eventIdsAfter(before, 1)).toEqual([eventId]);
		});

		it('is no missed event at the next start, although the service believes that it never arrived', async () => {
			await untilLook(stage.service, async () => await stage.n8n.restart());
			// The service counts it among the failures in a row, which one repetition ends.
			const repetition = await until('a repetition of it', async () => {
				const again = attempts()[3];
				return again?.status ? again : undefined;
			});
			expect(repetition.answer.toString()).toContain('Ignored');

			const passed = recorder.exchanges.length;
			await happen(stage.service, ['sent']);
			const next = await until('the next event', async () =>
				recorder.exchanges.slice(passed).find(isDelivery),
			);
			const ran = await until('both to run', async () => {
				const ids = await runs.eventIdsAfter(before, 2);
				return ids.length >= 2 ? ids : undefined;
			});
			expect(ran).toEqual([eventId, eventIdOf(next)]);
		});
	});
});
