import type { INodeParameters } from 'n8n-workflow';
import { bench, documents, fromItem, openBench } from '../support/operationRun';
import { byId } from '../support/workbench';

openBench();

it.each([
	['list', ''],
	['id', ''],
	['id', '='],
])(
	'Without a recipient, as %s %j, there is no body, and everyone outstanding is reminded',
	async (mode, value) => {
		const [made] = await documents(true);
		const parameters = {
			documentId: byId(made?.documentId),
			recipientId: { __rl: true, mode, value },
		};
		const { items } = await bench.run('document', 'remind', parameters);
		expect(items).toMatchObject([{ json: { reminded: 1 } }]);
		expect(bench.takeRequests()).toMatchObject([{ method: 'POST', body: undefined }]);
	},
);

describe('Nobody left to remind', () => {
	const remind = async (options: INodeParameters) => {
		const [draft] = await documents(false);
		const [signed] = await documents(true);
		await bench.sandbox.control.sign(String(signed?.recipientId));
		const both = [{ json: { id: draft?.documentId } }, { json: { id: signed?.documentId } }];
		const parameters = { documentId: fromItem('id'), options };
		const settings = { onError: 'continueRegularOutput' as const };
		const done = await bench.run('document', 'remind', parameters, { items: both, settings });
		return done.items.map(({ json: { reminded, error } }) => ({
			reminded,
			failed: error !== undefined,
		}));
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
