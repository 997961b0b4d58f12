import { Container } from '@n8n/di';
import { BinaryDataService } from 'n8n-core';
import type { INodeExecutionData, INodeParameters } from 'n8n-workflow';
import { bytesOf, useBinaryDataMode } from '../../../harness/n8nCore/n8n';
import { fileFault, sceneForEachTest, type Scene, type StoredWorkflow } from '../support/scene';

const scene = sceneForEachTest();

let n8n: Scene['n8n'];
let service: Scene['service'];
let sandbox: Scene['sandbox'];

beforeEach(() => {
	({ n8n, service, sandbox } = scene());
});

const activeWorkflow = async (downloadFiles: string[], parameters: INodeParameters = {}) =>
	await scene().activeWorkflow({ options: { downloadFiles }, ...parameters });

/** What the trigger puts out in the executions that were started. */
async function outputs(workflow: StoredWorkflow): Promise<INodeExecutionData[]> {
	const runs = await Promise.all(n8n.itemsOf(workflow).map(async (item) => await n8n.outputOf(workflow, item)));
	return runs.flatMap(({ items }) => items);
}

describe.each(['default', 'filesystem'] as const)('With binary data in %s mode, a completed document', (mode) => {
	beforeEach(async () => await useBinaryDataMode(mode));

	it('brings the signed PDF and the certificate, beside the payload exactly as sent', async () => {
		const { workflow, endpointId } = await activeWorkflow(['signed', 'certificate']);
		await service.complete();
		const [sent, completed] = await outputs(workflow);
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
		expect(Object.keys((await outputs(workflow))[1]?.binary ?? {})).toEqual(['certificate']);
		const requests = (await sandbox.control.requests())
			.map(({ path }) => path)
			.filter((path) => path.includes('/files/'));
		expect(requests).toEqual([`/v1/documents/${document.id}/files/certificate`]);
	});

	it('whose file the service refuses for good starts the workflow, with the refusal beside the payload', async () => {
		const { workflow, endpointId } = await activeWorkflow(['signed', 'certificate']);
		await sandbox.control.fault(fileFault('certificate', 404, 1));
		await service.complete();
		const item = (await outputs(workflow))[1];
		expect(Object.keys(item?.binary ?? {})).toEqual(['signed']);
		const { download_errors: refusals, ...payload } = item?.json ?? {};
		expect(refusals).toEqual([expect.objectContaining({ variant: 'certificate', http_status: 404 })]);
		const [delivery] = (await service.deliveries(endpointId)).filter(({ event }) => event === 'document.completed');
		expect(payload).toEqual(delivery?.payload);
	});

	it('is accepted without a request for its files, which the execution makes', async () => {
		const { workflow } = await activeWorkflow(['signed']);
		const requests = await scene().requestsDuring(async () => await service.complete());
		expect(requests.filter((request) => request.includes('/files/'))).toEqual([]);
		expect(n8n.itemsOf(workflow)).toHaveLength(2);
	});

	it('whose files cannot be had for the moment has them when the execution has tried again', async () => {
		const { workflow } = await activeWorkflow(['signed']);
		await sandbox.control.fault(fileFault('signed', 503, 3));
		await service.complete();
		expect(Object.keys((await outputs(workflow))[1]?.binary ?? {})).toEqual(['signed']);
	});

	it('whose file n8n cannot store goes on, and says so', async () => {
		const { workflow } = await activeWorkflow(['signed', 'certificate']);
		await service.complete();
		const binaryData = Container.get(BinaryDataService);
		jest.spyOn(binaryData, 'store').mockRejectedValueOnce(new Error('ENOSPC: no space left on device'));
		const item = (await outputs(workflow))[1];
		expect(item?.json.download_errors).toEqual([{ variant: 'signed', message: expect.stringContaining('ENOSPC') }]);
		expect(Object.keys(item?.binary ?? {})).toEqual(['certificate']);
	});
});
