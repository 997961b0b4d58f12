import type { INodeParameters } from 'n8n-workflow';
import {
	create,
	LossyService,
	NOT_DONE,
	numbered,
	REFUSED,
	SEND,
	TEMPLATE_SEND,
	titlesOf,
} from '../support/lossyService';
import { said } from '../support/said';
import { byId, RETRY } from '../support/workbench';

const service = LossyService.ofThisFile();

const title = '={{ "T " + $json.n }}';

/** The first of two items is sent, the second is refused. Then the execution is retried with other parameters. */
async function retriedWith(before: INodeParameters, after: INodeParameters) {
	service.lose('POST', TEMPLATE_SEND, REFUSED, { body: 'T 2' });
	const failed = await service.run(before, await numbered(2));
	expect(failed.error).toMatchObject({ httpCode: '402' });
	return await service.retry(failed, after);
}

describe('An item that is done is not sent again', () => {
	it('after the template was chosen from the list instead of by its ID, and was renamed since', async () => {
		const parameters = await service.templateSend(title);
		const { value } = parameters.templateId as { value: string };
		const listed = (cachedResultName: string): INodeParameters => ({
			...parameters,
			templateId: { mode: 'list', __rl: true, value, cachedResultName, cachedResultUrl: '' },
		});
		const again = await retriedWith(parameters, listed('Mutual NDA'));
		expect(titlesOf(again)).toEqual(['T 1', 'T 2']);
		await expect(service.titles()).resolves.toEqual(['T 1', 'T 2']);
	});

	/** Field values, as the editor keeps them with what it knows of the fields. */
	const mapped = async (value: object, ...fields: object[]): Promise<INodeParameters> => {
		const templateId = await service.direct.template('Mutual NDA');
		const schema = fields.map((field) => ({ templateId, kind: 'TEXT', type: 'string', display: true, ...field }));
		const fieldValues = { mappingMode: 'defineBelow', value, matchingColumns: [], schema };
		return await service.templateSend(title, { fieldValues: fieldValues as unknown as INodeParameters });
	};

	it('after the editor has read the fields of the template anew, and written them in another order', async () => {
		const before = await mapped({ project: 'P', scope: 'S' }, { id: 'project' }, { id: 'scope' });
		const after = await mapped(
			{ scope: 'S', project: 'P' },
			{ id: 'scope' },
			{ id: 'project', displayName: 'Project' },
		);
		const again = await retriedWith(before, after);
		expect(titlesOf(again)).toEqual(['T 1', 'T 2']);
		await expect(service.titles()).resolves.toEqual(['T 1', 'T 2']);
	});

	it('and is named first where a field was removed: then it is asked for without its value', async () => {
		const before = await mapped({ project: 'P' }, { id: 'project' });
		const after = await mapped({ project: 'P' }, { id: 'project', removed: true });
		const told = await retriedWith(before, after);
		const [done] = await service.documents();
		expect(said(told.error)).toContain(`1 item was carried out (${done?.id}).`);
		const again = await service.retry(told, after);
		expect(again.items.map(({ json }) => [json.id === done?.id, json.title])).toEqual([
			[true, 'T 1'],
			[false, 'T 2'],
		]);
		await expect(service.titles()).resolves.toEqual(['T 1', 'T 2']);
	});

	it('after an expression that could not be evaluated in one try', async () => {
		service.lose('POST', TEMPLATE_SEND, REFUSED, { body: 'T 2' });
		const parameters = await service.templateSend('={{ $vars.broken ? $("Nowhere").item.json.x : "T " + $json.n }}');
		const failed = await service.run(parameters, await numbered(2));
		service.n8n.variables.broken = true;
		const broken = await service.retry(failed, parameters);
		expect(broken.error).toBeDefined();
		service.n8n.variables.broken = false;
		const again = await service.retry(broken, parameters);
		expect(titlesOf(again)).toEqual(['T 1', 'T 2']);
		await expect(service.titles()).resolves.toEqual(['T 1', 'T 2']);
	});
});

it('Fields that are mapped automatically go by what the editor knows of them: read anew, they are a correction', async () => {
	const templateId = await service.direct.template('Mutual NDA');
	const send = async (...ids: string[]) => {
		const schema = ids.map((id) => ({ templateId, kind: 'TEXT', type: 'string', display: true, id, displayName: id }));
		const fieldValues = { mappingMode: 'autoMapInputData', value: null, matchingColumns: [], schema };
		return await service.templateSend('T', { fieldValues: fieldValues as unknown as INodeParameters });
	};
	const items = [{ json: { client_company: 'ACME', governing_law: 'Nowhere' } }];
	service.loseForGood(TEMPLATE_SEND, NOT_DONE);
	const failed = await service.run(await send('client_company'), items);
	service.mend();
	// Its value reaches the service, which does not take it.
	const again = await service.retry(failed, await send('client_company', 'governing_law'));
	expect(said(again.error)).toContain('governing_law');
});

it('Parameters that the form hides do not count: fields given as JSON and then automatic again go on with the draft', async () => {
	service.lose('POST', SEND, REFUSED);
	const failed = await service.run(create('T'), await numbered(1));
	const [draft] = await service.documents();
	const json = create('T', undefined, { fieldsInput: 'json', fieldsJson: '[]' });
	const refused = await service.retry(failed, json);
	expect(refused.error).toBeDefined();
	const again = await service.retry(refused, create('T', undefined, { fieldsJson: '[{"type":"TEXT"}]' }));
	expect(again.items.map(({ json: { id, status } }) => [id, status])).toEqual([[draft?.id, 'in_progress']]);
	await expect(service.documents()).resolves.toHaveLength(1);
});

it('Another operation for the item is a correction, too: what the first has left is named before it', async () => {
	service.lose('POST', SEND, REFUSED);
	const failed = await service.run(create('T'), await numbered(1));
	const [draft] = await service.documents();
	const other = await service.templateSend('T');
	const told = await service.retry(failed, other);
	expect(said(told.error)).toContain(`The draft ${draft?.id} was created.`);
	await expect(service.documents()).resolves.toHaveLength(1);
	const again = await service.retry(told, other);
	expect(titlesOf(again)).toEqual(['T']);
});

it('What is named says which document it is about', async () => {
	const { id } = await service.direct.sent();
	const cancel = (document: string): INodeParameters => ({
		resource: 'document',
		operation: 'cancel',
		documentId: byId(document),
	});
	service.lose('POST', /\/cancel$/, { how: 503, afterMs: 1 }, { times: 2 });
	const failed = await service.run(cancel(id));
	expect(failed.error).toBeDefined();
	const { id: other } = await service.direct.sent();
	const told = await service.retry(failed, cancel(other));
	expect(said(told.error)).toContain(`Whether an earlier try could cancel the document is not known: ${id}.`);
	const again = await service.retry(told, cancel(other));
	expect(again.items.map(({ json }) => [json.id, json.status])).toEqual([[other, 'cancelled']]);
});

it.each(['send', 'cancel'])(
	'A %s that is refused at each try is told as refused, and succeeds at none',
	async (operation) => {
		const { id } = await service.direct.sent();
		if (operation === 'cancel') await service.direct.call('POST', `/documents/${id}/cancel`);
		const parameters = { resource: 'document', operation, documentId: byId(id) };
		const failed = await service.run(parameters, [{ json: {} }], RETRY);
		expect(failed.error).toMatchObject({ httpCode: '409' });
		const again = await service.retry(failed, parameters);
		expect(again.error).toMatchObject({ httpCode: '409' });
		expect(said(again.error)).not.toContain('not answered');
	},
);
