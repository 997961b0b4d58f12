import fc from 'fast-check';
import { SEED, sized } from '../../harness/nightly';
import type { WebhookDelivery } from '../../nodes/ESign/client';
import {
	eventsToReplay,
	failuresInARow,
	isReplayRisky,
	missedEvents,
	spanOf,
	uncertainSince,
	wasSwitchedOff,
} from '../../nodes/ESign/service/deliveryLog';

const NOW = Date.UTC(2026, 0, 2, 4);

beforeEach(() => jest.useFakeTimers({ now: NOW }));
afterEach(() => jest.useRealTimers());

const ago = (seconds: number) => new Date(NOW - seconds * 1_000).toISOString();

/** One attempt to deliver an event, so many seconds ago; the event itself occurred a second before its first one. */
function attempt(event_id: string, number: number, age: number, changed: Partial<WebhookDelivery> = {}) {
	const payload = { id: event_id, occurred_at: ago(age + number) } as WebhookDelivery['payload'];
	const id = `${event_id} ${number}`;
	return {
		id,
		event_id,
		attempt: number,
		succeeded: false,
		payload,
		created_at: ago(age),
		...changed,
	} as WebhookDelivery;
}

const ARRIVED = { succeeded: true };

/** Failed attempts of one event, each so many seconds ago. */
const failed = (event_id: string, ...ages: number[]) => ages.map((age, index) => attempt(event_id, index + 1, age));

const idsOf = (log: readonly WebhookDelivery[]) => log.map(({ id }) => id);

const LOG = [
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
		const occurred = (age: number) => ({ payload: { occurred_at: ago(age) } as WebhookDelivery['payload'] });
		const log = [attempt('second', 1, 90, occurred(100)), attempt('first', 1, 80, occurred(200))];
		expect(idsOf(missedEvents(log))).toEqual(['first 1', 'second 1']);
	});

	it.each([{ payload: null }, { payload: { occurred_at: 'soon' } }])(
		'count from their first attempt where %j does not tell',
		(unread) => {
			const changed = unread as unknown as Partial<WebhookDelivery>;
			const log = [attempt('second', 1, 80, changed), ...failed('third', 60), attempt('first', 1, 90, changed)];
			expect(idsOf(missedEvents([...log, attempt('first', 2, 50, changed)]))).toEqual([
				'first 2',
				'second 1',
				'third 1',
			]);
		},
	);

	it('of one moment are told apart by the number of the attempt', () => {
		expect(idsOf(missedEvents([attempt('one', 2, 50), attempt('one', 1, 50)]))).toEqual(['one 2']);
	});
});

describe('The events to replay', () => {
	it('are those that the service has given up: after three attempts, or where it broke off itself', () => {
		const log = [...failed('given up', 30, 25, 15), ...failed('tried', 30, 25), ...failed('broken off', 61)];
		expect(idsOf(eventsToReplay([...log, ...failed('not yet', 60)]))).toEqual(['broken off 1', 'given up 3']);
	});

	it('are also those that arrived and started nothing', () => {
		const log = [attempt('one', 1, 90, ARRIVED), attempt('other', 1, 90, ARRIVED)];
		expect(idsOf(eventsToReplay(log, new Set(['one'])))).toEqual(['one 1']);
	});

	it('begin with those that no replay was made of, then the replay that is longest ago', () => {
		const log = [
			...failed('replayed late', 900, 895, 885, 100),
			...failed('replayed early', 800, 739),
			...failed('never', 700, 640),
			...failed('replayed at once', 690, 685, 675, 650),
		];
		const inTurn = ['never 2', 'replayed early 2', 'replayed at once 4', 'replayed late 4'];
		expect(idsOf(eventsToReplay(log))).toEqual(inTurn);
	});
});

describe('The failures at the end of a log', () => {
	it('are counted back to the last delivery that arrived, whatever the order of the log', () => {
		expect([failuresInARow(LOG), failuresInARow([...LOG].reverse()), failuresInARow([])]).toEqual([2, 2, 0]);
		expect(failuresInARow(failed('one', 90, 80))).toBe(2);
	});

	it('have switched the endpoint off when there are twenty', () => {
		const twenty = Array.from({ length: 20 }, (_, age) => attempt(`event ${age}`, 1, age));
		expect(wasSwitchedOff(twenty)).toBe(true);
		expect(wasSwitchedOff([...twenty.slice(0, -1), attempt('fine', 1, 30, ARRIVED)])).toBe(false);
	});

	it('forbid another replay after one has failed, when one more under way could bring them to twenty', () => {
		const eleven = Array.from({ length: 11 }, (_, n) => attempt(`other ${n}`, 1, 300 + n));
		const replayed = failed('replayed', 900, 895, 885, 100);
		expect(isReplayRisky([...replayed, ...eleven])).toBe(true);
		expect(isReplayRisky([...replayed, ...eleven.slice(1)])).toBe(false);
		expect(isReplayRisky([...failed('not replayed', 330, 325, 315), ...eleven, ...failed('another', 320)])).toBe(false);
		expect(isReplayRisky([...replayed, ...eleven, attempt('fine', 1, 100, ARRIVED)])).toBe(false);
		expect(isReplayRisky([...replayed, ...eleven, attempt('fine', 1, 950, ARRIVED)])).toBe(true);
	});
});

describe('A log', () => {
	it('says nothing from its last delivery that arrived on, or from its first attempt if none did', () => {
		expect(uncertainSince(LOG)).toBe(ago(70));
		expect(uncertainSince([...failed('two', 80), ...failed('one', 90)])).toBe(ago(90));
		expect(uncertainSince([])).toBe(ago(0));
	});

	it('shows a span of time', () => {
		expect([spanOf(LOG), spanOf(failed('one', 90)), spanOf([])]).toEqual([[ago(95), ago(50)], [ago(90), ago(90)], []]);
	});
});
