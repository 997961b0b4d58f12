import type { IDataObject, INode, INodeParameters } from 'n8n-workflow';
import { N8n } from '../support/n8nCore/n8n';
import { asTool } from '../support/n8nCore/toolCalls';
import { client } from '../../nodes/ESign/client';
import { defaultSettings } from '../../nodes/ESign/client/settings';
import { ESign } from '../../nodes/ESign/ESign.node';
import { json, startScripted } from '../client/support/scriptedService';
import { failedItem, nodeError } from '../../nodes/ESign/operation';
import { bench, clock, openBench } from './support/operationRun';
import { scriptedItem } from './support/scriptedItem';
import { byId, TYPE, Workbench } from './support/workbench';

openBench();

let nda = '';
beforeEach(async () => {
	nda = await bench.direct.template('Mutual NDA');
});

const templateId = byId('={{ $json.id }}');
const CONTINUE = { onError: 'continueRegularOutput' as const };
const FILE = { data: { data: 'aGk=', mimeType: 'text/plain' } };

/** Reads templates: one that there is not, the NDA, and one without an ID. */
async function three(settings: Partial<INode>, row: IDataObject = {}) {
	const items = ['tpl_unknown', nda, ''].map((id) => ({ json: { ...row, id }, binary: FILE }));
	return await bench.run('template', 'get', { templateId }, { items, settings });
}

const UNKNOWN = { code: 'template_not_found', httpCode: '404', in_doubt: false };

describe('With Continue On Fail', () => {
	it('every item is returned, paired, a failed one with its row as it was, message, description, code and status', async () => {
		const row = {
			description: 'mine',
			code: 'mine',
			httpCode: 'mine',
			message: 'mine',
			details: 'mine',
		};
		const { items, error } = await three(CONTINUE, { ...row, error: 'of an earlier failure' });
		expect(error).toBeUndefined();
		expect(items.map(({ pairedItem }) => pairedItem)).toEqual([
			{ item: 0 },
			{ item: 1 },
			{ item: 2 },
		]);
		const [unknown, read, empty] = items.map(({ json }) => json);
		const message = 'There is no such template: tpl_unknown';
		expect(unknown).toMatchObject({
			...row,
			id: 'tpl_unknown',
			error: message,
			error_details: UNKNOWN,
		});
		expect(items.map(({ binary }) => binary)).toEqual([FILE, undefined, FILE]);
		expect(read).toMatchObject({ id: nda, name: 'Mutual NDA' });
		const description =
			'Correct the expression.\nNothing was changed at the service for this item.';
		const none = 'Template: its expression found nothing';
		expect(empty).toMatchObject({ ...row, id: '', error: none, error_details: { description } });
	});

	it('a fact that is not there is no field: Remove Duplicates refuses undefined', async () => {
		const { items } = await three(CONTINUE);
		const facts = items[2]?.json.error_details ?? {};
		expect(Object.keys(facts)).toEqual(['description', 'in_doubt']);
	});

	it('an item that was in doubt before still is, where another node fails with it', async () => {
		const { items } = await three(CONTINUE, { error: 'No', error_details: { in_doubt: true } });
		expect(items[0]?.json.error_details).toMatchObject({ ...UNKNOWN, in_doubt: true });
	});

	it('what was thrown and is no error is told by its text', () => {
		const { item } = scriptedItem({});
		const failure = nodeError(item, 'The disk is full');
		expect(failedItem(item, failure, false).json).toMatchObject({ error: 'The disk is full' });
	});

	it('the error output gets the failed items with the same facts, the regular output the others', async () => {
		const { outputs } = await three({ onError: 'continueErrorOutput' });
		const [regular = [], failed = []] = outputs;
		expect(regular.map(({ json, pairedItem }) => [json.id, pairedItem])).toEqual([
			[nda, { item: 1 }],
		]);
		expect(failed.map(({ pairedItem }) => pairedItem)).toEqual([{ item: 0 }, { item: 2 }]);
		const message = 'There is no such template: tpl_unknown';
		const { json, binary } = failed[0] ?? {};
		expect(json).toEqual({
			id: 'tpl_unknown',
			error: expect.objectContaining({ message, ...UNKNOWN }),
		});
		expect(binary).toEqual(FILE);
	});
});

