import type { INodeExecutionData } from 'n8n-workflow';
import { nodeRun } from '../support/n8nCore/n8n';
import { DONE, NOT_DONE, REFUSED, TEMPLATE_SEND } from './support/losses';
import { titlesOf } from './support/lossyService';
import { sentTitles } from './support/sentTitles';
import { toAda } from './support/toAda';
import { esign, GIVEN, ROUNDS, Workflows } from './support/workflows';

const workflows = new Workflows();
const { service } = workflows;

const TITLE = '={{ "Letter to " + $json.to }}';

const failed = ({ json }: INodeExecutionData): INodeExecutionData => ({
	json: { ...json, error: { message: 'No', in_doubt: json.to === 'ada' } },
});

describe.each([
	['a document', { id: 'doc_1', status: 'completed', recipients: [{ name: 'Ada' }] }],
	['a customer', { id: 7, status: 'new', recipients: ['ada', 'ben'] }],
])('Rows about %s, with the same ID and other data, are two letters', (_, about) => {
	const rows = (...people: string[]): INodeExecutionData[] =>
		people.map((to) => ({ json: { ...about, to } }));

	it('also where the first is gone after a kill', async () => {
		workflows.items = rows('ada', 'ben');
		const node = esign('eSign', await toAda(service, TITLE));
		const workflow = workflows.flow([GIVEN, node], 'Given > eSign');
		service.lose('POST', TEMPLATE_SEND, NOT_DONE, { skip: 1 });
		const killed = await workflows.killedAt(TEMPLATE_SEND, workflow, 1);
		workflows.items = rows('ben');
		const worker = await workflows.otherWorker(workflow);
		const again = nodeRun(await worker.retry(killed, 'killed'), 'eSign');
		expect(again.error).toBeUndefined();
		expect(titlesOf(again)).toEqual(['Letter to ben']);
		await expect(sentTitles(service)).resolves.toEqual(['Letter to ada', 'Letter to ben']);
	});

	it('also where an error loop gives them in another order', async () => {
		workflows.items = rows('ada', 'ben');
		workflows.batch = 2;
		service.loseForGood(TEMPLATE_SEND, DONE);
		service.lose('POST', TEMPLATE_SEND, REFUSED, { body: 'ben' });
		const { lossOf } = service;
		service.lossOf = (method, path, body) => {
			// What has failed goes round: first what is in no doubt.
			if (body.includes('ben')) workflows.items = rows('ben', 'ada').map(failed);
			return lossOf(method, path, body);
		};
		const node = esign('eSign', await toAda(service, TITLE), { onError: 'continueErrorOutput' });
		const lines = ['Given > eSign', 'eSign ! Rounds', 'Rounds > eSign'];
		const run = nodeRun(
			await workflows.run(workflows.flow([GIVEN, ROUNDS, node], ...lines)),
			'eSign',
		);
		service.lossOf = lossOf;
		expect(titlesOf(run)).toEqual(['Letter to ben', 'Letter to ada']);
		await expect(sentTitles(service)).resolves.toEqual(['Letter to ada', 'Letter to ben']);
	});
});
