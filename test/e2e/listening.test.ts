import { until } from '../support/processes/until';
import { eventsOf, Runs, TRIGGER } from './support/runs';
import { setSharedStage, STAGE_TIMEOUT_MS, type SharedStage } from './support/stage';

describe('Listening for a test event on a real n8n', () => {
	let stage: SharedStage;
	let runs: Runs;

	beforeAll(async () => {
		stage = await setSharedStage();
		runs = await Runs.ofTrigger(stage, { events: ['document.sent'] });
	}, STAGE_TIMEOUT_MS);
	afterAll(async () => await stage?.close());

	/** Resolves once the service holds so many endpoints; n8n cleans up after it has answered. */
	const endpoints = async (count: number) =>
		await until(`${count} endpoint(s)`, async () => {
			const all = await stage.service.endpoints();
			return all.length === count ? all : undefined;
		});

	const isForTest = ({ url }: { url: string }) => url.startsWith(`${stage.n8n.url}/webhook-test/`);

	/**
	 * The documents that executions of this mode have got, in their order, once there are `count`
	 * executions in all.
	 */
	async function received(mode: string, count: number): Promise<unknown[]> {
		const executions = (await runs.settled(count)).filter((execution) => execution.mode === mode);
		return eventsOf(executions).map(({ document }) => document.id);
	}

	it('has an endpoint of its own, starts a run by the first event, and takes the endpoint away', async () => {
		await stage.n8n.api.listen(runs.workflowId, TRIGGER);
		expect((await endpoints(1)).map(isForTest)).toEqual([true]);
		const { id } = await stage.service.send('While listening', ['ada@example.com']);
		expect(await received('manual', 1)).toEqual([id]);
		await endpoints(0);
	});

	it('stopped before an event has come, it leaves no endpoint either', async () => {
		await stage.n8n.api.listen(runs.workflowId, TRIGGER);
		await endpoints(1);
		await stage.n8n.api.stopListening(runs.workflowId);
		await endpoints(0);
		await stage.service.send('After listening', ['ada@example.com']);
		expect(await received('manual', 1)).toHaveLength(1);
	});

	it('beside the published workflow both get the event, and the published one keeps its endpoint', async () => {
		await runs.publish();
		const [published] = await endpoints(1);
		await stage.n8n.api.listen(runs.workflowId, TRIGGER);
		expect((await endpoints(2)).map(isForTest).sort()).toEqual([false, true]);
		const { id } = await stage.service.send('For both', ['ada@example.com']);
		expect(await received('webhook', 3)).toEqual([id]);
		expect((await received('manual', 3)).at(-1)).toBe(id);
		expect(await endpoints(1)).toEqual([published]);
	});
});
