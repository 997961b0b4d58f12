import { until } from '../../harness/processes/until';
import { chain, eSign, itemsOf, node } from './support/nodes';
import { setStage, STAGE_TIMEOUT_MS, type Stage } from './support/stage';

const ROWS = 50;

const PEOPLE = Array.from({ length: ROWS }, (_, index) => ({
	name: `Person ${index}`,
	email: `p${index}@people.example`,
}));

/** How many sends the service has answered when n8n dies. */
const POINT = 27;
const PATH = 'again';

describe('A bulk run that dies with n8n (SIGKILL) and is started again, with Skip If Created Within', () => {
	let stage: Stage;
	let templateId: string;

	beforeAll(async () => {
		stage = await setStage();
		templateId = (
			await stage.sandbox.control.createTemplate({
				mode: 'TEST',
				status: 'PUBLISHED',
				name: 'Letter',
				roles: [{ role: 'Signer', type: 'SIGNER' }],
				fields: [{ field_key: null, type: 'SIGNATURE', role: 'Signer', required: true, page: 1 }],
			})
		).id;
	}, STAGE_TIMEOUT_MS);
	afterAll(async () => await stage?.close());

	async function publish(): Promise<string> {
		const workflow = await stage.n8n.api.createWorkflow(
			chain('Again', [
				node(
					'Webhook',
					'n8n-nodes-base.webhook',
					{ path: PATH, httpMethod: 'POST' },
					{ typeVersion: 2, webhookId: PATH },
				),
				node('Each person', 'n8n-nodes-base.splitOut', { fieldToSplitOut: 'body.people', options: {} }),
				eSign('Send', 'eSign', stage.credentialId, {
					resource: 'template',
					operation: 'send',
					templateId: { __rl: true, mode: 'id', value: templateId },
					recipientsInput: 'json',
					recipientsJson: '={{ [{ role: "Signer", name: $json.name, email: $json.email }] }}',
					additionalFields: { title: '=Letter to {{ $json.name }}', skipIfCreatedWithin: 24 },
				}),
			]),
		);
		await stage.n8n.api.publish(workflow.id);
		return workflow.id;
	}

	async function start(): Promise<void> {
		// An n8n that has just started answers before its webhooks are there.
		await until('the webhook', async () => {
			const response = await fetch(`${stage.n8n.url}/webhook/${PATH}`, {
				method: 'POST',
				headers: { 'content-type': 'application/json' },
				body: JSON.stringify({ people: PEOPLE }),
			});
			return response.ok ? true : undefined;
		});
	}

	const sentSoFar = async () => await stage.service.documents();

	it(`killed after ${POINT} sends, there are ${ROWS} documents in the end, none twice`, async () => {
		const id = await publish();
		// Slow enough for the kill to meet the run, and a send that is under way is carried out all the same.
		const delay = { method: 'POST' as const, path: '/templates/*/send', when: 'after' as const };
		await stage.sandbox.control.fault({ ...delay, kind: 'delay', delay_ms: 60, times: ROWS * 2 });
		await start();
		await until('the sends before the kill', async () => ((await sentSoFar()).length >= POINT ? true : undefined));
		await stage.n8n.kill();
		await stage.n8n.start();
		expect((await sentSoFar()).length).toBeLessThanOrEqual(ROWS);

		const before = await sentSoFar();
		await start();
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
		expect(items.map(({ title }) => title)).toEqual(PEOPLE.map(({ name }) => `Letter to ${name}`));
		expect(items.filter(({ already_existed: existed }) => existed === true)).toHaveLength(before.length);
		const documents = await sentSoFar();
		expect(documents).toHaveLength(ROWS);
		expect(new Set(documents.map((one) => one.id))).toEqual(new Set(items.map((one) => one.id)));
	});
});
