import { isDuplicate, mergeSeen } from '../../../nodes/ESign/trigger/delivery/deduplication';
import { memoryOf } from '../../../nodes/ESign/trigger/endpoint/memory';

const NOW = 1_767_323_045_000;

describe('An event', () => {
	it('is a repetition for five minutes after it was accepted, and then runs again', () => {
		const seen = [{ id: 'evt_1', at: NOW }];
		expect(isDuplicate(seen, 'evt_1', NOW)).toBe(true);
		expect(isDuplicate(seen, 'evt_1', NOW + 300_000)).toBe(true);
		expect(isDuplicate(seen, 'evt_1', NOW + 300_001)).toBe(false);
		expect(isDuplicate(seen, 'evt_2', NOW)).toBe(false);
	});

	it('accepted again counts from then on', () => {
		const seen = mergeSeen(10, [{ id: 'evt_1', at: NOW + 400_000 }], [{ id: 'evt_1', at: NOW }]);
		expect(seen).toEqual([{ id: 'evt_1', at: NOW + 400_000 }]);
		expect(isDuplicate(seen, 'evt_1', NOW + 500_000)).toBe(true);
	});
});

describe('The list of accepted events', () => {
	it('keeps the newest of several lists, oldest first, each once', () => {
		const a = [1, 3, 5].map((n) => ({ id: `evt_${n}`, at: NOW + n }));
		const b = [2, 3, 4].map((n) => ({ id: `evt_${n}`, at: NOW + n }));
		expect(mergeSeen(3, a, b).map(({ id }) => id)).toEqual(['evt_3', 'evt_4', 'evt_5']);
	});
});

describe('The memory of the process', () => {
	it('gives an event to exactly one of many deliveries at once, and tells the others what became of it', async () => {
		const memory = memoryOf('burst');
		const claims = Array.from({ length: 50 }, () => memory.claim('evt_1', NOW));
		expect(claims.filter(({ first }) => first)).toHaveLength(1);
		const [winner, ...others] = claims;
		if (winner?.first) winner.settle(true);
		const outcomes = await Promise.all(others.map(async (claim) => (claim.first ? undefined : await claim.accepted)));
		expect(new Set(outcomes)).toEqual(new Set([true]));
	});

	it('gives an event away again that was not accepted', async () => {
		const memory = memoryOf('failed');
		const first = memory.claim('evt_1', NOW);
		const second = memory.claim('evt_1', NOW);
		if (first.first) first.settle(false);
		expect(second.first ? undefined : await second.accepted).toBe(false);
		expect(memory.claim('evt_1', NOW).first).toBe(true);
	});

	it('gives an event away again after five minutes', () => {
		const memory = memoryOf('later');
		expect(memory.claim('evt_1', NOW).first).toBe(true);
		expect(memory.claim('evt_1', NOW + 300_000).first).toBe(false);
		expect(memory.claim('evt_1', NOW + 300_001).first).toBe(true);
	});

	it('is bounded, in events and in triggers, and forgets the oldest first', () => {
		const memory = memoryOf('bounded');
		for (let n = 0; n < 6_000; n++) memory.claim(`evt_${n}`, NOW);
		expect(memory.claim('evt_0', NOW).first).toBe(true);
		expect(memory.claim('evt_5999', NOW).first).toBe(false);
		for (let n = 0; n < 1_000; n++) memoryOf(`other ${n}`);
		expect(memoryOf('bounded')).not.toBe(memory);
	});

	it('keeps apart what is under way, what was accepted, and what the service knows to be accepted', () => {
		const memory = memoryOf('stages');
		for (const id of ['evt_1', 'evt_2', 'evt_3']) {
			const claim = memory.claim(id, NOW);
			if (claim.first && id !== 'evt_1') claim.settle(true);
		}
		memory.markAnswered('evt_3');
		expect(memory.accepted().map(({ id }) => id)).toEqual(['evt_2', 'evt_3']);
		expect(memory.answered(10).map(({ id }) => id)).toEqual(['evt_3']);
		const newer = memory.claim('evt_4', NOW);
		if (newer.first) newer.settle(true);
		expect(memory.answered(1)).toEqual([]);
	});

	it('keeps two triggers apart', () => {
		expect(memoryOf('a').claim('evt_1', NOW).first).toBe(true);
		expect(memoryOf('b').claim('evt_1', NOW).first).toBe(true);
	});
});
