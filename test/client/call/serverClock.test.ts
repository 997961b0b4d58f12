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
		clock.read(undefined, instant(NOON));
		clock.read('soon', instant(NOON));
		expect(clock.began(instant(NOON))).toEqual({ possible: NOON - 60_000, certain: NOON - 60_000 });
	});

	it.each([-30_000, -1_000, 0, 1_000, 30_000])(
		'is known to two seconds where it is %d ms ahead of ours',
		(ahead) => {
			for (let millisecond = 0; millisecond < 3_000; millisecond += 150) {
				clock.read(dateHeader(NOON + millisecond + ahead), instant(NOON + millisecond + 40));
			}
			const begin = NOON + 5_000;
			const { possible, certain } = clock.began(instant(begin));
			expect(possible).toBeLessThanOrEqual(begin + ahead);
			expect(possible).toBeGreaterThan(begin + ahead - 2_100);
			expect(certain).toBe(possible);
		},
	);

	it.each([-24 * HOUR, -HOUR, HOUR, 24 * HOUR])(
		'is open between the two clocks where a date is %d ms ahead: it may be that of a proxy',
		(ahead) => {
			clock.read(dateHeader(NOON + ahead), instant(NOON));
			const { possible, certain } = clock.began(instant(NOON));
			expect(possible).toBeLessThanOrEqual(Math.min(NOON, NOON + ahead));
			expect(certain).toBe(Math.max(NOON, NOON + ahead) - 1_000);
		},
	);

	it.each([-48, -0.1, 0.1, 2])(
		'goes by its last answer where it was set by %d hours in between',
		(hours) => {
			clock.read(dateHeader(NOON), instant(NOON));
			clock.read(dateHeader(NOON + hours * HOUR), instant(NOON));
			expect(clock.began(instant(NOON)).possible).toBe(NOON + Math.min(0, hours) * HOUR - 1_000);
		},
	);

	it('is known after the computer has slept, though one of its clocks stood still', () => {
		clock.read(dateHeader(NOON), instant(NOON));
		clock.read(dateHeader(NOON + 8 * HOUR), instant(NOON + 5_000, NOON + 8 * HOUR));
		const { possible, certain } = clock.began(instant(NOON + 6_000, NOON + 8 * HOUR + 1_000));
		expect(possible).toBe(NOON + 8 * HOUR);
		expect(certain).toBe(possible);
	});

	it('is not later than it was where the computer slept while the request was under way', () => {
		const sent = instant(NOON);
		clock.read(dateHeader(NOON + 8 * HOUR), instant(NOON + 5_000, NOON + 8 * HOUR));
		expect(clock.began(sent).possible).toBeLessThanOrEqual(NOON);
	});
});
