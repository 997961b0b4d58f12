import { RateWindow, type RateReading } from '../../../nodes/ESign/client/pacing/rateWindow';

/**
 * A minute with ten requests, read by a request that was sent and answered at the same time unless
 * it says otherwise.
 */
function reading(at: number, changed: Partial<RateReading> = {}): RateReading {
	return { limit: 10, remaining: 5, resetSeconds: 30, sentAt: at, receivedAt: at, ...changed };
}

function windowAfter(...readings: RateReading[]): RateWindow {
	const window = new RateWindow();
	for (const one of readings) window.read(one);
	return window;
}

/**
 * A request of ours was the first of the window, and was answered: it ends sixty seconds after
 * that.
 */
const OPENED = reading(0, { remaining: 9, resetSeconds: 60 });

const GO = { waitMs: 0, alone: false };
const PROBE = { waitMs: 0, alone: true };
const waits = (waitMs: number) => ({ waitMs, alone: false });

describe('The rate window of a key', () => {
	it('before the first answer, requests go one at a time', () => {
		const window = new RateWindow();
		expect(window.verdict(0, 0)).toEqual(PROBE);
		expect(window.limit).toBeUndefined();
		expect(window.endsAt).toBe(0);
	});

	it('lets as many go as remain, those under way included', () => {
		const window = windowAfter(reading(0));
		expect(window.limit).toBe(10);
		expect(window.verdict(1, 4)).toEqual(GO);
		expect(window.verdict(1, 5)).toEqual(waits(30_999));
	});

	it('a window of ours ends exactly when its first reading says', () => {
		const window = windowAfter(
			{ ...OPENED, receivedAt: 40 },
			reading(1_000, { remaining: 0, resetSeconds: 60 }),
		);
		expect(window.endsAt).toBe(60_040);
		expect(window.verdict(60_039, 0)).toEqual(waits(1));
		expect(window.verdict(60_040, 0)).toEqual(PROBE);
	});

	it('a window of others ends as late as its first reading allows', () => {
		const window = windowAfter(reading(0), reading(10_000, { resetSeconds: 19 }));
		expect(window.endsAt).toBe(31_000);
	});

	it('answers that overtake each other: the lowest number that remains counts', () => {
		const window = windowAfter(OPENED, reading(100, { remaining: 6, resetSeconds: 60 }));
		window.read(reading(50, { remaining: 8, resetSeconds: 60, receivedAt: 200 }));
		expect(window.verdict(300, 5)).toEqual(GO);
		expect(window.verdict(300, 6)).toEqual(waits(59_700));
	});

	it('more remains than before, to a request sent after the last answer: that is a new window', () => {
		const window = windowAfter(
			reading(0, { remaining: 2 }),
			reading(1_000, { remaining: 7, resetSeconds: 25 }),
		);
		expect(window.verdict(1_001, 6)).toEqual(GO);
		expect(window.endsAt).toBe(27_000);
	});

	it.each([
		['sent when the window was over', reading(31_000, { remaining: 5, resetSeconds: 1 })],
		[
			'of a window that cannot end before that one',
			reading(15_000, { remaining: 1, resetSeconds: 17 }),
		],
	])('a reading %s is of a new window', (_, next) => {
		const window = windowAfter(reading(0, { remaining: 0 }));
		window.read(next);
		expect(window.verdict(next.receivedAt, 0)).toEqual(GO);
	});

	it('an answer that was long under way speaks of the window before, and does not spoil this one', () => {
		const window = windowAfter(OPENED, reading(61_000, { remaining: 9, resetSeconds: 60 }));
		window.read(reading(59_000, { remaining: 0, resetSeconds: 1, receivedAt: 62_000 }));
		expect(window.verdict(62_000, 8)).toEqual(GO);
	});

	describe('a request without an answer', () => {
		it('may have been counted', () => {
			const window = windowAfter(reading(0, { remaining: 1 }));
			window.readNothing();
			expect(window.verdict(600, 0)).toEqual(waits(30_400));
		});

		it('says nothing where no window is known', () => {
			const window = new RateWindow();
			window.readNothing();
			expect(window.verdict(1, 0)).toEqual(PROBE);
		});
	});

	describe('an answer without rate headers', () => {
		it('means that no limit is in force', () => {
			const window = new RateWindow();
			window.readNoLimit(0);
			expect(window.verdict(1, 500)).toEqual(GO);
		});

		it('is a gap in the headers while a named window lasts, and one request of it', () => {
			const window = windowAfter(reading(0, { remaining: 1 }));
			window.readNoLimit(30_999);
			expect(window.verdict(30_999, 0)).toEqual(waits(1));
			window.readNoLimit(31_000);
			expect(window.verdict(31_000, 500)).toEqual(GO);
			expect(window.endsAt).toBe(0);
		});

		it('ends when a limit is named again', () => {
			const window = new RateWindow();
			window.readNoLimit(0);
			window.read(reading(1, { remaining: 0 }));
			expect(window.verdict(2, 0)).toEqual(waits(30_999));
		});
	});

	describe('a refusal', () => {
		const refusal = (at: number, resetSeconds: number, changed: Partial<RateReading> = {}) =>
			reading(at, { remaining: 0, resetSeconds, isRefusal: true, ...changed });

		it('keeps away for as long as it says', () => {
			const window = windowAfter(refusal(0, 20, { receivedAt: 50 }));
			expect(window.verdict(50, 0)).toEqual(waits(20_000));
			expect(window.verdict(20_050, 0)).toEqual(PROBE);
		});

		it('of no seconds keeps away for the second that rounding leaves out', () => {
			expect(windowAfter(refusal(0, 0)).verdict(0, 0)).toEqual(waits(1_000));
		});

		it('names no limit: the one that is known stays', () => {
			const window = windowAfter(reading(0), refusal(1, 20, { limit: NaN }));
			expect(window.limit).toBe(10);
		});

		it('an earlier answer that comes after it does not shorten it', () => {
			const window = windowAfter(
				refusal(1_000, 20),
				reading(500, { remaining: 3, resetSeconds: 19, receivedAt: 1_500 }),
			);
			expect(window.verdict(1_500, 0)).toEqual(waits(19_500));
		});

		describe('when the window of ours should be over: the service rounds down', () => {
			it.each([0, 1])(
				'%d s left, and every window is given one second more from then on',
				(seconds) => {
					const window = windowAfter(OPENED, refusal(60_000, seconds));
					expect(window.endsAt).toBe(61_000 + seconds * 1000);
					window.read(reading(62_000, { remaining: 9, resetSeconds: 60 }));
					expect(window.endsAt).toBe(123_000);
				},
			);

			it.each([
				['more than a second is left', OPENED, refusal(60_000, 2)],
				['the window was not over', OPENED, refusal(59_999, 1)],
			])('but not where %s', (_, opening, refused) => {
				const window = windowAfter(opening, refused);
				expect(window.endsAt).toBe(refused.receivedAt + refused.resetSeconds * 1000);
				window.read(reading(100_000, { remaining: 9, resetSeconds: 60 }));
				expect(window.endsAt).toBe(160_000);
			});
		});
	});
});
