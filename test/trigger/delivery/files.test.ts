import { Container } from '@n8n/di';
import { BinaryDataService } from 'n8n-core';
import type { INodeExecutionData } from 'n8n-workflow';
import { bytesOf, useBinaryDataMode } from '../../support/n8nCore/n8n';
import { captureLog } from '../support/log';
import { Scene } from '../support/scene';

const scene = new Scene();

/** Has a document sent and completed, and runs the executions that its events start. */
async function complete(
	downloadFiles: string[],
	fault?: { variant: string; status: number; times: number },
) {
	const { n8n, service } = scene;
	const { workflow, endpointId } = await scene.activeWorkflow({ options: { downloadFiles } });
	if (fault) await scene.refuse(`/documents/*/files/${fault.variant}`, fault.status, fault.times);
	const accepting = await scene.requestsDuring(async () => await scene.sign(await scene.send()));
	// What is fetched is fetched by the execution: a delivery is accepted without a request of the
	// service.
	expect(accepting.filter((request) => request.includes('/files/'))).toEqual([]);
	const items: INodeExecutionData[] = [];
	const fetching = await scene.requestsDuring(async () => {
		for (const item of n8n.itemsOf(workflow))
			items.push(...(await n8n.outputOf(workflow, item)).items);
	});
	const [delivery] = (await service.deliveries(endpointId)).filter(
		({ event }) => event === 'document.completed',
	);
	const [sent, completed] = items;
	return {
		sent,
		completed,
		fields: Object.keys(completed?.binary ?? {}).sort(),
		fetching,
		delivery,
	};
}

describe('A completed document', () => {
	it.each(['default', 'filesystem'] as const)(
		'brings the signed PDF and the certificate, beside the payload exactly as sent, with binary data in %s mode',
		async (mode) => {
			await useBinaryDataMode(mode);
			const { sent, completed, fields, delivery } = await complete(['signed', 'certificate']);
			expect(sent?.binary).toBeUndefined();
			expect(completed?.json).toEqual(delivery?.payload);
			expect(fields).toEqual(['certificate', 'signed']);
			for (const data of Object.values(completed?.binary ?? {})) {
				expect(data).toMatchObject({ mimeType: 'application/pdf', fileExtension: 'pdf' });
				expect((await bytesOf(data)).subarray(0, 5).toString()).toBe('%PDF-');
			}
		},
	);

	it('brings the one file that was asked for, and no request is made for the other', async () => {
		const { fields, fetching, delivery } = await complete(['certificate']);
		expect(fields).toEqual(['certificate']);
		expect(fetching).toEqual([`GET /documents/${delivery?.document_id}/files/certificate`]);
	});

	it('whose file the service refuses for good continues, with the refusal beside the payload', async () => {
		const fault = { variant: 'certificate', status: 404, times: 1 };
		const { completed, fields, delivery } = await complete(['signed', 'certificate'], fault);
		expect(fields).toEqual(['signed']);
		const { download_errors: refusals, ...payload } = completed?.json ?? {};
		expect(refusals).toEqual([
			expect.objectContaining({ variant: 'certificate', http_status: 404 }),
		]);
		expect(payload).toEqual(delivery?.payload);
	});

	it('whose files cannot be had for the moment has them when the execution has tried again', async () => {
		expect(
			(await complete(['signed'], { variant: 'signed', status: 503, times: 3 })).fields,
		).toEqual(['signed']);
	});

	it('whose file n8n cannot store continues, and says so', async () => {
		const binaryData = Container.get(BinaryDataService);
		jest
			.spyOn(binaryData, 'store')
			.mockRejectedValueOnce(new Error('ENOSPC: no space left on device'));
		const lines = captureLog();
		const { completed, fields } = await complete(['signed', 'certificate']);
		expect(completed?.json.download_errors).toEqual([
			{ variant: 'signed', message: expect.stringContaining('ENOSPC') as string },
		]);
		expect(fields).toEqual(['certificate']);
		expect(lines.join()).toMatch(/warn: .*evt_\w+ runs without all of its files: signed: .*ENOSPC/);
	});
});
