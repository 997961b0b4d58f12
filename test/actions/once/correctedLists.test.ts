import type { INodeParameters } from 'n8n-workflow';
import { create, DOCUMENTS, LossyService, numbered, REFUSED, TEMPLATE_SEND, titlesOf } from '../support/lossyService';
import { said } from '../support/said';
import { byId, RETRY } from '../support/workbench';

const service = LossyService.ofThisFile();

type Titled = (title: string) => Promise<INodeParameters>;

const OPERATIONS: Array<[string, RegExp, Titled]> = [
	['Template > Send', TEMPLATE_SEND, async (title) => await service.templateSend(title)],
	['Document > Create, with fields, sent', DOCUMENTS, async (title) => create(title)],
];

describe.each(OPERATIONS)('%s of two items, both corrected, of which the second is refused', (_, path, titled) => {
	it('does not send the first again on Retry On Fail', async () => {
		service.lose('POST', path, REFUSED, { body: 'Typo' });
		const failed = await service.run(await titled('={{ "Typo " + $json.n }}'), await numbered(2));
		service.lose('POST', path, REFUSED, { body: 'Right 2', times: 2 });
		const again = await service.retry(failed, await titled('={{ "Right " + $json.n }}'), RETRY);
		expect(again.error).toBeUndefined();
		expect(titlesOf(again)).toEqual(['Right 1', 'Right 2']);
		await expect(service.titles()).resolves.toEqual(['Right 1', 'Right 2']);
	});

	it('does not send the first again on the next Retry execution', async () => {
		service.lose('POST', path, REFUSED, { body: 'Typo' });
		const first = await service.run(await titled('={{ "Typo " + $json.n }}'), await numbered(2));
		service.lose('POST', path, REFUSED, { body: 'Right 2' });
		const second = await service.retry(first, await titled('={{ "Right " + $json.n }}'));
		expect(second.error).toMatchObject({ httpCode: '402' });
		const third = await service.retry(second, await titled('={{ "Right " + $json.n }}'));
		expect(third.error).toBeUndefined();
		await expect(service.titles()).resolves.toEqual(['Right 1', 'Right 2']);
	});

	it('does not send the first again that was sent before the correction, names it, and keeps it when a person asks again', async () => {
		service.lose('POST', path, REFUSED, { body: 'A 2' });
		const first = await service.run(await titled('={{ "A " + $json.n }}'), await numbered(2));
		const done = (await service.documents()).filter(({ title }) => title === 'A 1').map(({ id }) => id);
		const told = await service.retry(first, await titled('={{ "B " + $json.n }}'), RETRY);
		expect(said(told.error)).toContain(
			`The parameters were changed since an earlier try: 1 item was carried out (${done.join()}).`,
		);
		service.lose('POST', path, REFUSED, { body: 'B 2' });
		const kept = await service.retry(told, await titled('={{ "B " + $json.n }}'));
		expect(kept.error).toMatchObject({ httpCode: '402' });
		const third = await service.retry(kept, await titled('={{ "B " + $json.n }}'));
		expect(titlesOf(third)).toEqual(['A 1', 'B 2']);
		await expect(service.titles()).resolves.toEqual(['A 1', 'B 2']);
	});

	it('corrected back gives for the first what was asked for first', async () => {
		service.lose('POST', path, REFUSED, { body: 'A 2' });
		const first = await service.run(await titled('={{ "A " + $json.n }}'), await numbered(2));
		const told = await service.retry(first, await titled('={{ "B " + $json.n }}'));
		const third = await service.retry(told, await titled('={{ "A " + $json.n }}'));
		expect(titlesOf(third)).toEqual(['A 1', 'A 2']);
		await expect(service.titles()).resolves.toEqual(['A 1', 'A 2']);
	});
});

it.each(OPERATIONS)('%s of three items sends only the one that an expression corrects', async (_, path, titled) => {
	service.lose('POST', path, REFUSED, { body: 'No 2' });
	const settings = { ...RETRY, maxTries: 2 };
	service.lose('POST', path, REFUSED, { body: 'No 2' });
	const failed = await service.run(await titled('={{ "No " + $json.n }}'), await numbered(3), settings);
	expect(failed.error).toMatchObject({ httpCode: '402' });
	const corrected = await titled('={{ $json.n === 2 ? "Corrected" : "No " + $json.n }}');
	const again = await service.retry(failed, corrected, settings);
	expect(again.items.map(({ json, pairedItem }) => [json.title, pairedItem])).toEqual([
		['No 1', { item: 0 }],
		['Corrected', { item: 1 }],
		['No 3', { item: 2 }],
	]);
	await expect(service.titles()).resolves.toEqual(['Corrected', 'No 1', 'No 3']);
});

it('Document > Remind, its documents corrected, sends no second reminder for the first while the second is refused', async () => {
	const ids = [(await service.direct.sent()).id, (await service.direct.sent()).id];
	const remind = (id: string): INodeParameters => ({ resource: 'document', operation: 'remind', documentId: byId(id) });
	const items = ids.map((id) => ({ json: { id } }));
	const first = await service.run(remind('={{ "doc_wrong" }}'), items);
	expect(first.error).toMatchObject({ httpCode: '404' });
	service.requests.length = 0;
	service.lose('POST', new RegExp(`${ids[1]}/remind$`), REFUSED, { times: 4 });
	const second = await service.retry(first, remind('={{ $json.id }}'), RETRY);
	const third = await service.retry(second, remind('={{ $json.id }}'), RETRY);
	expect(third.error).toBeUndefined();
	expect(service.requests.filter((request) => request === `POST /documents/${ids[0]}/remind`)).toHaveLength(1);
});
