import { until } from '../../harness/processes/until';
import { Letters, peopleOf } from './support/letters';
import { itemsOf } from './support/nodes';
import { setStage, STAGE_TIMEOUT_MS, type Stage } from './support/stage';

const ROWS = 50;

/** How many sends the service has answered when n8n dies. */
const POINT = 27;
const PATH = 'again';

describe('A bulk run that dies with n8n (SIGKILL) and is started again, with Skip If Created Within', () => {
	let stage: Stage;
	let letters: Letters;

	beforeAll(async () => {
		stage = await setStage();
		letters = await Letters.of(stage);
	}, STAGE_TIMEOUT_MS);
	afterAll(async () => await stage?.close());

	const sentSoFar = async () => await stage.service.documents();

	it(`killed after ${POINT} sends, there are ${ROWS} documents in the end, none twice`, async () => {
		const id = await letters.publish(PATH, [letters.send('Send', 'To', { fields: { skipIfCreatedWithin: 24 } })]);
		// Slow enough for the kill to meet the run, and a send that is under way is carried out all the same.
		const delay = { method: 'POST' as const, path: '/templates/*/send', when: 'after' as const };
		await stage.sandbox.control.fault({ ...delay, kind: 'delay', delay_ms: 60, times: ROWS * 2 });
		await letters.start(PATH, peopleOf(ROWS));
		await until('the sends before the kill', async () => ((await sentSoFar()).length >= POINT ? true : undefined));
		await stage.n8n.kill();
		await stage.n8n.start();
		expect((await sentSoFar()).length).toBeLessThanOrEqual(ROWS);

		const before = await sentSoFar();
		await letters.start(PATH, peopleOf(ROWS));
		const execution = await until(
			'the second run',
			async () => {
				const runs = await stage.n8n.api.executions(id);
				const done = runs.find(({ status }) => status === 'success');
				return done && (await stage.n8n.api.execution(done.id));
			},
			60_000,
		);
		const items = itemsOf(execution, 'Send').map(({ json }) => json);
		expect(items.map(({ title }) => title)).toEqual(peopleOf(ROWS).map(({ name }) => `To ${name}`));
		expect(items.filter(({ already_existed: existed }) => existed === true)).toHaveLength(before.length);
		const documents = await sentSoFar();
		expect(documents).toHaveLength(ROWS);
		expect(new Set(documents.map((one) => one.id))).toEqual(new Set(items.map((one) => one.id)));
	});
});
