import { createAndSend, TYPE } from '../actions/support/workbench';
import { DOCUMENTS, REFUSED, SEND } from './support/losses';
import { LossyService, numbered } from './support/lossyService';
import { otherWorker } from './support/otherProcess';
import { sentTitles } from './support/sentTitles';
import { whileLimited } from './support/whileLimited';

const service = LossyService.ofThisFile();

const contractOf = (title: string) => ({
	workflowId: 'W',
	parameters: createAndSend(`={{ "${title} " + $binary.data.fileName }}`),
});

/** A row without data, whose file alone tells it from others. */
async function bareRow(fileName: string) {
	const [item] = await numbered(1);
	return [{ json: {}, binary: { data: { ...item!.binary!.data!, fileName } } }];
}

describe('Two executions of a workflow that begin in the same millisecond', () => {
	beforeEach(() => {
		const now = Date.now();
		jest.spyOn(Date, 'now').mockReturnValue(now);
	});
	afterEach(() => jest.restoreAllMocks());

	it('each send their contract, while the first waits for the rate limit', async () => {
		const run = async (file: string) =>
			await service.n8n.runNode(TYPE, { ...contractOf('T'), items: await bareRow(file) });
		service.lose('POST', SEND, { how: 429, afterMs: 30_000 });
		await whileLimited(
			service,
			async () => await run('A'),
			async () => await run('B'),
		);
		await expect(sentTitles(service)).resolves.toEqual(['T A', 'T B']);
	});

	it('each send their contract, where one was refused, corrected and retried', async () => {
		await service.n8n.runNode(TYPE, { ...contractOf('T'), items: await bareRow('A') });
		service.lose('POST', DOCUMENTS, REFUSED);
		const refused = await service.n8n.runNode(TYPE, {
			...contractOf('T'),
			items: await bareRow('B'),
		});
		const worker = await otherWorker(service);
		const retried = await worker.retryNode(TYPE, refused, contractOf('U'));
		expect(retried.items.map(({ json }) => json.title)).toEqual(['U B']);
		await expect(sentTitles(service)).resolves.toEqual(['T A', 'U B']);
	});
});
