import type { IDataObject, INodeParameters } from 'n8n-workflow';
import type { WorkflowFile } from '../support/n8nServer/apiClient';
import { contract } from '../support/serviceClient';
import { ENDING_EVENTS } from '../../nodes/ESign/service/ending';
import { caseOf, filled, given } from '../actions/everyOperation/cases';
import { registered } from '../actions/support/registered';
import { chain, eSign, itemsOf, node } from './support/nodes';
import { setSharedStage, STAGE_TIMEOUT_MS, type SharedStage } from './support/stage';

const names = registered.map(({ name }) => name);
const pathOf = (operation: string) => `every-${operation.replace(':', '-')}`;

let stage: SharedStage;
let workflowId: string;

/**
 * One workflow with a branch for each operation: a webhook, which is sent an item and its file,
 * answers with its output.
 */
async function everyOperation(): Promise<WorkflowFile> {
	const branches: WorkflowFile[] = [];
	for (const operation of names) {
		const path = pathOf(operation);
		const webhook = {
			path,
			httpMethod: 'POST',
			responseMode: 'lastNode',
			responseData: 'allEntries',
		};
		const { parameters } = await given(operation, stage.service);
		const ofPosted = JSON.stringify(parameters).replaceAll(
			'$json.',
			'JSON.parse($json.body.item).',
		);
		branches.push(
			chain(path, [
				node(`${operation} asked for`, 'n8n-nodes-base.webhook', webhook, {
					typeVersion: 2,
					webhookId: path,
				}),
				eSign(operation, 'eSign', stage.credentialId, JSON.parse(ofPosted) as INodeParameters),
			]),
		);
		await deleteEndpoints();
	}
	return {
		name: 'Every operation',
		nodes: branches.flatMap(({ nodes }) => nodes),
		connections: Object.assign(
			{},
			...branches.map(({ connections }) => connections),
		) as WorkflowFile['connections'],
		settings: { executionOrder: 'v1' },
	};
}

/** A mode has only five. */
async function deleteEndpoints(): Promise<void> {
	for (const { id } of await stage.service.endpoints()) await stage.service.deleteEndpoint(id);
}

/** What an operation puts out for the first item of its case. */
async function run(operation: string) {
	const { items } = await given(operation, stage.service);
	const { json = {}, binary } = items[0] ?? {};
	const form = new FormData();
	const file = new Blob([new Uint8Array(contract)], { type: 'application/pdf' });
	form.append('data', file, binary?.data?.fileName);
	form.append('item', JSON.stringify(json));
	const already = (await stage.sandbox.control.requests()).length;
	const response = await fetch(`${stage.n8n.url}/webhook/${pathOf(operation)}`, {
		method: 'POST',
		body: form,
	});
	const text = await response.text();
	if (!response.ok) throw new Error(`${operation}: ${response.status} ${text}`);
	const requests = (await stage.sandbox.control.requests()).slice(already);
	return { json, output: JSON.parse(text) as IDataObject[], requests };
}

/** What a node put out last, with its files. */
async function lastItem(name: string): Promise<ReturnType<typeof itemsOf>[number]> {
	const all = await stage.n8n.api.finishedExecutions(workflowId, 1);
	const [item] =
		all.map((execution) => itemsOf(execution, name)).findLast(({ length }) => length) ?? [];
	if (!item) throw new Error(`Nothing was put out by ${name}`);
	return item;
}

describe('Every operation on a real n8n, files kept on disk', () => {
	beforeAll(async () => {
		stage = await setSharedStage();
		workflowId = (await stage.n8n.api.createWorkflow(await everyOperation())).id;
		await stage.n8n.api.publish(workflowId);
	}, STAGE_TIMEOUT_MS);
	afterAll(async () => await stage?.close());
	afterEach(deleteEndpoints);

	it.each(names.filter((name) => name !== 'document:wait'))(
		'%s takes its requests and puts out',
		async (operation) => {
			const one = caseOf(operation);
			const { json, output, requests } = await run(operation);
			expect(output).toMatchObject([one.output(json)].flat());
			expect(requests.map(({ method, path }) => `${method} ${path.replace('/v1', '')}`)).toEqual(
				[...(one.once ?? []), ...one.calls].map((call) =>
					filled(call, json, output[0] ?? {}).replace(/\?.*/, ''),
				),
			);
		},
	);

	it('document:wait puts out what has ended', async () => {
		const trigger = eSign('eSign Trigger', 'eSignTrigger', stage.credentialId, {
			events: [...ENDING_EVENTS],
		});
		const { id } = await stage.n8n.api.createWorkflow(chain('Wakes', [trigger]));
		await stage.n8n.api.publish(id);
		const { json, output } = await run('document:wait');
		expect(output).toMatchObject([caseOf('document:wait').output(json)]);
		await stage.n8n.api.unpublish(id);
	});

	it('a file that was posted is on disk', async () => {
		const { binary } = await lastItem('file:upload asked for');
		expect(binary?.data?.id).toMatch(/^filesystem-v2:/);
	});

	it('a file that was downloaded is on disk, byte for byte what the service gives', async () => {
		const { json, binary } = await lastItem('document:download');
		const path = `/documents/${String(json.document_id)}/files/signed`;
		const { url } = await stage.service.api<{ url: string }>('GET', path);
		const original = Buffer.from(await (await fetch(url)).arrayBuffer());
		expect(binary?.data?.id).toMatch(/^filesystem-v2:/);
		expect(await stage.n8n.api.binaryData(String(binary?.data?.id))).toEqual(original);
	});

	it('each was one execution, and every execution succeeded', async () => {
		const executions = await stage.n8n.api.finishedExecutions(workflowId, names.length);
		expect(executions.map(({ status }) => status)).toEqual(names.map(() => 'success'));
	});
});
