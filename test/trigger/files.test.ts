import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { startSandbox, type Sandbox } from '../../sandbox';
import { bytesOf, useBinaryDataMode } from '../support/n8n';
import { captureLog } from './support/log';
import { N8nInstance } from './support/n8nInstance';
import { ServiceClient } from './support/serviceClient';

let sandbox: Sandbox;
let service: ServiceClient;
let n8n: N8nInstance;

beforeAll(async () => {
	sandbox = await startSandbox({ rateLimit: 0 });
	service = new ServiceClient(sandbox, sandbox.keys.test);
});

afterAll(async () => await sandbox.close());

beforeEach(async () => {
	await sandbox.control.reset();
	n8n = new N8nInstance({ baseUrl: sandbox.url, apiKey: sandbox.keys.test });
	await n8n.start();
	captureLog();
});

afterEach(async () => {
	for (const workflow of n8n.workflows.values()) if (workflow.active) await n8n.deactivate(workflow);
	jest.restoreAllMocks();
	await n8n.kill();
});

async function activeWorkflow(downloadFiles: string[], parameters: INodeParameters = {}) {
	const events = ['document.sent', 'document.completed'];
	const workflow = n8n.add({ events, options: { downloadFiles }, ...parameters });
	await n8n.activate(workflow);
	const { id } = (workflow.staticData['node:eSign Trigger'] as IDataObject).endpoint as { id: string };
	return { workflow, endpointId: id };
}

const fileFault = (variant: string, status: number, times: number) =>
	({ method: 'GET', path: `/documents/*/files/${variant}`, when: 'before', kind: 'status', status, times }) as const;

describe.each(['default', 'filesystem'] as const)('With binary data in %s mode, a completed document', (mode) => {
	beforeEach(async () => await useBinaryDataMode(mode));

	it('brings the signed PDF and the certificate, beside the payload exactly as sent', async () => {
		const { workflow, endpointId } = await activeWorkflow(['signed', 'certificate']);
		await service.complete();
		const [sent, completed] = n8n.itemsOf(workflow);
		const [delivery] = (await service.deliveries(endpointId)).filter(({ event }) => event === 'document.completed');
		expect(delivery?.succeeded).toBe(true);
		expect(sent?.binary).toBeUndefined();
		expect(completed?.json).toEqual(delivery?.payload);
		expect(Object.keys(completed?.binary ?? {}).sort()).toEqual(['certificate', 'signed']);
		for (const data of Object.values(completed?.binary ?? {})) {
			expect(data).toMatchObject({ mimeType: 'application/pdf', fileExtension: 'pdf' });
			expect((await bytesOf(data)).subarray(0, 5).toString()).toBe('%PDF-');
		}
	});
});

describe('A completed document', () => {
	it('brings the one file that was asked for, and no request is made for the other', async () => {
		const { workflow } = await activeWorkflow(['certificate']);
		const document = await service.complete();
		expect(Object.keys(n8n.itemsOf(workflow)[1]?.binary ?? {})).toEqual(['certificate']);
		const requests = (await sandbox.control.requests())
			.map(({ path }) => path)
			.filter((path) => path.includes('/files/'));
		expect(requests).toEqual([`/v1/documents/${document.id}/files/certificate`]);
	});

	it('whose file the service refuses for good starts the workflow, with the refusal beside the payload', async () => {
		const { workflow, endpointId } = await activeWorkflow(['signed', 'certificate']);
		await sandbox.control.fault(fileFault('certificate', 404, 1));
		await service.complete();
		const item = n8n.itemsOf(workflow)[1];
		expect(Object.keys(item?.binary ?? {})).toEqual(['signed']);
		const { download_errors: refusals, ...payload } = item?.json ?? {};
		expect(refusals).toEqual([expect.objectContaining({ variant: 'certificate', http_status: 404 })]);
		const [delivery] = (await service.deliveries(endpointId)).filter(({ event }) => event === 'document.completed');
		expect(payload).toEqual(delivery?.payload);
	});
});
