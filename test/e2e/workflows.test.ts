import { chain, eSign, itemsOf, node } from './support/nodes';
import type { Document } from '../../harness/serviceClient';
import { setSharedStage, STAGE_TIMEOUT_MS, type SharedStage } from './support/stage';

/** Starts with one item per person in the body of a POST. */
const people = (path: string) => [
	node('Webhook', 'n8n-nodes-base.webhook', { path, httpMethod: 'POST' }, { typeVersion: 2, webhookId: path }),
	node('Each person', 'n8n-nodes-base.splitOut', { fieldToSplitOut: 'body.people', options: {} }),
];

describe('Workflows on a real n8n', () => {
	let stage: SharedStage;

	beforeAll(async () => {
		stage = await setSharedStage();
	}, STAGE_TIMEOUT_MS);
	afterAll(async () => await stage?.close());

	/** Publishes a workflow that begins with `people(path)`, posts to it, and returns its only execution. */
	async function runFor(path: string, nodes: ReturnType<typeof people>, body: unknown) {
		const { api, url } = stage.n8n;
		const workflow = await api.createWorkflow(chain(path, [...people(path), ...nodes]));
		await api.publish(workflow.id);
		await fetch(`${url}/webhook/${path}`, {
			method: 'POST',
			headers: { 'content-type': 'application/json' },
			body: JSON.stringify(body),
		});
		const [execution] = await api.finishedExecutions(workflow.id, 1);
		await api.unpublish(workflow.id);
		return execution;
	}

	/** Document > Create and Send from an uploaded file, to the one person of the item. */
	const createFor = (fileId: string, more: Parameters<typeof eSign>[4] = {}) =>
		eSign(
			'Send',
			'eSign',
			stage.credentialId,
			{
				resource: 'document',
				operation: 'createAndSend',
				fileSource: 'fileIds',
				fileIds: fileId,
				recipientsInput: 'form',
				recipients: { recipient: [{ name: '={{ $json.name }}', email: '={{ $json.email }}', type: 'signer' }] },
				fieldsInput: 'automatic',
				automatic: { page: 'first' },
				title: '=For {{ $json.name }}',
			},
			more,
		);

	it('two items with different recipients give two documents, each paired with its item', async () => {
		const { id: fileId } = await stage.service.upload();
		const two = {
			people: [
				{ name: 'Ada', email: 'ada@example.com' },
				{ name: 'Grace', email: 'grace@example.com' },
			],
		};
		const execution = await runFor('two-items', [createFor(fileId)], two);

		const items = itemsOf(execution, 'Send');
		expect(items.map(({ pairedItem }) => pairedItem)).toEqual([{ item: 0 }, { item: 1 }]);
		const sent = await Promise.all(
			items.map(async ({ json }) => await stage.service.document((json as unknown as Document).id)),
		);
		expect(sent).toMatchObject([
			{ title: 'For Ada', status: 'in_progress', recipients: [{ email: 'ada@example.com' }] },
			{ title: 'For Grace', status: 'in_progress', recipients: [{ email: 'grace@example.com' }] },
		]);
	});

	it('a failing first item under Continue On Fail leaves the second untouched', async () => {
		const { id: fileId } = await stage.service.upload();
		const before = (await stage.service.documents()).length;
		const two = {
			people: [
				{ name: 'Nobody', email: 'no address' },
				{ name: 'Grace', email: 'grace@example.com' },
			],
		};
		const execution = await runFor('continue', [createFor(fileId, { onError: 'continueRegularOutput' })], two);

		expect(execution?.status).toBe('success');
		const [failed, sent] = itemsOf(execution, 'Send');
		expect(failed?.json.error).toEqual(expect.anything());
		expect(failed?.pairedItem).toEqual({ item: 0 });
		expect(sent).toMatchObject({ json: { title: 'For Grace', status: 'in_progress' }, pairedItem: { item: 1 } });
		expect((await stage.service.documents()).length).toBe(before + 1);
	});
});
