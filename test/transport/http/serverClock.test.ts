import { ServerClock } from '../../../nodes/ESign/transport/http/serverClock';

const NOON = Date.parse('2026-11-21T12:00:00Z');

const dateHeader = (at: number) => new Date(at).toUTCString();

describe('The clock of the service', () => {
	it('is taken to be within a minute of ours while no answer has carried a date', () => {
		const clock = new ServerClock();
		clock.read(undefined, NOON);
		clock.read('soon', NOON);
		expect(clock.notAfter(NOON)).toBe(NOON - 60_000);
	});

	it.each([-3_600_000, -1_000, 0, 1_000, 3_600_000])('that is %d ms ahead of ours is known to two seconds', (ahead) => {
		const clock = new ServerClock();
		for (let millisecond = 0; millisecond < 3_000; millisecond += 150) {
			clock.read(dateHeader(NOON + millisecond + ahead), NOON + millisecond + 40);
		}
		const begin = NOON + 5_000;
		expect(clock.notAfter(begin)).toBeLessThanOrEqual(begin + ahead);
		expect(clock.notAfter(begin)).toBeGreaterThan(begin + ahead - 2_100);
	});

	it('is never taken to be later than it is after it was put back, or one server of several was fast', () => {
		const clock = new ServerClock();
		clock.read(dateHeader(NOON + 30_000), NOON);
		clock.read(dateHeader(NOON + 1_000), NOON + 1_000);
		expect(clock.notAfter(NOON + 1_000)).toBeLessThanOrEqual(NOON + 1_000);
	});

	it('that was put forward is known again after some answers', () => {
		const clock = new ServerClock();
		clock.read(dateHeader(NOON), NOON);
		for (let answer = 1; answer <= 20; answer++) clock.read(dateHeader(NOON + 600_000), NOON);
		expect(clock.notAfter(NOON)).toBe(NOON + 599_000);
	});
});
