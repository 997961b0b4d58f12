import type { INodeParameters } from 'n8n-workflow';
import { asSent, bench, documents, fromItem, items, openBench, run, sent } from '../support/operationRun';
import { byId } from '../support/workbench';

openBench();

describe('Document > Remind', () => {
	it('POST /documents/{id}/remind with a body only for one recipient', async () => {
		const [first, second] = await documents(true);
		const { requests, output } = await run(
			['document', 'remind'],
			{ documentId: fromItem('documentId'), recipientId: fromItem('recipientId') },
			items({ ...first }, { ...second }),
		);
		expect(asSent(requests)).toEqual(
			[first, second].map((made) =>
				sent('POST', `/documents/${made?.documentId}/remind`, { body: { recipient_id: made?.recipientId } }),
			),
		);
		expect(output.map(({ reminded }) => reminded)).toEqual([1, 1]);
		const everyone = { documentId: fromItem('documentId'), recipientId: { __rl: true, mode: 'list', value: '' } };
		const all = await run(['document', 'remind'], everyone, items({ ...first }, { ...second }));
		expect(asSent(all.requests)).toEqual(
			[first, second].map((made) => sent('POST', `/documents/${made?.documentId}/remind`)),
		);
	});
});

describe('Nobody left to remind', () => {
	const remind = async (options: INodeParameters) => {
		const [draft] = await documents(false);
		const [signed] = await documents(true);
		await bench.sandbox.control.sign(String(signed?.recipientId));
		const both = [{ json: { id: draft?.documentId } }, { json: { id: signed?.documentId } }];
		const settings = { onError: 'continueRegularOutput' as const };
		const done = await bench.run(
			'document',
			'remind',
			{ documentId: fromItem('id'), options },
			{ items: both, settings },
		);
		return done.items.map(({ json: { reminded, error } }) => ({ reminded, failed: error !== undefined }));
	};

	it('is an error, or no reminder where that is wanted', async () => {
		const failed = { reminded: undefined, failed: true };
		const skipped = { reminded: 0, failed: false };
		await expect(remind({})).resolves.toEqual([failed, failed]);
		await expect(remind({ skipIfNobody: true })).resolves.toEqual([skipped, skipped]);
	});

	it('is not what any other refusal is taken for', async () => {
		const parameters = { documentId: byId('doc_unknown'), options: { skipIfNobody: true } };
		const { error } = await bench.run('document', 'remind', parameters);
		expect(error).toMatchObject({ httpCode: '404' });
	});
});
