import { forEachOf } from '../../support/serviceClient';
import { storedWaits, WaitStage } from '../../actions/support/waitStage';
import { clock, type StoredWorkflow } from '../support/n8nInstance';

const stage = new WaitStage();
let workflow: StoredWorkflow;

beforeEach(async () => {
	workflow = await stage.n8n.publish();
});

describe('Executions that wait', () => {
	it('are in the database before they sleep, and resume when n8n is up again, if their documents ended while it was dead', async () => {
		const [first, second] = [await stage.send('First'), await stage.send('Second')];
		const ids = [await stage.asleepFor(first), await stage.asleepFor(second)];
		expect(Object.values(storedWaits(workflow))).toMatchObject([
			{ documents: [first.id] },
			{ documents: [second.id] },
		]);
		await stage.n8n.trigger.kill();
		await stage.sign(first);
		await stage.sandbox.control.advance(60);
		await stage.n8n.trigger.start();
		expect((await stage.goneOn(ids[0] ?? '')).items).toMatchObject([
			{ json: { id: first.id, status: 'completed' } },
		]);
		expect(stage.n8n.outputOf(ids[1] ?? '')).toBeUndefined();
		await stage.sign(second);
		await stage.goneOn(ids[1] ?? '');
		expect(ids.map((id) => stage.n8n.timesGoneOn(id))).toEqual([1, 1]);
	});

	it('resume at the hourly look, if the event was lost', async () => {
		const { document, id } = await stage.asleep();
		stage.n8n.trigger.cutOff();
		await stage.sandbox.control.expire(document.id);
		await stage.sandbox.control.advance(60);
		await stage.n8n.trigger.reconnect();
		expect(stage.n8n.outputOf(id)).toBeUndefined();
		await stage.n8n.trigger.hourPasses();
		expect((await stage.goneOn(id)).items).toMatchObject([{ json: { status: 'expired' } }]);
	});

	it('a hundred of them cost one list request more an hour', async () => {
		const none = await stage.requestsDuring(async () => await stage.n8n.trigger.hourPasses());
		await forEachOf(
			100,
			5,
			async (index) => await stage.asleepFor(await stage.send(`Contract ${index}`)),
		);
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
		expect(await stage.requestsDuring(async () => await stage.n8n.trigger.hourPasses())).toEqual(
			none,
		);
		expect(storedWaits(workflow)).toEqual({});
		expect(stage.n8n.wakes).toHaveLength(1);
	});

	it('are woken by whichever process receives the event', async () => {
		stage.n8n.trigger.inQueueMode = true;
		const { document, id } = await stage.asleep();
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
});

const MANY = 10;

it.each<[string, (nth: number) => number]>([
	['in their order', (nth) => nth],
	['in the reverse order', (nth) => MANY - nth],
	['in no order', (nth) => (nth * 7) % MANY],
])(
	'whoever falls asleep while n8n saves late, %s, resumes after n8n was killed',
	async (_order, turnOf) => {
		const documents = await forEachOf(
			MANY,
			1,
			async (index) => await stage.send(`Contract ${index}`),
		);
		let saves = 0;
		stage.n8n.trigger.beforeSave = async () => {
			await new Promise((resolve) => setTimeout(resolve, (1 + turnOf(saves++)) * 40));
		};
		const ids = await Promise.all(
			documents.map(async (document) => await stage.asleepFor(document)),
		);
		stage.n8n.trigger.beforeSave = async () => undefined;
		await stage.eventually('everything to be saved', () =>
			ids.every((id) => storedWaits(workflow)[id]) ? true : undefined,
		);

		await stage.n8n.trigger.kill();
		await stage.n8n.trigger.start();
		for (const document of documents) await stage.sign(document);
		for (const id of ids) await stage.goneOn(id);
		expect(ids.map((id) => stage.n8n.timesGoneOn(id))).toEqual(ids.map(() => 1));
	},
);
