import type { INode } from 'n8n-workflow';
import { chain, eSign, itemsOf, node } from './support/nodes';
import { setSharedStage, STAGE_TIMEOUT_MS, type SharedStage } from './support/stage';

const ITEMS = Array.from({ length: 10 }, (_, index) => ({
	name: `Person ${index}`,
	email: `p${index}@people.example`,
}));

/** The item that the service refuses; the seventh. */
const REFUSED = 6;

describe("n8n's own retries on a real n8n", () => {
	let stage: SharedStage;
	let ordinary: string;
	let refused: string;

	beforeAll(async () => {
		stage = await setSharedStage();
		const template = {
			mode: 'TEST' as const,
			status: 'PUBLISHED' as const,
			roles: [{ role: 'Signer', type: 'SIGNER' as const }],
			fields: [{ field_key: null, type: 'SIGNATURE' as const, role: 'Signer', required: true, page: 1 }],
		};
		ordinary = (await stage.sandbox.control.createTemplate({ ...template, name: 'Ordinary' })).id;
		refused = (await stage.sandbox.control.createTemplate({ ...template, name: 'Refused at first' })).id;
	}, STAGE_TIMEOUT_MS);
	afterAll(async () => await stage?.close());

	/** Sends a template to ten people, the seventh by the template whose next sends are refused so many times. */
	async function sendToTen(path: string, refusals: number, settings: Partial<INode>) {
		await stage.sandbox.control.fault({
			method: 'POST',
			path: `/templates/${refused}/send`,
			when: 'before',
			kind: 'status',
			status: 403,
			times: refusals,
		});
		const { api, url } = stage.n8n;
		const workflow = await api.createWorkflow(
			chain(path, [
				node('Webhook', 'n8n-nodes-base.webhook', { path, httpMethod: 'POST' }, { typeVersion: 2, webhookId: path }),
				node('Each person', 'n8n-nodes-base.splitOut', { fieldToSplitOut: 'body.people', options: {} }),
				eSign(
					'Send',
					'eSign',
					stage.credentialId,
					{
						resource: 'template',
						operation: 'send',
						templateId: { __rl: true, mode: 'id', value: '={{ $json.template }}' },
						recipientsInput: 'json',
						recipientsJson: '={{ [{ role: "Signer", name: $json.name, email: $json.email }] }}',
						additionalFields: { title: `=${path} {{ $json.name }}` },
					},
					settings,
				),
			]),
		);
		await api.publish(workflow.id);
		const people = ITEMS.map((item, index) => ({ ...item, template: index === REFUSED ? refused : ordinary }));
		await fetch(`${url}/webhook/${path}`, {
			method: 'POST',
			headers: { 'content-type': 'application/json' },
			body: JSON.stringify({ people }),
		});
		const [execution] = await api.finishedExecutions(workflow.id, 1);
		return { workflow, execution };
	}

	const sentBy = async (path: string) => {
		const { data } = await stage.service.api<{ data: Array<{ title: string }> }>('GET', '/documents?limit=100');
		return data.map(({ title }) => title).filter((title) => title.startsWith(path));
	};

	const titles = (path: string) => ITEMS.map(({ name }) => `${path} ${name}`).sort();

	it('Retry On Fail with the seventh of ten items failing twice makes ten documents', async () => {
		const { execution } = await sendToTen('on-fail', 2, { retryOnFail: true, maxTries: 3, waitBetweenTries: 100 });
		expect(execution?.status).toBe('success');
		expect(itemsOf(execution, 'Send').map(({ json }) => json.title)).toEqual(
			ITEMS.map(({ name }) => `on-fail ${name}`),
		);
		expect((await sentBy('on-fail')).sort()).toEqual(titles('on-fail'));
	});

	it('Retry execution sends the failed item and those after it, and none of those before it again', async () => {
		const { workflow, execution } = await sendToTen('by-hand', 1, {});
		expect(execution?.status).toBe('error');
		expect(await sentBy('by-hand')).toHaveLength(REFUSED);

		await stage.n8n.api.request('POST', `/executions/${execution?.id}/retry`, { loadWorkflow: false });
		const executions = await stage.n8n.api.finishedExecutions(workflow.id, 2);
		expect(executions.at(-1)?.status).toBe('success');
		expect(itemsOf(executions.at(-1), 'Send')).toHaveLength(ITEMS.length);
		expect((await sentBy('by-hand')).sort()).toEqual(titles('by-hand'));
	});
});
