import { Turns } from '../../../sandbox/pdf/turns';

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
			return index;
		};
		const results = await Promise.allSettled(Array.from({ length: 9 }, (_, index) => turns.take(work(index))));
		expect(most).toBe(2);
		expect(begun).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8]);
		expect(results.map(({ status }) => status)).toEqual(
			Array.from({ length: 9 }, (_, index) => (index % 3 === 0 ? 'rejected' : 'fulfilled')),
		);
		await expect(turns.take(async () => 'still free')).resolves.toBe('still free');
	});
});
