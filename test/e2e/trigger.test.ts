import { eventsOf, Runs } from './support/runs';
import { setSharedStage, STAGE_TIMEOUT_MS, type SharedStage } from './support/stage';

describe('The trigger on a real n8n', () => {
	let stage: SharedStage;
	let runs: Runs;

	beforeAll(async () => {
		stage = await setSharedStage();
		runs = await Runs.ofTrigger(stage, { events: ['document.completed'] });
		await runs.publish();
	}, STAGE_TIMEOUT_MS);
	afterAll(async () => await stage?.close());

	it('publishing registers one endpoint, at the public address of this n8n', async () => {
		const endpoints = await stage.service.endpoints();
		expect(endpoints).toMatchObject([{ events: ['document.completed'], status: 'ACTIVE' }]);
		expect(endpoints[0]?.url.startsWith(`${stage.n8n.url}/webhook/`)).toBe(true);
	});

	it('a completed document starts one execution, with the payload as it was sent', async () => {
		const { id } = await stage.service.complete('First', ['ada@example.com']);
		const all = await runs.settled(1);
		expect(eventsOf(all)).toMatchObject([{ document: { id } }]);
		const [endpoint] = await stage.service.endpoints();
		const log = await stage.service.deliveries(endpoint?.id ?? '');
		expect(eventsOf(all)).toEqual(log.filter(({ succeeded }) => succeeded).map(({ payload }) => payload));
	});

	it('taking the workflow out of service removes the endpoint', async () => {
		await runs.end();
		expect(await stage.service.endpoints()).toEqual([]);
	});
});
