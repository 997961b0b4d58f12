import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { bench, openBench } from '../support/operationRun';
import { contract } from '../support/workbench';

openBench();

const PEOPLE = { recipients: { recipient: [{ name: 'Ada Lovelace', email: 'ada@example.com' }] } };
const BOX = {
	recipient: 'Ada Lovelace',
	type: 'SIGNATURE',
	pageNumber: 1,
	xNorm: 0.1,
	yNorm: 0.5,
	widthNorm: 0.3,
	heightNorm: 0.1,
};

async function create(parameters: INodeParameters, fileName = 'contract.pdf', operation = 'create') {
	const items = [{ json: {}, binary: { data: await contract(fileName) } }];
	const {
		items: output,
		error,
		hints,
	} = await bench.run('document', operation, { ...PEOPLE, ...parameters }, { items });
	expect(error).toBeUndefined();
	const bodies = bench.takeRequests().map(({ body }) => body as IDataObject);
	const { fields } = (bodies.find((body) => body?.fields !== undefined) ?? {}) as { fields?: IDataObject[] };
	return { document: output[0]?.json ?? {}, fields, hints };
}

describe('Document > Create, filled in no further than file and recipients', () => {
	it('places a signature box for each signer on the last page, so that the document can be sent', async () => {
		const { document, fields } = await create({}, undefined, 'createAndSend');
		expect(document).toMatchObject({ status: 'in_progress', title: 'contract' });
		expect(fields).toMatchObject([{ type: 'SIGNATURE', pageNumber: 3 }]);
	});

	it.each<[string, INodeParameters, number]>([
		['first', { page: 'first' }, 1],
		['last', { page: 'last', pageNumber: 2 }, 3],
		['a number', { page: 'number', pageNumber: 2 }, 2],
		['a number alone', { pageNumber: 2 }, 2],
	])('Page: %s', async (_, automatic, pageNumber) => {
		expect((await create({ automatic })).fields).toMatchObject([{ pageNumber }]);
	});
});

describe('The title', () => {
	it.each([
		['Service Agreement v1.2.pdf', 'Service Agreement v1.2'],
		['no extension', 'no extension'],
		[`${'\u{1F4DD}'.repeat(170)}.pdf`, '\u{1F4DD}'.repeat(160)],
		['.pdf', 'Untitled document'],
	])('of %s is its name without the extension', async (fileName, title) => {
		expect((await create({}, fileName)).document.title).toBe(title);
	});

	it('as given, where one is given', async () => {
		expect((await create({ title: 'Ours' })).document.title).toBe('Ours');
	});
});

describe('Fields placed one by one', () => {
	const IS_DRAFT: unknown = expect.stringContaining('created, not sent');

	it('take the name of a recipient, and say when two boxes overlap', async () => {
		const form = (...field: IDataObject[]) => ({ fieldsInput: 'form', fields: { field } }) as INodeParameters;
		const { fields, hints, document } = await create(form(BOX, { ...BOX, type: 'DATE', yNorm: 0.55 }));
		const [ada] = document.recipients as IDataObject[];
		expect(fields).toMatchObject([{ recipientId: ada?.id }, { recipientId: ada?.id }]);
		expect(hints.map(({ message }) => message)).toEqual([
			expect.stringMatching(/^Fields 1 and 2 of item 0 overlap on page 1/),
			IS_DRAFT,
		]);
		const apart = await create(form(BOX, { ...BOX, yNorm: 0.6 }, { ...BOX, pageNumber: 2 }));
		expect(apart.hints.map(({ message }) => message)).toEqual([IS_DRAFT]);
	});
});
