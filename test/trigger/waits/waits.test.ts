import { randomUUID } from 'node:crypto';
import { forEachOf } from '../../../harness/serviceClient';
import { newMessage, seal, unseal, type Answer, type WaitRequest } from '../../../nodes/ESign/waiting/message';
import { storedWaits, WaitStage } from '../../actions/support/waitStage';
import { deliver } from '../support/deliveries';
import { clock, storedOf, type StoredWorkflow } from '../support/n8nInstance';

const stage = WaitStage.ofThisFile();
let workflow: StoredWorkflow;

beforeEach(async () => {
	workflow = await stage.n8n.publish();
});

/** Tells the trigger of an execution that waits, as a node of this n8n does, and resolves with what it makes of that. */
async function tell(request: Partial<WaitRequest>): Promise<unknown> {
	const execution = request.execution ?? '1';
	const wait: WaitRequest = {
		key: randomUUID(),
		execution,
		resume: `../../webhook-waiting/${execution}`,
		instance: instanceId(),
		documents: ['doc_1'],
		...request,
	};
	const body = JSON.stringify({ sealed: seal(newMessage({ wait }), stage.sharedKey()) });
	const { text } = await deliver(stage.n8n.trigger.productionUrl(workflow), body, {});
	return unseal<Answer>(text, stage.sharedKey())?.wait;
}

/** The id of this n8n, which every context gives. */
function instanceId(): string {
	const [{ owner } = {}] = Object.values(storedOf(workflow, 'endpoint'));
	return String(owner).split('/')[0] ?? '';
}

describe('Executions that wait', () => {
	it('are in the database before they sleep, and so survive n8n', async () => {
		const document = await stage.send();
		const id = await stage.asleepFor(document);
		expect(storedWaits(workflow)).toMatchObject({ [id]: { documents: [document.id] } });
	});

	it('go on when n8n is up again, if their documents ended while it was dead', async () => {
		const [first, second] = [await stage.send('First'), await stage.send('Second')];
		const ids = [await stage.asleepFor(first), await stage.asleepFor(second)];
		await stage.n8n.trigger.kill();
		await stage.sign(first);
		await stage.sandbox.control.advance(60);
		await stage.n8n.trigger.start();
		expect((await stage.goneOn(ids[0] ?? '')).items).toMatchObject([{ json: { id: first.id, status: 'completed' } }]);
		expect(stage.n8n.outputOf(ids[1] ?? '')).toBeUndefined();
		await stage.sign(second);
		await stage.goneOn(ids[1] ?? '');
		expect(ids.map((id) => stage.n8n.timesGoneOn(id))).toEqual([1, 1]);
	});

	it('go on at the hourly look, if the event was lost', async () => {
		const document = await stage.send();
		const id = await stage.asleepFor(document);
		await stage.n8n.trigger.cutOff();
		await stage.sandbox.control.expire(document.id);
		await stage.sandbox.control.advance(60);
		await stage.n8n.trigger.reconnect();
		expect(stage.n8n.outputOf(id)).toBeUndefined();
		await stage.n8n.trigger.hourPasses();
		expect((await stage.goneOn(id)).items).toMatchObject([{ json: { status: 'expired' } }]);
	});

	it('a hundred of them cost one list request more an hour', async () => {
		const none = await stage.requestsDuring(async () => await stage.n8n.trigger.hourPasses());
		await forEachOf(100, 5, async (index) => await stage.asleepFor(await stage.send(`Contract ${index}`)));
		const hundred = await stage.requestsDuring(async () => await stage.n8n.trigger.hourPasses());
		expect(hundred.sort()).toEqual([...none, 'GET /documents'].sort());
		expect(stage.n8n.wakes).toEqual([]);
	});

	it('that have gone on cost nothing any more', async () => {
		const document = await stage.send();
		const none = await stage.requestsDuring(async () => await stage.n8n.trigger.hourPasses());
		const id = await stage.asleepFor(document);
		await stage.sign(document);
		await stage.goneOn(id);
		await clock.pass(20_000);
		expect(await stage.requestsDuring(async () => await stage.n8n.trigger.hourPasses())).toEqual(none);
		expect(storedWaits(workflow)).toMatchObject({ [id]: { isOver: true } });
		expect(stage.n8n.wakes).toHaveLength(1);
	});

	it('are woken by whichever process receives the event', async () => {
		stage.n8n.trigger.inQueueMode = true;
		const document = await stage.send();
		const id = await stage.asleepFor(document);
		await stage.n8n.trigger.kill();
		await stage.n8n.trigger.start();
		await stage.sign(document);
		expect((await stage.goneOn(id)).items).toMatchObject([{ json: { status: 'completed' } }]);
	});

	it('are saved although n8n puts an older state of the static data over them', async () => {
		const [first, second] = [await stage.send('First'), await stage.send('Second')];
		const id = await stage.asleepFor(first);
		stage.n8n.trigger.otherTriggerEmits(workflow);
		expect(storedWaits(workflow)).toEqual({});
		await stage.asleepFor(second);
		expect(Object.keys(storedWaits(workflow))).toContain(id);
	});

	it('leave no trace of n8n’s token in its log', async () => {
		const document = await stage.send();
		const token = 'a-token-of-n8n';
		expect(
			await tell({ execution: '77', resume: `../../webhook-waiting/77?signature=${token}`, documents: [document.id] }),
		).toBe('taken');
		await stage.sign(document);
		await stage.eventually('the call', () => (stage.n8n.calls.length > 0 ? true : undefined));
		expect(stage.n8n.calls).toMatchObject([{ execution: '77', status: 404 }]);
		expect(stage.logged.join('\n')).not.toContain(token);
	});
});

