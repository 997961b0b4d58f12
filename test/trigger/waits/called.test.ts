import type { Reply } from '../../../nodes/ESign/messages/message';
import { Waker, wakeResultOf, type WakeResult } from '../../../nodes/ESign/trigger/waits/wake';
import { WebResponse } from '../support/webResponse';
import { turns, Wire } from '../support/wire';

let wire: Wire;
beforeEach(() => void (wire = new Wire()));

/** What a look does for those who wait. */
async function look(signal?: AbortSignal): Promise<void> {
	await new Waker(wire.context, Wire.URL, wire.state).wakeEnded(signal);
	await turns();
}

/** What a message does for them, once it is answered. */
async function message(): Promise<void> {
	const response = new WebResponse();
	new Waker(wire.context, Wire.URL, wire.state).wakeDueAfter(response);
	response.close();
	await turns();
}

describe('Executions that a look finds through', () => {
	it('are called ten at a time, after the deliveries that are under way, and also if the trigger is published again', async () => {
		const published = new AbortController();
		let accept = () => {};
		wire.state.starts.set('evt_1', new Promise((resolve) => (accept = () => resolve(true))));
		for (let n = 0; n < 12; n++) wire.waitFor(String(n), 'doc_ended');
		await look(published.signal);
		expect([wire.woken, wire.process.calls.size]).toEqual([[], 10]);
		published.abort();
		accept();
		await turns();
		expect(new Set(wire.woken).size).toBe(12);
	});

	it('and that n8n 1.x says it resumes are called until that is over, or they sleep again', async () => {
		wire.waitFor('7', 'doc_ended');
		Object.assign(wire, { timesBusy: 9, open: [] });
		await look();
		expect([wire.woken.length, wire.state.waits.all()]).toEqual([10, []]);
		wire.waitFor('8', 'doc_ended');
		Object.assign(wire, { timesBusy: 1, open: ['doc_open'] });
		await look();
		expect(wire.state.waits.all()).toMatchObject([{ id: 'k8', documents: ['doc_open'] }]);
	});

	it('and that sleep on for another document are woken by that one', async () => {
		wire.waitFor('7', 'doc_ended');
		wire.open = ['doc_open'];
		await look();
		expect(wire.state.waits.get('k7')?.documents).toEqual(['doc_open']);
	});

	it('and that say they sleep on are believed the fourth time, also where n8n did not answer before', async () => {
		wire.waitFor('7', 'doc_ended');
		wire.open = ['doc_ended'];
		wire.nextAnswers.push(false, false, false);
		await look();
		expect(wire.woken).toHaveLength(4);
	});

	it('and that were called in vain are called again by a look, or when they have slept on since, and by no message', async () => {
		wire.waitFor('7');
		wire.isReachable = false;
		await message();
		const tries = wire.logged.length;
		wire.isReachable = true;
		await message();
		expect([tries, wire.woken]).toEqual([2, []]);
		wire.open = ['doc_open'];
		await look();
		wire.state.waits.countDown(() => true);
		wire.open = [];
		const { length } = wire.woken;
		await message();
		expect(wire.woken).toHaveLength(length + 1);
	});

	it('and that a process cannot call are named, and called by a later look', async () => {
		wire.waitFor('7');
		new Waker(wire.context, 'n8n.example.com/webhook', wire.state).wake(wire.state.waits.all());
		await turns();
		expect(wire.logged[0]).toMatch(/warn: eSign: execution 7 could not be woken: Invalid/);
		await look();
		expect(wire.woken).toContain('k7');
	});

	it('and that say again that they wait are called by the next message', async () => {
		wire.waitFor('7');
		const { waits } = wire.state;
		wire.isReachable = false;
		await message();
		wire.isReachable = true;
		for (const wait of waits.all()) waits.register({ ...wait, documents: ['doc_ended'] });
		await message();
		expect(new Set(wire.woken)).toEqual(new Set(['k7']));
	});

	it('are looked for in no list that does not end', async () => {
		for (let n = 0; n < 20; n++) wire.waitFor(String(n), `doc_${n}`);
		const page = { data: [], has_more: true, next_cursor: 'same' };
		wire.during = () => ({ statusCode: 200, body: page });
		await expect(look()).rejects.toThrow('The list of the service does not end');
		expect(wire.requests).toHaveLength(2);
	});

	it('are called where their documents lie behind all newer ones, and ask the service themselves', async () => {
		wire.waitFor('7', 'doc_old');
		wire.waitFor('8', 'doc_new');
		const page = { data: [{ id: 'doc_new' }], has_more: true, next_cursor: 'more' };
		wire.during = () => ({ statusCode: 200, body: page });
		await look();
		expect(wire.requests).toEqual(['GET /documents']);
		expect(wire.state.waits.all().map(({ documents }) => documents)).toEqual([
			['doc_old'],
			['doc_new'],
		]);
		expect(new Set(wire.woken)).toEqual(new Set(['k7']));
	});
});

// n8n says `code` and `message`; whatever else stands in front of it may say either.
it.each<[WakeResult['kind'], number, object]>([
	['over', 404, { code: 404, message: 'The execution "7" does not exist.' }],
	['over', 409, { code: 409, message: 'The execution "7" has finished already.' }],
	['over', 307, {}],
	['running', 409, { code: 409, message: 'The execution "7" is running already.' }],
	['unclear', 404, { message: 'The page does not exist' }],
	['unclear', 404, { code: 404 }],
	['unclear', 500, { code: 500, message: 'Something else' }],
	['unclear', 200, {}],
])('The call of an execution comes to "%s" by an answer %d %j', (kind, status, body) => {
	expect(wakeResultOf({ status, body } as Reply).kind).toBe(kind);
});

it.each([
	[500, 'it answered 500, and not as this n8n would'],
	[404, 'it answered 404, and not as this n8n would'],
])('Why the call of an execution is unclear is said of an answer %d', (status, why) => {
	expect(wakeResultOf({ status })).toEqual({ kind: 'unclear', why });
});
