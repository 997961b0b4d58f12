import {
	NodeConnectionTypes,
	type IConnections,
	type IDataObject,
	type IExecuteFunctions,
	type INode,
	type INodeExecutionData,
	type INodeParameters,
	type INodeType,
	type IRun,
	type Workflow,
} from 'n8n-workflow';
import { N8n, nodeRun } from '../../harness/n8nCore/n8n';
import { ESign } from '../../nodes/ESign/ESign.node';
import { TYPE } from '../actions/everyOperation/faultyService';
import { byId, createAndSend } from '../actions/support/workbench';
import {
	DONE,
	DOWN,
	LossyService,
	NOT_DONE,
	numbered,
	REFUSED,
	SEND,
	TEMPLATE_SEND,
	titlesOf,
} from './support/lossyService';

/** Runs a function of a test on its items. */
class Work implements INodeType {
	description = {
		displayName: 'Work',
		name: 'work',
		group: ['transform' as const],
		version: 1,
		description: 'Runs a function of a test',
		defaults: {},
		inputs: [NodeConnectionTypes.Main],
		outputs: [NodeConnectionTypes.Main],
		properties: [],
	};

	constructor(work: (items: INodeExecutionData[], run: number) => INodeExecutionData[]) {
		this.execute = async function (this: IExecuteFunctions) {
			return [work(this.getInputData(), this.evaluateExpression('{{ $runIndex }}', 0) as unknown as number)];
		};
	}

	readonly execute: (this: IExecuteFunctions) => Promise<INodeExecutionData[][]>;
}

type OneNode = Partial<INode> & { name: string; type: string };

const service = LossyService.ofThisFile();
let items: INodeExecutionData[] = [];
/** How often the last node of the workflow fails. */
let failures = 0;

beforeEach(async () => {
	// What the test before has left unfinished is nobody's any more.
	await service.clock.sleep(1_000_000);
	items = await numbered(1);
	failures = 0;
	const types = {
		[TYPE]: new ESign(),
		'test.given': new Work(() => items),
		'test.pass': new Work((passed, rounds) => {
			if (rounds > 5) throw new Error(`It goes round for ever: ${JSON.stringify(passed[0]?.json)}`);
			return passed.map(({ json, binary }) => ({ json, binary }));
		}),
		'test.rounds': new Work((_, run) => items.slice(run, run + 1)),
		'test.tell': new Work((passed) => {
			if (failures-- > 0) throw new Error('Nobody can be told');
			return passed;
		}),
	};
	service.n8n = new N8n(types, service.credential);
});

const GIVEN = { name: 'Given', type: 'test.given' };
const BACK = { name: 'Back', type: 'test.pass' };
const TELL = { name: 'Tell', type: 'test.tell' };

const esign = (name: string, parameters: INodeParameters, settings: Partial<INode> = {}): OneNode => ({
	name,
	type: TYPE,
	parameters,
	...settings,
});

/** `lines` are written `from > to`, or `from ! to` for the error output. */
function flow(nodes: OneNode[], ...lines: string[]): Workflow {
	const connections: IConnections = {};
	for (const line of lines) {
		const [from = '', sign, to = ''] = line.split(' ');
		const main = ((connections[from] ??= { main: [] }).main ??= []);
		main[sign === '!' ? 1 : 0] = [{ node: to, type: 'main', index: 0 }];
		main[0] ??= [];
	}
	return service.n8n.workflow(nodes, { connections });
}

/** What fails at the node goes through another one back to it, or to a copy of it. */
function errorLoop(parameters: INodeParameters, to: 'itself' | 'copy' = 'itself'): Workflow {
	const node = esign('eSign', parameters, { onError: 'continueErrorOutput' });
	if (to === 'itself') return flow([GIVEN, node, BACK], 'Given > eSign', 'eSign ! Back', 'Back > eSign');
	return flow([GIVEN, node, BACK, { ...node, name: 'Copy' }], 'Given > eSign', 'eSign ! Back', 'Back > Copy');
}

const run = async (workflow: Workflow): Promise<IRun> => await service.n8n.execute(workflow, 'Given');

const statuses = async () => (await service.documents()).map(({ status }) => status).sort();