describe('A request to wake an execution', () => {
	it('is taken and saved, and the same if it is repeated', async () => {
		const request = { execution: '5', key: 'k' };
		expect([await tell(request), await tell(request)]).toEqual(['taken', 'taken']);
		expect(storedWaits(workflow)).toMatchObject({ 5: { key: 'k', documents: ['doc_1'] } });
	});

	it('that comes again with fewer documents waits for those', async () => {
		const request = { execution: '5', key: 'k', documents: ['doc_1', 'doc_2'] };
		await tell(request);
		await tell({ ...request, documents: ['doc_2'] });
		await tell({ ...request, documents: ['doc_1', 'doc_2', 'doc_3'] });
		expect(storedWaits(workflow)).toMatchObject({ 5: { documents: ['doc_2'] } });
	});

	it('of an execution that waits anew replaces the earlier one', async () => {
		await tell({ execution: '5', key: 'first', documents: [] });
		await tell({ execution: '5', key: 'first', documents: ['doc_1'] });
		await tell({ execution: '5', key: 'second', documents: ['doc_2'] });
		expect(storedWaits(workflow)).toMatchObject({ 5: { key: 'second', documents: ['doc_2'] } });
	});

	it.each<[string, () => Partial<WaitRequest>, string]>([
		['at an absolute path', () => ({ resume: '/rest/login' }), 'other n8n'],
		['at another host', () => ({ resume: '//example.com/x' }), 'other n8n'],
		['at another host by a way up', () => ({ resume: '..//example.com/x' }), 'other n8n'],
		['at a whole URL', () => ({ resume: 'https://example.com/x' }), 'other n8n'],
		['of another n8n', () => ({ instance: 'another' }), 'other n8n'],
		['without a key', () => ({ key: '' }), 'other n8n'],
		[
			'for more than static data can hold',
			() => ({ documents: Array.from({ length: 30_000 }, (_, n) => `doc_${n}_of_many`) }),
			'full',
		],
	])('%s is refused, and nothing is kept of it', async (_what, change, answer) => {
		expect(await tell(change())).toBe(answer);
		expect(storedWaits(workflow)).toEqual({});
	});
});
