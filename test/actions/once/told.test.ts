import type { INodeExecutionData } from 'n8n-workflow';
import { DOCUMENTS, DONE, DOWN, LossyService, NOT_DONE, numbered, TEMPLATE_SEND } from '../support/lossyService';
import { RETRY } from '../support/workbench';
import { said } from '../support/said';

const service = LossyService.ofThisFile();

const titled = async (name: string) => await service.templateSend(`={{ "${name} " + $json.n }}`);

/** The document of the first item is there, and nobody can tell. */
async function failedInDoubt(items: INodeExecutionData[]) {
	service.loseForGood(TEMPLATE_SEND, DONE, 'A 1');
	const failed = await service.run(await titled('A'), items);
	expect(said(failed.error)).toContain('is not known');
	service.mend();
	const [made] = await service.documents();
	return { failed, made: String(made?.id) };
}

describe('What an earlier request of the item has left', () => {
	it('is named at the end of an execution whose later tries cannot ask the service', async () => {
		const { failed, made } = await failedInDoubt([{ json: { n: 1 } }]);
		service.lose('GET', DOCUMENTS, DOWN, { skip: 1, times: 99 });
		const told = await service.retry(failed, await titled('B'), RETRY);
		expect(said(told.error)).toContain(made);
		await expect(service.titles()).resolves.toEqual(['A 1']);
		// One look for the first try, and none for the others: what was told holds for the execution.
		service.mend();
		const again = await service.retry(told, await titled('B'), RETRY);
		expect(again.error).toBeUndefined();
		await expect(service.titles()).resolves.toEqual(['A 1', 'B 1']);
	});

	it('is not overlooked because the service cannot be asked', async () => {
		const { failed, made } = await failedInDoubt([{ json: { n: 1 } }]);
		service.lose('GET', DOCUMENTS, DOWN, { times: 6 });
		const unknown = await service.retry(failed, await titled('B'), RETRY);
		expect(unknown.error).toBeDefined();
		await expect(service.titles()).resolves.toEqual(['A 1']);
		service.mend();
		const told = said(unknown.error).includes(made) ? unknown : await service.retry(unknown, await titled('B'));
		expect(said(told.error)).toContain(made);
		const again = await service.retry(told, await titled('B'));
		expect(again.error).toBeUndefined();
		await expect(service.titles()).resolves.toEqual(['A 1', 'B 1']);
	});

	it.each([
		['continueRegularOutput', 0],
		['continueErrorOutput', 1],
	] as const)('with On Error %s fails its item alone, with its row, and holds up no other', async (onError, output) => {
		const { failed, made } = await failedInDoubt(await numbered(3));
		const settings = { ...RETRY, onError };
		const { outputs } = await service.retry(failed, await titled('B'), settings);
		const paired = outputs.flatMap((items) => items.map(({ json, pairedItem }) => [json.title, pairedItem]));
		expect(paired).toEqual(
			expect.arrayContaining([
				[undefined, { item: 0 }],
				['B 2', { item: 1 }],
				['B 3', { item: 2 }],
			]),
		);
		expect(paired).toHaveLength(3);
		const failures = (outputs[output] ?? []).filter(({ json }) => json.error !== undefined);
		expect(failures.map(({ json }) => json.n)).toEqual([1]);
		expect(JSON.stringify(failures)).toContain(made);
		await expect(service.titles()).resolves.toEqual(['A 1', 'B 2', 'B 3']);
	});
});

it('Skip If Created Within looks for what is asked for after a correction, too', async () => {
	const skipping = async (title: string) =>
		await service.templateSend('', { additionalFields: { title, skipIfCreatedWithin: 24 } });
	const before = await service.run(await skipping('Right'));
	service.lose('POST', TEMPLATE_SEND, NOT_DONE, { body: 'Typo' });
	service.lose('GET', DOCUMENTS, DOWN, { skip: 1, times: 5 });
	const failed = await service.run(await skipping('Typo'));
	expect(said(failed.error)).toContain('is not known');
	service.mend();
	const again = await service.retry(failed, await skipping('Right'));
	expect(again.items.map(({ json }) => json)).toMatchObject([{ id: before.items[0]?.json.id, already_existed: true }]);
	await expect(service.titles()).resolves.toEqual(['Right']);
});
