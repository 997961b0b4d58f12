import {
	create,
	DOCUMENTS,
	DONE,
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

beforeEach(() => use(service.sandbox.keys.test));

function use(apiKey: string): void {
	service.n8n.credentials.use({ ...service.credential, apiKey });
}

async function inLive(): Promise<Array<{ id: string; title: string }>> {
	const headers = { authorization: `Bearer ${service.sandbox.keys.live}` };
	const answer = await fetch(`${service.sandbox.url}/documents`, { headers });
	return ((await answer.json()) as { data: Array<{ id: string; title: string }> }).data;
}

describe('Retry execution with a key of the other mode', () => {
	it('does with that key what was done with the other, and hands out nothing of it', async () => {
		const parameters = create('={{ "T " + $json.n }}');
		service.lose('POST', DOCUMENTS, REFUSED, { body: 'T 2' });
		const failed = await service.run(parameters, await numbered(2));
		expect(failed.error).toMatchObject({ httpCode: '402' });
		use(service.sandbox.keys.live);
		const again = await service.retry(failed, parameters);
		expect(titlesOf(again)).toEqual(['T 1', 'T 2']);
		expect((await inLive()).map(({ id }) => id).sort()).toEqual(again.items.map(({ json }) => json.id).sort());
	});

	it('begins a document anew of which the other has a draft', async () => {
		service.lose('POST', SEND, REFUSED);
		const failed = await service.run(create('T'), await numbered(1));
		expect(said(failed.error)).toMatch(/^The draft doc_\w+ was created, but sending it failed/);
		use(service.sandbox.keys.live);
		const again = await service.retry(failed, create('T'));
		expect(again.items.map(({ json }) => json.status)).toEqual(['in_progress']);
		expect((await inLive()).map(({ id }) => id)).toEqual(again.items.map(({ json }) => json.id));
	});
});

/** A key runs out, or is replaced: the workspace is the same. */
describe('Retry execution with another key of the same mode', () => {
	const another = async () => (await service.sandbox.control.createKey({ mode: 'TEST' })).key;

	it('names what is done, and keeps it when a person asks again', async () => {
		const parameters = await service.templateSend('={{ "T " + $json.n }}');
		service.lose('POST', TEMPLATE_SEND, REFUSED, { body: 'T 3' });
		const failed = await service.run(parameters, await numbered(3));
		const ids = (await service.documents()).map(({ title, id }) => [title, id]).sort();
		use(await another());
		const told = await service.retry(failed, parameters);
		expect(said(told.error)).toContain(
			`The API key was changed since an earlier try: 2 items were carried out (${ids.map(([, id]) => id).join(', ')}).`,
		);
		const again = await service.retry(told, parameters);
		expect(titlesOf(again)).toEqual(['T 1', 'T 2', 'T 3']);
		await expect(service.titles()).resolves.toEqual(['T 1', 'T 2', 'T 3']);
	});

	it('names the draft that the other has left, and goes on with it when a person asks again', async () => {
		service.lose('POST', SEND, REFUSED);
		const failed = await service.run(create('T'), await numbered(1));
		const [draft] = await service.documents();
		use(await another());
		const told = await service.retry(failed, create('T'));
		expect(said(told.error)).toContain(
			`The API key was changed since an earlier try: The draft ${draft?.id} was created.`,
		);
		await expect(service.documents()).resolves.toHaveLength(1);
		const again = await service.retry(told, create('T'));
		expect(again.items.map(({ json }) => [json.id, json.status])).toEqual([[draft?.id, 'in_progress']]);
		await expect(service.documents()).resolves.toHaveLength(1);
	});

	it.each([
		['is there', DONE, 1],
		['is not there', NOT_DONE, 0],
	])('looks with the new key for what a lost answer has created, which %s', async (_, loss, documents) => {
		const parameters = await service.templateSend('T');
		service.loseForGood(TEMPLATE_SEND, loss);
		const failed = await service.run(parameters);
		expect(said(failed.error)).toContain('is not known');
		service.mend();
		await expect(service.documents()).resolves.toHaveLength(documents);
		use(await another());
		const next = await service.retry(failed, parameters);
		if (documents > 0)
			expect(said(next.error)).toMatch(/The API key was changed .* The document doc_\w+ was created\./);
		const again = next.error ? await service.retry(next, parameters) : next;
		expect(titlesOf(again)).toEqual(['T']);
		await expect(service.titles()).resolves.toEqual(['T']);
	});
});
