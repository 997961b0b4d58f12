import { byId, Workbench } from './workbench';

let bench: Workbench;
let nda = '';

beforeAll(async () => {
	bench = await Workbench.open();
	const templates = await bench.prepare('template', 'getAll');
	nda = String(templates.find(({ name }) => name === 'Mutual NDA')?.id);
});
beforeEach(() => {
	bench.takeRequests();
});
afterAll(async () => await bench.close());

const ids = () => [{ json: { id: 'tpl_unknown' } }, { json: { id: nda } }, { json: { id: '' } }];
const templateId = byId('={{ $json.id }}');

describe('With Continue On Fail', () => {
	it('every item comes out, paired, a failed one with message, description, code and status', async () => {
		const { items, error } = await bench.run(
			'template',
			'get',
			{ templateId },
			{
				items: ids(),
				settings: { onError: 'continueRegularOutput' },
			},
		);
		expect(error).toBeUndefined();
		expect(items.map(({ pairedItem }) => pairedItem)).toEqual([{ item: 0 }, { item: 1 }, { item: 2 }]);
		expect(items[0]?.json).toMatchObject({
			error: expect.any(String) as string,
			description: expect.any(String) as string,
			code: 'template_not_found',
			httpCode: '404',
		});
		expect(items[1]?.json).toMatchObject({ id: nda, name: 'Mutual NDA' });
		expect(items[2]?.json).toEqual({
			error: 'Template: is empty. Choose one from the list, or give its ID.',
			description: 'Nothing was changed at the service for this item.',
		});
	});

	it('the error output gets the failed items with the same facts, the regular output the others', async () => {
		const { outputs } = await bench.run(
			'template',
			'get',
			{ templateId },
			{
				items: ids(),
				settings: { onError: 'continueErrorOutput' },
			},
		);
		const [regular = [], failed = []] = outputs;
		expect(regular.map(({ json, pairedItem }) => [json.id, pairedItem])).toEqual([[nda, { item: 1 }]]);
		expect(failed.map(({ pairedItem }) => pairedItem)).toEqual([{ item: 0 }, { item: 2 }]);
		const [unknown] = failed.map(({ json }) => json);
		expect(unknown).toMatchObject({
			id: 'tpl_unknown',
			message: expect.any(String) as string,
			error: { message: unknown?.message, code: 'template_not_found', httpCode: '404' },
		});
	});
});

describe('Without Continue On Fail', () => {
	it('the first failure stops the node and names its item', async () => {
		const items = [{ json: { id: nda } }, { json: { id: 'tpl_unknown' } }, { json: { id: nda } }];
		const { error } = await bench.run('template', 'get', { templateId }, { items });
		expect(error?.context?.itemIndex).toBe(1);
		expect(error).toMatchObject({ httpCode: '404' });
	});

	it('nothing with an effect is done for the items after it', async () => {
		const items = [{ json: { id: 'doc_one' } }, { json: { id: 'doc_two' } }];
		const { error } = await bench.run('document', 'cancel', { documentId: byId('={{ $json.id }}') }, { items });
		expect(error?.context?.itemIndex).toBe(0);
		expect(bench.takeRequests()).toMatchObject([{ path: '/documents/doc_one/cancel' }]);
	});
});

describe('An item', () => {
	it('with an operation that its resource does not have is refused by name', async () => {
		const { error } = await bench.run('account', 'delete');
		expect(error?.message).toBe('account has no operation delete');
		expect(bench.takeRequests()).toEqual([]);
	});

	it('keeps an ID in its own path segment, whatever it holds', async () => {
		const { error } = await bench.run('template', 'get', { templateId: byId(`${nda}/links?x=1#y`) });
		expect(error).toMatchObject({ httpCode: '404' });
		expect(bench.takeRequests()).toMatchObject([{ path: `/templates/${nda}%2Flinks%3Fx%3D1%23y`, query: {} }]);
	});
});
