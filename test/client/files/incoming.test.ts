import { Incoming, type Body } from '../../../nodes/ESign/client/files/incoming';

const STALL_MS = 30_000;

let over: AbortController;

/** Half a minute passes. */
let pass: () => void;

beforeEach(() => {
	over = new AbortController();
	jest.spyOn(AbortSignal, 'timeout').mockImplementation(() => {
		const time = new AbortController();
		pass = () => time.abort();
		return time.signal;
	});
});
afterEach(() => jest.restoreAllMocks());

/** A body of which so many bytes come, and nothing more. */
function incoming(size: number): Incoming {
	const chunks = async function* () {
		if (size > 0) yield Buffer.alloc(size);
		await new Promise((resolve) => over.signal.addEventListener('abort', resolve));
	};
	return new Incoming(Object.assign(chunks(), { on: () => undefined }) as Body, STALL_MS, over);
}

describe('A body that comes slowly', () => {
	it.each([
		[0, 'the file stopped coming'],
		[30 * 1024 - 1, 'the file came at less than 1 kB a second'],
		[30 * 1024, undefined],
	])('of which %d bytes came in half a minute is given up: %s', async (size, words) => {
		const body = incoming(size).chunks(1e9, () => new Error('too long'));
		if (size > 0) await body.next();
		const more = body.next();
		await new Promise(setImmediate);
		pass();
		expect(over.signal.reason).toBe(words);
		// Nothing comes in the next half minute.
		pass();
		expect(over.signal.aborted).toBe(true);
		await more;
	});

	it('is not given up while nobody wants more of it', async () => {
		const body = incoming(1).chunks(1e9, () => new Error('too long'));
		pass();
		await body.next();
		pass();
		expect(over.signal.aborted).toBe(false);
	});
});
