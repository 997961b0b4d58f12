import { OneAtATime, TurnTooLate } from '../../../nodes/ESign/client/pacing/oneAtATime';
import { Cancelled } from '../../../nodes/ESign/client/pacing/pause';
import { VirtualClock } from '../support/virtualClock';

let clock: VirtualClock;
let queue: OneAtATime;
let log: string[];

beforeEach(() => {
	clock = new VirtualClock();
	queue = new OneAtATime();
	log = [];
});

/** Begins a task that runs until it is told to end. */
function begin(task: string, { name = 'same', signal, deadline = Infinity }: Begun = {}) {
	let end = (): void => undefined;
	const ended = new Promise<void>((resolve) => (end = resolve));
	const done = queue.run(name, clock, { signal, deadline }, async () => {
		log.push(task);
		await ended;
	});
	return { done, end };
}
type Begun = { name?: string; signal?: AbortSignal; deadline?: number };

const turns = async () => await new Promise((resolve) => setImmediate(resolve));

describe('Tasks of one name', () => {
	it('go one after the other, also after one that was cancelled while it waited', async () => {
		const stop = new AbortController();
		const first = begin('first');
		const second = begin('second', { signal: stop.signal });
		stop.abort();
		await expect(second.done).rejects.toBeInstanceOf(Cancelled);
		const third = begin('third');
		await turns();
		expect(log).toEqual(['first']);
		first.end();
		third.end();
		await third.done;
		expect(log).toEqual(['first', 'third']);
	});

	it('go on after one that has failed', async () => {
		const free = { signal: undefined, deadline: Infinity };
		const failing = queue.run(
			'same',
			clock,
			free,
			async () => await Promise.reject(new Error('no')),
		);
		const next = begin('next');
		next.end();
		await expect(failing).rejects.toThrow('no');
		await next.done;
	});

	it('wait for their turn until their deadline', async () => {
		begin('first');
		const late = begin('late', { deadline: clock.now() + 5_000 });
		await expect(clock.run(late.done)).rejects.toBeInstanceOf(TurnTooLate);
		expect(log).toEqual(['first']);
	});

	it('of different names do not wait', async () => {
		begin('one');
		begin('other', { name: 'other' });
		await turns();
		expect(log).toEqual(['one', 'other']);
	});
});
