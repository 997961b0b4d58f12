import { largest } from '../../../sandbox/pdf/text/fitText';
import { Turns } from '../../../sandbox/pdf/turns';

describe('fitting a text into its box', () => {
	it.each([
		['fits at once', () => true, 48, 1],
		['never fits', () => false, 2, 11],
		['fits somewhere between', (size: number) => size <= 7.3, 7.3, 11],
	])('tries a bounded number of sizes when it %s', (_case, fits, expected, most) => {
		let tries = 0;
		const size = largest(2, 48, (tried) => {
			tries++;
			return fits(tried);
		});
		expect(tries).toBeLessThanOrEqual(most);
		expect(size).toBeLessThanOrEqual(expected);
		expect(expected - size).toBeLessThan(0.05);
	});
});

describe('turns', () => {
	it('are taken by so many at a time, in the order in which they came, also after one of them failed', async () => {
		const turns = new Turns(2);
		const begun: number[] = [];
		let atOnce = 0;
		let most = 0;
		const work = (index: number) => async () => {
			begun.push(index);
			most = Math.max(most, ++atOnce);
			await new Promise(setImmediate);
			atOnce--;
			if (index % 3 === 0) throw new Error(`${index} failed`);
		};
		const nine = [0, 1, 2, 3, 4, 5, 6, 7, 8];
		const results = await Promise.allSettled(nine.map((index) => turns.take(work(index))));
		expect([most, begun]).toEqual([2, nine]);
		expect(results.map(({ status }) => status === 'rejected')).toEqual(
			nine.map((index) => index % 3 === 0),
		);
		await expect(turns.take(async () => 'still free')).resolves.toBe('still free');
	});
});