/** Lost, and so are the tries and the looks that follow. */
function loseSend(how: typeof DONE): void {
	service.lose('POST', SEND, how);
	service.lose('POST', SEND, DOWN);
	service.lose('GET', /^\/documents\//, DOWN, { times: 2 });
}

describe('An error output that leads back', () => {
	describe.each(['itself', 'copy'] as const)('to %s', (to) => {
		it.each([
			['was', DONE],
			['was not', NOT_DONE],
		])('sends a document from a template once that %s sent when the answer was lost', async (_, loss) => {
			service.loseForGood(TEMPLATE_SEND, loss);
			const done = await run(errorLoop(await service.templateSend('T'), to));
			expect(nodeRun(done, to === 'itself' ? 'eSign' : 'Copy').items).toHaveLength(1);
			await expect(service.titles()).resolves.toEqual(['T']);
		});

		it.each([
			['was', DONE],
			['was not', NOT_DONE],
		])('sends a document from files once that %s sent when the answer was lost', async (_, loss) => {
			loseSend(loss);
			const done = await run(errorLoop(createAndSend('T'), to));
			expect(done.data.resultData.runData.Back).toHaveLength(1);
			expect(nodeRun(done, to === 'itself' ? 'eSign' : 'Copy').items).toMatchObject([
				{ json: { status: 'in_progress' } },
			]);
			await expect(statuses()).resolves.toEqual(['in_progress']);
		});
	});

	it('goes on with the draft that could not be sent, however often', async () => {
		service.lose('POST', SEND, REFUSED, { times: 3 });
		const done = await run(errorLoop(createAndSend('T')));
		expect(done.data.resultData.runData.Back).toHaveLength(3);
		await expect(statuses()).resolves.toEqual(['in_progress']);
	});

	it.each([
		['webhook endpoint, which was created', 'webhook', DONE],
		['template link, which was created', 'templateLink', DONE],
		['template link, which was not created', 'templateLink', NOT_DONE],
	])('leaves one %s when the answer was lost', async (_, resource, loss) => {
		const { template, body } = await service.direct.linkBody('L');
		const signers = (body.signers as IDataObject[]).map(
			({ placeholder_id: placeholderId, is_open: isOpen, ...person }) => ({ placeholderId, isOpen, ...person }),
		);
		const what = {
			webhook: { url: 'http://127.0.0.1:9/', events: ['document.sent'] },
			templateLink: { templateId: byId(template), signersInput: 'json', signersJson: JSON.stringify(signers) },
		}[resource];
		const path = resource === 'webhook' ? '/webhooks' : `/templates/${template}/links`;
		service.lose('POST', new RegExp(`^${path}$`), loss);
		service.lose('GET', new RegExp(`^${path}$`), DOWN, { times: 5 });
		const done = await run(errorLoop({ resource, operation: 'create', ...what }));
		expect(done.data.resultData.runData.Back).toHaveLength(1);
		expect(nodeRun(done, 'eSign').items).toHaveLength(1);
		await expect(service.direct.list(path)).resolves.toHaveLength(1);
	});
});

describe('Stop, and the workflow is run again', () => {
	it.each([
		['', {}],
		[' with Skip If Created', { skipIfCreatedWithin: 1 }],
	])('one contract from a template%s', async (_, more) => {
		const parameters = await service.templateSend('T', { additionalFields: { title: 'T', ...more } });
		service.lose('POST', TEMPLATE_SEND, { how: 504, afterMs: 10, effectMs: 20_000 });
		expect((await stopped(parameters, TEMPLATE_SEND)).error).toBeDefined();
		const { items: made, hints } = await service.run(parameters);
		expect(made).toHaveLength(1);
		expect(hints).not.toEqual([]);
		await expect(service.titles()).resolves.toEqual(['T']);
	});

	it('one contract from files', async () => {
		service.lose('POST', SEND, { how: 504, afterMs: 10, effectMs: 20_000 });
		expect((await stopped(createAndSend('T'), SEND)).error).toBeDefined();
		expect((await service.run(createAndSend('T'), items)).items).toHaveLength(1);
		await expect(statuses()).resolves.toEqual(['in_progress']);
	});

	/** Stopped at the first pause after the request. */
	async function stopped(parameters: INodeParameters, path: RegExp) {
		const stop = new AbortController();
		const sleep = service.clock.sleep.bind(service.clock);
		const isSent = () => service.requests.some((request) => path.test(request.replace('POST ', '')));
		const asleep = jest.spyOn(service.clock, 'sleep').mockImplementation(async (milliseconds) => {
			if (isSent() && milliseconds > 100) stop.abort();
			if (!stop.signal.aborted) await sleep(milliseconds);
		});
		const failed = await service.n8n.runNode(TYPE, { parameters, items, signal: stop.signal });
		asleep.mockRestore();
		return failed;
	}
});

describe('After ten minutes', () => {
	it('an equal contract is another contract', async () => {
		service.loseForGood(TEMPLATE_SEND, DONE);
		const parameters = await service.templateSend('T');
		expect((await service.run(parameters)).error).toBeDefined();
		service.mend();
		await service.clock.sleep(600_000);
		expect((await service.run(parameters)).items).toHaveLength(1);
		await expect(service.titles()).resolves.toEqual(['T', 'T']);
	});
});

describe('Retry execution, of any execution of the line', () => {
	const twoNodes = async (): Promise<Workflow> =>
		flow(
			[
				GIVEN,
				esign('One', await service.templateSend('First')),
				// Another value at each try.
				{ name: 'Back', type: 'test.pass' },
				esign('Two', await service.templateSend('Second')),
				TELL,
			],
			'Given > One',
			'One > Back',
			'Back > Two',
			'Two > Tell',
		);

	it('the first one again: what its retry has sent at a later node is not sent again', async () => {
		const workflow = await twoNodes();
		service.lose('POST', TEMPLATE_SEND, REFUSED, { body: 'First' });
		failures = 2;
		const first = await run(workflow);
		await service.n8n.retry(workflow, first);
		await service.n8n.retry(workflow, first);
		const last = await service.n8n.retry(workflow, first);
		expect(last.data.resultData.error).toBeUndefined();
		await expect(service.titles()).resolves.toEqual(['First', 'Second']);
		// n8n's API retries what has succeeded meanwhile as well.
		await service.n8n.retry(workflow, first);
		await expect(service.titles()).resolves.toEqual(['First', 'Second']);
	});

	it('twice at once', async () => {
		const workflow = await twoNodes();
		service.lose('POST', TEMPLATE_SEND, REFUSED, { body: 'First' });
		const first = await run(workflow);
		await Promise.all([service.n8n.retry(workflow, first), service.n8n.retry(workflow, first)]);
		await expect(service.titles()).resolves.toEqual(['First', 'Second']);
	});

	it('a loop: rounds that a retry has sent are not sent again', async () => {
		items = await numbered(4);
		const rounds = { name: 'Rounds', type: 'test.rounds' };
		const send = esign('eSign', await service.templateSend('={{ "T " + $json.n }}'));
		const workflow = flow([GIVEN, rounds, send], 'Given > Rounds', 'Rounds > eSign', 'eSign > Rounds');
		service.lose('POST', TEMPLATE_SEND, REFUSED, { body: 'T 2' });
		service.lose('POST', TEMPLATE_SEND, REFUSED, { body: 'T 4' });
		const first = await run(workflow);
		await service.n8n.retry(workflow, first);
		await expect(service.titles()).resolves.toEqual(['T 1', 'T 2', 'T 3']);
		const last = await service.n8n.retry(workflow, first);
		expect(last.data.resultData.error).toBeUndefined();
		await expect(service.titles()).resolves.toEqual(['T 1', 'T 2', 'T 3', 'T 4']);
	});

	it('corrected, after the lost answer had sent the draft: nothing else goes out, and it says so', async () => {
		loseSend(DONE);
		const failed = await service.run(createAndSend('Typo'), items);
		expect(failed.error).toBeDefined();
		service.mend();
		const [made] = await service.documents();
		const told = await service.retry(failed, createAndSend('Correct'));
		expect(told.error?.message).toBe(`The document ${made?.id} was already sent by an earlier try`);
		await expect(service.titles()).resolves.toEqual(['Typo']);
	});
});

describe('Equal rows', () => {
	it.each([
		['sent', DONE],
		['not sent', NOT_DONE],
	])('three rows are three contracts, the first %s when its answer was lost', async (_, loss) => {
		const parameters = await service.templateSend('T');
		items = [{ json: {} }, { json: {} }, { json: {} }];
		service.loseForGood(TEMPLATE_SEND, loss);
		const first = await service.run(parameters, items);
		const last = first.error ? await service.retry(first, parameters) : first;
		expect(titlesOf(last)).toEqual(['T', 'T', 'T']);
		await expect(service.titles()).resolves.toEqual(['T', 'T', 'T']);
	});
});

describe('A send that is answered 200 {}', () => {
	it('is sent when it was carried out, and an error when it was not, never a success as a draft', async () => {
		service.lose('POST', SEND, { how: 200, afterMs: 1, effectMs: 0 });
		expect((await service.run(createAndSend('T'), items)).items).toMatchObject([{ json: { status: 'in_progress' } }]);
		service.lose('POST', SEND, { how: 200, afterMs: 1 }, { times: 9 });
		const failed = await service.run(createAndSend('U'), items);
		expect(failed.error?.message).toMatch(/^The draft doc_\w+ was created, but sending it failed/);
	});
});
