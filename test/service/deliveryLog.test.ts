import fc from 'fast-check';
import { SEED, sized } from '../support/nightly';
import type { WebhookDelivery } from '../../nodes/ESign/client';
import {
	failuresInARow,
	missedEvents,
	spanOf,
	uncertainSince,
	wasSwitchedOff,
} from '../../nodes/ESign/service/deliveryLog';
import { ago, attempt, attempts } from '../trigger/support/attempts';

const NOW = Date.UTC(2026, 0, 2, 4);

beforeAll(() => void jest.useFakeTimers({ now: NOW }));
afterAll(() => jest.useRealTimers());

const ARRIVED = { succeeded: true };

/** Event and number of each attempt. */
const idsOf = (log: readonly WebhookDelivery[]) =>
	log.map((one) => `${one.event_id} ${one.attempt}`);

let LOG: WebhookDelivery[] = [];
beforeAll(() => {
	LOG = [
		attempt('late', 1, 60),
		attempt('early', 1, 90),
		attempt('early', 2, 85),
		attempt('retried', 1, 88),
		attempt('retried', 2, 83, ARRIVED),
		attempt('early', 3, 75),
		attempt('fine', 1, 70, ARRIVED),
		attempt('replayed', 1, 95, ARRIVED),
		attempt('replayed', 1, 50),
	];
});

describe('The missed events of a delivery log', () => {
	it('are those no attempt of which succeeded, oldest event first, each as its latest attempt, in whatever order', () => {
		fc.assert(
			fc.property(fc.shuffledSubarray(LOG, { minLength: LOG.length }), (log) => {
				expect(idsOf(missedEvents(log))).toEqual(['early 3', 'late 1']);
			}),
			{ seed: SEED, numRuns: sized(100, 5_000) },
		);
		expect(missedEvents([])).toEqual([]);
	});

	it('come in the order in which they occurred, not in that of their attempts', () => {
		const occurred = (age: number) => ({
			payload: { occurred_at: ago(age) } as WebhookDelivery['payload'],
		});
		const log = [attempt('second', 1, 90, occurred(100)), attempt('first', 1, 80, occurred(200))];
		expect(idsOf(missedEvents(log))).toEqual(['first 1', 'second 1']);
	});

	it.each([{ payload: null }, { payload: { occurred_at: 'soon' } }])(
		'count from their first attempt where %j does not tell',
		(unread) => {
			const changed = unread as unknown as Partial<WebhookDelivery>;
			const log = [
				attempt('second', 1, 80, changed),
				...attempts('third', 60),
				attempt('first', 1, 90, changed),
			];
			expect(idsOf(missedEvents([...log, attempt('first', 2, 50, changed)]))).toEqual([
				'first 2',
				'second 1',
				'third 1',
			]);
		},
	);

	it('are also those that arrived and may have started nothing', () => {
		const log = [attempt('one', 1, 90, ARRIVED), attempt('other', 1, 90, ARRIVED)];
		const isInDoubt = ({ event_id }: WebhookDelivery) => event_id === 'one';
		expect(idsOf(missedEvents(log, isInDoubt))).toEqual(['one 1']);
	});

	it('of one moment are in the order of the number of the attempt', () => {
		expect(idsOf(missedEvents([attempt('one', 2, 50), attempt('one', 1, 50)]))).toEqual(['one 2']);
	});
});

describe('The failures at the end of a log', () => {
	it('are counted back to the last delivery that arrived, whatever the order of the log', () => {
		expect([failuresInARow(LOG), failuresInARow([...LOG].reverse()), failuresInARow([])]).toEqual([
			2, 2, 0,
		]);
		expect(failuresInARow(attempts('one', 90, 80))).toBe(2);
	});

	it('have switched the endpoint off when there are twenty', () => {
		const twenty = Array.from({ length: 20 }, (_, age) => attempt(`event ${age}`, 1, age));
		expect(wasSwitchedOff(twenty)).toBe(true);
		expect(wasSwitchedOff([...twenty.slice(0, -1), attempt('fine', 1, 30, ARRIVED)])).toBe(false);
	});
});

describe('A log', () => {
	it('says nothing from its last delivery that arrived on, or from its first attempt if none did', () => {
		expect(uncertainSince(LOG)).toBe(ago(70));
		expect(uncertainSince([...attempts('two', 80), ...attempts('one', 90)])).toBe(ago(90));
		expect(uncertainSince([])).toBe(ago(0));
	});

	it('shows a span of time', () => {
		expect([spanOf(LOG), spanOf(attempts('one', 90)), spanOf([])]).toEqual([
			[ago(95), ago(50)],
			[ago(90), ago(90)],
			[],
		]);
	});
});
