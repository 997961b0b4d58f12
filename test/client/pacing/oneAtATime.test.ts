import { Cancelled, OneAtATime } from '../../../nodes/ESign/client/pacing/pause';

let queue: OneAtATime;
let log: string[];

beforeEach(() => {
	queue = new OneAtATime();
	log = [];
});

/** Begins a task that runs until it is ended. */
function begin(task: string, { name = 'same', signal }: Begun = {}) {
	let end = (): void => undefined;
	const ended = new Promise<void>((resolve) => (end = resolve));
	const work = async () => {
		log.push(task);
		await ended;
	};
	const done = queue.run(name, work, signal);
	return { done, end };
}
type Begun = { name?: string; signal?: AbortSignal };

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

	it('continue after one that has failed', async () => {
		const failing = queue.run('same', async () => await Promise.reject(new Error('no')));
		const next = begin('next');
		next.end();
		await expect(failing).rejects.toThrow('no');
		await next.done;
	});

	it('of different names do not wait', async () => {
		begin('one');
		begin('other', { name: 'other' });
		await turns();
		expect(log).toEqual(['one', 'other']);
	});
});