describe('A resource or operation that there is not', () => {
	const items = [{ json: { it: 'get' } }, { json: {} }, { json: {} }];
	const FOUND = '={{ $json.it }}';
	const LOST = '={{ $("Nowhere").item.json.it }}';

	it.each([
		['an unknown resource', 'envelope', 'get', 'There is no resource envelope'],
		['an empty resource', '', 'get', 'There is no resource '],
		['a name that every object has', 'constructor', 'get', 'There is no resource constructor'],
		['an expression as resource', FOUND, 'get', 'There is no resource {{ $json.it }}'],
		['an unknown operation', 'document', 'shred', 'document has no operation shred'],
		['a name of the same kind', 'document', '__proto__', 'document has no operation __proto__'],
		['an expression as operation', 'document', FOUND, 'document has no operation {{ $json.it }}'],
		[
			'an expression that fails',
			'document',
			LOST,
			'document has no operation {{ $("Nowhere").item.json.it }}',
		],
	])(
		'%s fails each item by itself, and the first of them otherwise',
		async (_, resource, operation, error) => {
			const description =
				'Choose Resource and Operation from their lists. n8n evaluates no expression there.';
			const run = async (settings?: Partial<INode>) =>
				await bench.run(resource, operation, {}, { items, settings });
			const continued = await run(CONTINUE);
			expect(continued.error).toBeUndefined();
			expect(continued.items).toEqual(
				items.map((row, item) => ({
					json: { ...row.json, error, error_details: { description, in_doubt: false } },
					pairedItem: { item },
				})),
			);
			const stopped = await run();
			expect(stopped.error).toMatchObject({
				message: error,
				description,
				context: { itemIndex: 0 },
			});
			expect(bench.takeRequests()).toEqual([]);
		},
	);
});

describe('A tool whose model says', () => {
	// n8n 2 evaluates `$fromAI` there, and no other expression.
	it.each([
		['the operation', { resource: 'template', operation: "={{ $fromAI('said') }}" }, 'get'],
		['the resource', { resource: "={{ $fromAI('said') }}", operation: 'get' }, 'template'],
	])('%s carries that out', async (_, named, said) => {
		const parameters = { ...named, templateId: byId(nda) };
		const call = asTool(bench.n8n, TYPE, { parameters });
		await expect(call({ said })).resolves.toMatchObject([{ id: nda }]);
		await expect(call({ said: 'shred' })).rejects.toThrow('shred');
	});
});

describe('An expression that fails in one of the items', () => {
	const id = byId('={{ $json.id ?? $("Nowhere").item.json.id }}');
	it.each<[string, [string, string], INodeParameters]>([
		['of a read', ['template', 'get'], { templateId: id }],
		['of something with an effect', ['document', 'cancel'], { documentId: id }],
		[
			'of a list',
			['template', 'getAll'],
			{ limit: '={{ $json.id?.length ?? $("Nowhere").item.json.id }}' },
		],
	])(
		'%s fails that item, and every item is returned, paired',
		async (_, [resource, operation], parameters) => {
			const items = [{ json: { id: 'tpl_1' } }, { json: { id: null } }, { json: { id: 'tpl_3' } }];
			const { items: output, error } = await bench.run(resource, operation, parameters, {
				items,
				settings: CONTINUE,
			});
			expect(error).toBeUndefined();
			expect([...new Set(output.map(({ pairedItem }) => JSON.stringify(pairedItem)))]).toEqual(
				[0, 1, 2].map((item) => JSON.stringify({ item })),
			);
			const failed = output.find(({ pairedItem }) => JSON.stringify(pairedItem) === '{"item":1}');
			expect(failed?.json.error).toEqual(expect.stringMatching(/\S/));
		},
	);
});

describe('Without Continue On Fail', () => {
	it('the first failure stops the node and names its item, and nothing with an effect is done for those after it', async () => {
		const items = [{ json: { id: nda } }, { json: { id: 'tpl_unknown' } }, { json: { id: nda } }];
		const read = await bench.run('template', 'get', { templateId }, { items });
		expect(read.error).toMatchObject({ httpCode: '404', context: { itemIndex: 1 } });
		bench.takeRequests();
		const documents = [{ json: { id: 'doc_one' } }, { json: { id: 'doc_two' } }];
		const parameters = { documentId: byId('={{ $json.id }}') };
		const { error } = await bench.run('document', 'cancel', parameters, { items: documents });
		expect(error?.context?.itemIndex).toBe(0);
		expect(bench.takeRequests()).toMatchObject([{ path: '/documents/doc_one/cancel' }]);
	});

	it('a read that fails ends it at once: nothing is spent on the items that wait', async () => {
		const limited = await Workbench.open({ rateLimit: 20, rateWindow: 600 });
		// What waits is to wait here.
		client.settings.clock = defaultSettings.clock;
		try {
			const items = Array.from({ length: 30 }, () => ({ json: {} }));
			const { error } = await limited.run(
				'template',
				'get',
				{ templateId: byId('tpl_unknown') },
				{ items },
			);
			expect(error).toMatchObject({ httpCode: '404' });
			// What still waited for its turn would go before this one.
			await limited.run('account', 'get');
			expect(limited.takeRequests()).toHaveLength(2);
		} finally {
			client.settings.clock = clock;
			await limited.close();
		}
	});
});

it('Reads go several at a time, ten at most', async () => {
	let [open, most] = [0, 0];
	const service = await startScripted((_, response) => {
		most = Math.max(most, ++open);
		setTimeout(() => json(response, 200, { mode: `TEST ${open--}` }), 20);
	});
	const n8n = new N8n({ [TYPE]: new ESign() }, service.credential);
	const items = Array.from({ length: 25 }, () => ({ json: {} }));
	const run = await n8n.runNode(TYPE, {
		parameters: { resource: 'account', operation: 'get' },
		items,
	});
	await service.close();
	expect(run.items).toHaveLength(25);
	expect([most > 1, most <= 10]).toEqual([true, true]);
});
