import type { IBinaryData, IDataObject, INodeExecutionData, INodeParameters } from 'n8n-workflow';
import { bench, openBench } from '../support/operationRun';
import { contract, DRAFT } from '../support/workbench';
import { said } from '../support/said';

openBench();

/** An item without files, as an HTTP Request leaves it, in whose JSON they still lie. */
async function dropped(): Promise<INodeExecutionData> {
	const json = { contract: await contract('Contract.pdf'), annex: await contract('Annex.pdf') };
	return { json: json as unknown as IDataObject };
}

/** What n8n calls Execution Logic v2. */
async function inJson(...fields: string[]): Promise<INodeExecutionData> {
	const files = fields.map(async (field) => [field, await contract(`${field}.pdf`)] as const);
	return { json: { _files: Object.fromEntries(await Promise.all(files)) } as IDataObject };
}

async function run(
	[resource, operation]: [string, string],
	given: string | undefined,
	item: INodeExecutionData,
	binaryMode?: 'combined',
) {
	const name = resource === 'file' ? 'binaryPropertyName' : 'binaryPropertyNames';
	const parameters: INodeParameters = {
		...(resource === 'document' && DRAFT),
		...(given !== undefined && { [name]: given }),
	};
	const workflowSettings = { binaryMode };
	const { error, items } = await bench.run(resource, operation, parameters, {
		items: [item],
		workflowSettings,
	});
	return { error: error && said(error), json: items[0]?.json ?? {} };
}

const UPLOAD: [string, string] = ['file', 'upload'];
const CREATE: [string, string] = ['document', 'create'];

describe('A file by expression is taken as n8n gives it:', () => {
	it.each<[string, string, string[]]>([
		['alone', '={{ $json.contract }}', ['Contract.pdf']],
		['as a list of one', '={{ [$json.contract] }}', ['Contract.pdf']],
		['in a list', '={{ [$json.contract, $json.annex] }}', ['Contract.pdf', 'Annex.pdf']],
		['in nested lists', '={{ [[$json.annex], $json.contract] }}', ['Annex.pdf', 'Contract.pdf']],
		['mixed with names', '={{ ["scan", $json.annex] }}', ['Scan.pdf', 'Annex.pdf']],
		['as all of an item', "={{ Object.values($('Items').item.binary) }}", ['Scan.pdf']],
		['of an earlier node', "={{ $('Items').item.binary.scan }}", ['Scan.pdf']],
	])('%s', async (_, given, names) => {
		const item = { ...(await dropped()), binary: { scan: await contract('Scan.pdf') } };
		const { error, json } = await run(CREATE, given, item);
		expect(error).toBeUndefined();
		expect(json).toMatchObject({ title: names[0]?.replace('.pdf', '') });
		expect(json.file_ids).toHaveLength(names.length);
		const uploads = bench.takeRequests().filter(({ path }) => path === '/files');
		expect(uploads).toHaveLength(names.length);
		if (names.length > 1) return;

		const uploaded = await run(UPLOAD, given, item);
		expect(uploaded).toMatchObject({ error: undefined, json: { name: names[0] } });
	});

	it.each<[string, string, RegExp]>([
		['names no file', '={{ $json.nothing }}', /its expression found nothing/],
		['has a gap', '={{ [$json.contract, $json.nothing] }}', /has nothing as entry 2 of its list/],
		['is all files at once', '={{ $binary }}', /is an object, neither a file nor the name/],
		[
			'has no content',
			'={{ $binary.scan }}',
			/is an object, neither a file nor the name of a field/,
		],
		['has no type', '={{ ({ data: "x" }) }}', /is an object, neither a file nor/],
		['has 11', '={{ Array(11).fill($json.contract) }}', /has 11 entries/],
	])('and refused before a request if it %s', async (_, given, what) => {
		const item = { ...(await dropped()), binary: { scan: await contract('Scan.pdf') } };
		const { error } = await run(CREATE, given, item);
		expect(error).toMatch(/^Input Binary Fields/);
		expect(error).toMatch(what);
		expect(bench.takeRequests()).toEqual([]);
	});
});

describe('A workflow of Execution Logic v2', () => {
	it.each<[string | undefined, string[]]>([
		[undefined, ['data']],
		[undefined, ['Your_contract']],
		['data', ['other', 'data']],
		['_files.annex', ['annex', 'data']],
		['={{ $json._files.annex }}', ['data', 'annex']],
	])('gives with %s the file that is meant of %j', async (given, fields) => {
		const expected = given?.includes('annex') ? 'annex' : (given ?? fields[0]);
		for (const operation of [UPLOAD, CREATE]) {
			const { error, json } = await run(operation, given, await inJson(...fields), 'combined');
			expect(error).toBeUndefined();
			expect(String(json.name ?? json.title).replace('.pdf', '')).toBe(expected);
		}
	});

	it('alone reads files from the JSON of an item, which others may have written', async () => {
		const { error } = await run(CREATE, undefined, await inJson('data'));
		expect(error).toMatch(/the input item has no files/);
	});
});

it('A file of a Code node needs neither a name nor a field', async () => {
	const { data, mimeType } = (await contract()) as IBinaryData;
	const item = { json: { file: { data, mimeType } } as IDataObject };
	expect(await run(UPLOAD, '={{ $json.file }}', item)).toMatchObject({ json: { name: 'data' } });
});
