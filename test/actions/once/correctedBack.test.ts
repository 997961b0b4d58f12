import {
	ADA,
	create,
	DOCUMENT,
	DOCUMENTS,
	DONE,
	DOWN,
	LossyService,
	NOT_DONE,
	numbered,
	REFUSED,
	SEND,
	TEMPLATE_SEND,
	titlesOf,
} from '../support/lossyService';
import { said } from '../support/said';

const service = LossyService.ofThisFile();

const states = async () => (await service.documents()).map(({ title, status }) => `${title} ${status}`).sort();

/** The send is carried out, and nobody can tell. */
function loseSend(): void {
	service.lose('POST', SEND, DONE);
	service.lose('POST', SEND, DOWN, { times: 5 });
	service.lose('GET', DOCUMENT, DOWN, { times: 5 });
}

describe('Template > Send, corrected, and corrected back', () => {
	it('adopts the document that was made first, also after the correction was named and refused', async () => {
		service.loseForGood(TEMPLATE_SEND, DONE, '"A"');
		const first = await service.run(await service.templateSend('A'));
		expect(said(first.error)).toContain('is not known');
		service.mend();
		const [made] = await service.documents();
		const told = await service.retry(first, await service.templateSend('B'));
		expect(said(told.error)).toContain(`The document ${made?.id} was created.`);
		service.lose('POST', TEMPLATE_SEND, REFUSED, { body: '"B"' });
		const refused = await service.retry(told, await service.templateSend('B'));
		expect(refused.error).toMatchObject({ httpCode: '402' });
		const back = await service.retry(refused, await service.templateSend('A'));
		expect(back.error).toBeUndefined();
		expect(back.items.map(({ json }) => json.id)).toEqual([made?.id]);
		await expect(service.titles()).resolves.toEqual(['A']);
	});

	it('names once what the correction has left, and gives what was done before it', async () => {
		const titled = async (name: string) => await service.templateSend(`={{ "${name} " + $json.n }}`);
		service.lose('POST', TEMPLATE_SEND, REFUSED, { body: 'A 2' });
		const first = await service.run(await titled('A'), await numbered(2));
		const [done] = await service.documents();
		const toldDone = await service.retry(first, await titled('B'));
		expect(said(toldDone.error)).toContain(`1 item was carried out (${done?.id}).`);
		service.loseForGood(TEMPLATE_SEND, DONE, 'B 2');
		const second = await service.retry(toldDone, await titled('B'));
		expect(said(second.error)).toContain('is not known');
		service.mend();
		const left = (await service.documents()).find(({ title }) => title === 'B 2');
		const told = await service.retry(second, await titled('A'));
		expect(said(told.error)).toContain(`The document ${left?.id} was created.`);
		const back = await service.retry(told, await titled('A'));
		expect(titlesOf(back)).toEqual(['A 1', 'A 2']);
		await expect(service.titles()).resolves.toEqual(['A 1', 'A 2', 'B 2']);
	});
});

describe('Document > Create, corrected, and corrected back', () => {
	it('goes on with a draft that was perhaps sent, also after the correction was named and refused', async () => {
		loseSend();
		const first = await service.run(create('A'), await numbered(1));
		expect(said(first.error)).toMatch(/^The draft doc_\w+ was created, but sending it failed/);
		service.mend();
		const [made] = await service.documents();
		const told = await service.retry(first, create('B'));
		expect(said(told.error)).toContain(`The document ${made?.id} was created, and may have been sent.`);
		service.lose('POST', DOCUMENTS, REFUSED, { body: '"B"' });
		const refused = await service.retry(told, create('B'));
		const back = await service.retry(refused, create('A'));
		expect(back.items.map(({ json }) => [json.id, json.status])).toEqual([[made?.id, 'in_progress']]);
		await expect(states()).resolves.toEqual(['A in_progress']);
	});

	it('succeeds with a document that is out already, and names the one that was made for other recipients', async () => {
		loseSend();
		const first = await service.run(create('T'), await numbered(1));
		service.mend();
		const [made] = await service.documents();
		const byron = create('T', { ...ADA, name: 'Byron' });
		const told = await service.retry(first, byron);
		expect(said(told.error)).toContain(String(made?.id));
		service.lose('POST', SEND, REFUSED);
		const refused = await service.retry(told, byron);
		const other = (await service.documents()).find(({ id }) => id !== made?.id);
		const toldAgain = await service.retry(refused, create('T'));
		expect(said(toldAgain.error)).toContain(`The draft ${other?.id} was created.`);
		const back = await service.retry(toldAgain, create('T'));
		expect(back.items.map(({ json }) => [json.id, json.status])).toEqual([[made?.id, 'in_progress']]);
		await expect(states()).resolves.toEqual(['T draft', 'T in_progress']);
	});

	it('makes the first once, with its own PIN, though the answers to both were lost', async () => {
		const pin = (digits: string) => create('T', { ...ADA, pin: digits });
		service.loseForGood(DOCUMENTS, NOT_DONE, '1111');
		const first = await service.run(pin('1111'), await numbered(1));
		service.mend();
		service.lose('POST', DOCUMENTS, DONE, { body: '2222' });
		service.lose('GET', DOCUMENTS, DOWN, { skip: 1, times: 5 });
		const second = await service.retry(first, pin('2222'));
		expect(said(second.error)).toContain('is not known');
		service.mend();
		const [left] = await service.documents();
		const told = await service.retry(second, pin('1111'));
		expect(said(told.error)).toContain(`The document ${left?.id} was created.`);
		const back = await service.retry(told, pin('1111'));
		expect(back.error).toBeUndefined();
		expect(back.items[0]?.json.id).not.toBe(left?.id);
		await expect(states()).resolves.toEqual(['T draft', 'T in_progress']);
	});
});
