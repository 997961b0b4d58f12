import { OneAtATime, TurnTooLate } from '../../../nodes/ESign/client/pacing/oneAtATime';
import { Cancelled } from '../../../nodes/ESign/client/pacing/pause';
import { VirtualClock } from '../support/virtualClock';

const FREE = { signal: undefined, deadline: Infinity };

/** A task that runs until it is told to end. */
function task(log: string[], name: string) {
	let end = (): void => undefined;
	const ended = new Promise<void>((resolve) => (end = resolve));
	const run = async () => {
		log.push(name);
		await ended;
	};
	return { run, end };
}

const turns = async () => await new Promise((resolve) => setImmediate(resolve));

describe('Tasks of one name', () => {
	it('go one after the other, also after one that was cancelled while it waited', async () => {
		const clock = new VirtualClock();
		const queue = new OneAtATime();
		const log: string[] = [];
		const first = task(log, 'first');
		const third = task(log, 'third');
		const stop = new AbortController();
		const running = queue.run('same', clock, FREE, first.run);
		const cancelled = queue.run('same', clock, { ...FREE, signal: stop.signal }, async () => void log.push('second'));
		stop.abort();
		await expect(cancelled).rejects.toBeInstanceOf(Cancelled);

		const next = queue.run('same', clock, FREE, third.run);
		await turns();
		expect(log).toEqual(['first']);
		first.end();
		await running;
		await turns();
		expect(log).toEqual(['first', 'third']);
		third.end();
		await next;
	});

	it('go on after one that has failed', async () => {
		const queue = new OneAtATime();
		const clock = new VirtualClock();
		const failing = queue.run('same', clock, FREE, async () => await Promise.reject(new Error('no')));
		const next = queue.run('same', clock, FREE, async () => 'yes');
		await expect(failing).rejects.toThrow('no');
		await expect(next).resolves.toBe('yes');
	});

	it('wait for their turn until their deadline', async () => {
		const queue = new OneAtATime();
		const clock = new VirtualClock();
		const first = task([], 'first');
		const running = queue.run('same', clock, FREE, first.run);
		const late = queue.run('same', clock, { ...FREE, deadline: clock.now() + 5_000 }, async () => 'too late');
		await expect(clock.run(late)).rejects.toBeInstanceOf(TurnTooLate);
		first.end();
		await running;
	});

	it('of different names do not wait', async () => {
		const queue = new OneAtATime();
		const clock = new VirtualClock();
		const first = task([], 'first');
		const running = queue.run('one', clock, FREE, first.run);
		await expect(queue.run('other', clock, FREE, async () => 'at once')).resolves.toBe('at once');
		first.end();
		await running;
	});
});
