import type { Timestamp } from '../../../nodes/ESign/client/settings';
import { ServerClock } from '../../../nodes/ESign/client/call/serverClock';

const NOON = Date.parse('2026-11-21T12:00:00Z');
const HOUR = 3_600_000;

const dateHeader = (at: number) => new Date(at).toUTCString();

/** Both clocks of this computer, by default the same. */
const instant = (at: number, wallClock = at): Timestamp => ({ at, wallClock });

let clock: ServerClock;
beforeEach(() => {
	clock = new ServerClock();
});

describe('When a request began, by the clock of the service', () => {
	it('is known to a minute while no answer has carried a date that can be read', () => {
		clock.read('dates', undefined, instant(NOON));
		clock.read('dates', 'soon', instant(NOON));
		expect(clock.began(instant(NOON))).toEqual({ possible: NOON - 60_000, certain: NOON - 60_000 });
	});

	it.each([-30_000, -1_000, 0, 1_000, 30_000])('is known to two seconds where it is %d ms ahead of ours', (ahead) => {
		for (let millisecond = 0; millisecond < 3_000; millisecond += 150) {
			clock.read('dates', dateHeader(NOON + millisecond + ahead), instant(NOON + millisecond + 40));
		}
		const begin = NOON + 5_000;
		const { possible, certain } = clock.began(instant(begin));
		expect(possible).toBeLessThanOrEqual(begin + ahead);
		expect(possible).toBeGreaterThan(begin + ahead - 2_100);
		expect(certain).toBe(possible);
	});

	it.each([-24 * HOUR, -HOUR, HOUR, 24 * HOUR])(
		'is open between the two clocks where a date is %d ms ahead: it may be that of a proxy',
		(ahead) => {
			clock.read('dates', dateHeader(NOON + ahead), instant(NOON));
			const { possible, certain } = clock.began(instant(NOON));
			expect(possible).toBeLessThanOrEqual(Math.min(NOON, NOON + ahead));
			expect(certain).toBe(Math.max(NOON, NOON + ahead) - 1_000);
		},
	);

	it.each([-24 * HOUR, HOUR])(
		'is certain by what the service has just created, whatever a date says (%d ms), and possible by that as well',
		(ahead) => {
			clock.read('dates', dateHeader(NOON + ahead), instant(NOON));
			clock.read('created', new Date(NOON + 5 * HOUR).toISOString(), instant(NOON + 100));
			const began = clock.began(instant(NOON + 1_000));
			expect(began).toEqual({ possible: NOON + ahead, certain: NOON + 5 * HOUR - 100 });
		},
	);

	it('is never taken to be later than it is after one server of several was fast', () => {
		clock.read('dates', dateHeader(NOON + 30_000), instant(NOON));
		clock.read('dates', dateHeader(NOON + 1_000), instant(NOON + 1_000));
		expect(clock.began(instant(NOON + 1_000)).possible).toBeLessThanOrEqual(NOON + 1_000);
	});

	it('is known after the computer has slept, though one of its clocks stood still', () => {
		clock.read('dates', dateHeader(NOON), instant(NOON));
		clock.read('dates', dateHeader(NOON + 8 * HOUR), instant(NOON + 5_000, NOON + 8 * HOUR));
		const { possible, certain } = clock.began(instant(NOON + 6_000, NOON + 8 * HOUR + 1_000));
		expect(possible).toBe(NOON + 8 * HOUR);
		expect(certain).toBe(possible);
	});

	it('is not later than it was where the computer slept while the request was under way', () => {
		const sent = instant(NOON);
		clock.read('dates', dateHeader(NOON + 8 * HOUR), instant(NOON + 5_000, NOON + 8 * HOUR));
		expect(clock.began(sent).possible).toBeLessThanOrEqual(NOON);
	});
});
