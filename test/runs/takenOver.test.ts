import type { INodeParameters } from 'n8n-workflow';
import { ADA, createAndSend } from '../actions/support/workbench';
import {
	DOCUMENT,
	DONE,
	DOWN,
	hintsOf,
	LossyService,
	NOT_DONE,
	numbered,
	REFUSED,
	SEND,
	TEMPLATE_SEND,
} from './support/lossyService';

const service = LossyService.ofThisFile();

beforeEach(async () => {
	// What the test before has left unfinished is nobody's any more.
	await service.clock.sleep(1_000_000);
});

const idsOf = ({ items }: { items: Array<{ json: { id?: unknown } }> }) => items.map(({ json }) => json.id);

describe('A request in doubt that another execution takes over', () => {
	it('from a template: the first, retried, comes out with the same document', async () => {
		const parameters = await service.templateSend('T');
		service.loseForGood(TEMPLATE_SEND, DONE);
		const first = await service.run(parameters);
		expect(first.error).toBeDefined();
		service.mend();
		const second = await service.run(parameters);
		const again = await service.retry(first, parameters);
		expect(again.error).toBeUndefined();
		expect(idsOf(again)).toEqual(idsOf(second));
		expect(hintsOf(again)).toContain('comes from an earlier request to create the document');
		await expect(service.titles()).resolves.toEqual(['T']);
		// However often.
		expect(idsOf(await service.retry(first, parameters))).toEqual(idsOf(second));
		await expect(service.titles()).resolves.toEqual(['T']);
	});

	it('from files: the first, retried, comes out with the same document', async () => {
		service.lose('POST', SEND, DONE);
		service.lose('POST', SEND, DOWN);
		service.lose('GET', DOCUMENT, DOWN, { times: 5 });
		const items = await numbered(1);
		const first = await service.run(createAndSend('T'), items);
		expect(first.error).toBeDefined();
		service.mend();
		const second = await service.run(createAndSend('T'), items);
		const again = await service.retry(first, createAndSend('T'));
		expect(idsOf(again)).toEqual(idsOf(second));
		expect(await service.documents()).toMatchObject([{ status: 'in_progress' }]);
	});

	it('is sent by each of them where nothing had come of it', async () => {
		const parameters = await service.templateSend('T');
		service.loseForGood(TEMPLATE_SEND, NOT_DONE);
		const first = await service.run(parameters);
		expect(first.error).toBeDefined();
		service.mend();
		const second = await service.run(parameters);
		const again = await service.retry(first, parameters);
		expect(idsOf(again)).not.toEqual(idsOf(second));
		await expect(service.titles()).resolves.toEqual(['T', 'T']);
	});
});

describe('A draft whose send was refused', () => {
	const box = { recipient: ADA.email, type: 'SIGNATURE', pageNumber: 1, xNorm: 0.5, yNorm: 0.5 };
	const fieldsJson = JSON.stringify([{ ...box, widthNorm: 0.2, heightNorm: 0.1 }]);

	it.each<[string, INodeParameters]>([
		['as it is', {}],
		['with the fields that were corrected', { fieldsInput: 'json', fieldsJson }],
	])('is gone on with, %s', async (_, corrected) => {
		service.lose('POST', SEND, REFUSED);
		const failed = await service.run(createAndSend('T'), await numbered(1));
		const again = await service.retry(failed, createAndSend('T', ADA, corrected));
		expect(again.items).toMatchObject([{ json: { status: 'in_progress' } }]);
		await expect(service.documents()).resolves.toHaveLength(1);
	});
});
