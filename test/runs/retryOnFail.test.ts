import type { INode } from 'n8n-workflow';
import { DOCUMENTS, LossyService, numbered, REFUSED, TEMPLATE_SEND, titlesOf } from './support/lossyService';
import { byId, createAndSend, RETRY } from '../actions/support/workbench';

const service = LossyService.ofThisFile();

const FIELDS = /\/fields$/;
const TITLE = '={{ "T " + $json.n }}';
const RANDOM = '={{ "T " + $json.n + " " + Math.random() }}';

describe('Retry On Fail', () => {
	it.each<[string, string, RegExp, string, Partial<INode>]>([
		['from a template', TITLE, TEMPLATE_SEND, 'T 2', {}],
		['from files', TITLE, DOCUMENTS, 'T 2', {}],
		['whose titles resolve differently at each try', RANDOM, TEMPLATE_SEND, 'T 2', {}],
		// n8n repeats everything when the first item has failed.
		['with Continue On Fail', TITLE, TEMPLATE_SEND, 'T 1', { onError: 'continueRegularOutput' }],
	])('sends three documents once %s, where one of them is refused twice', async (_, title, path, refused, settings) => {
		service.lose('POST', path, REFUSED, { body: refused, times: 2 });
		const parameters = path === DOCUMENTS ? createAndSend(title) : await service.templateSend(title);
		const run = await service.run(parameters, await numbered(3), { ...RETRY, ...settings });
		expect(run.error).toBeUndefined();
		expect(run.items.map(({ json, pairedItem }) => [json.status, pairedItem])).toEqual(
			[0, 1, 2].map((item) => ['in_progress', { item }]),
		);
		await expect(service.titles()).resolves.toEqual(titlesOf(run).sort());
		expect(service.requests.filter((request) => path.test(request.replace('POST ', '')))).toHaveLength(5);
	});

	it('goes on from the draft of a document that failed, though its title resolves differently at each try', async () => {
		service.lose('PUT', FIELDS, REFUSED);
		const run = await service.run(createAndSend(RANDOM), await numbered(2), RETRY);
		expect(run.error).toBeUndefined();
		expect(run.items.map(({ json }) => json.status)).toEqual(['in_progress', 'in_progress']);
		await expect(service.titles()).resolves.toEqual(titlesOf(run).sort());
	});

	it('reads again what a try before has read', async () => {
		const { id } = await service.direct.draft('T', ['ada@example.com']);
		const parameters = { resource: 'document', operation: 'get', documentId: byId('={{ $json.id }}') };
		const items = [{ json: { id } }, { json: { id: 'doc_unknown' } }];
		await service.run(parameters, items, { ...RETRY, maxTries: 2 });
		const reads = [`GET /documents/${id}`, 'GET /documents/doc_unknown'];
		expect(service.requests).toEqual([...reads, ...reads]);
	});
});

it('The same item in the next execution is sent again', async () => {
	const parameters = await service.templateSend('T');
	await service.run(parameters);
	await service.run(parameters);
	await expect(service.titles()).resolves.toEqual(['T', 'T']);
});
