import type { INodeExecutionData, INodeParameters, IRun } from 'n8n-workflow';
import { byId, createAndSend } from '../actions/support/workbench';
import { NOT_DONE, REFUSED, SEND, TEMPLATE_SEND } from './support/losses';
import { filesAt } from './support/filesAt';
import { rowsAt } from './support/rowsAt';
import { sentTitles } from './support/sentTitles';
import { toAda } from './support/toAda';
import {
	BACK,
	CONTINUE,
	esign,
	GIVEN,
	outputsOf,
	ROUNDS,
	savedAs,
	TELL,
	Workflows,
} from './support/workflows';
import { nodeRun } from '../support/n8nCore/n8n';

/**
 * What an item asks for is its own, down to the bytes of its files; else what is recorded for its
 * row.
 */
const workflows = new Workflows();
const { service } = workflows;

const TITLE = '={{ "T " + $json.name }}';

afterEach(() => jest.restoreAllMocks());

const idsOf = (run: IRun, name?: string) => outputsOf(run, name).map(({ id }) => id);

/** Whose file each document has, in the order of their creation, and whether it is out. */
function watched() {
	const uploads: string[] = [];
	const { lossOf } = service;
	service.lossOf = (method, path, body) => {
		const of = /This is of (\w+)/.exec(body)?.[1];
		if (method === 'POST' && of) uploads.push(of);
		return lossOf(method, path, body);
	};
	return uploads;
}

/** Each has its own upload here: the n-th document has the n-th. */
async function filesOut(uploads: string[]): Promise<string[]> {
	// The service lists the newest first.
	const documents = (await service.documents()).reverse();
	expect(documents).toHaveLength(uploads.length);
	return documents
		.flatMap(({ status }, index) => (status === 'draft' ? [] : [uploads[index] ?? '?']))
		.sort();
}

async function statuses() {
	return (await service.documents()).map(({ status }) => status).sort();
}

const approval = createAndSend('Approval');

describe('n8n was killed. Of approvals that differ in their files alone, each has its own:', () => {
	it('a row with a draft of its own sends that, where those that are out are no longer given', async () => {
		const uploads = watched();
		workflows.items = await filesAt('ten', 'A', 'B', 'C');
		const workflow = workflows.list(approval);
		service.lose('POST', SEND, NOT_DONE, { skip: 2 });
		const killed = await workflows.killedAt(SEND, workflow, 2);
		expect(uploads).toEqual(['A', 'B', 'C']);
		workflows.items = await filesAt('ten', 'C');
		const retried = await workflows.retryLater(workflow, killed);
		expect(nodeRun(retried, 'eSign').error).toBeUndefined();
		await expect(statuses()).resolves.toEqual(['in_progress', 'in_progress', 'in_progress']);
	});

	it.each([
		['rows that come in another order', ['A', 'B', 'C'], ['C', 'B', 'A']],
		['a new row that comes before them', ['A', 'B'], ['New', 'A', 'B']],
	])('%s', async (_, before, now) => {
		const uploads = watched();
		workflows.items = await filesAt('ten', ...before);
		const workflow = workflows.list(approval);
		service.lose('POST', SEND, NOT_DONE, { skip: 1 });
		const killed = await workflows.killedAt(SEND, workflow, 1);
		workflows.items = await filesAt('ten', ...now);
		const retried = await workflows.retryLater(workflow, killed);
		const { error, items } = nodeRun(retried, 'eSign');
		expect(error).toBeUndefined();
		const ids = new Set(items.map(({ json }) => json.id));
		expect([await filesOut(uploads), ids.size]).toEqual([now.toSorted(), 3]);
	});

	it('a row that had failed before it was sent', async () => {
		const uploads = watched();
		const whole = await filesAt('ten', 'A', 'B', 'C');
		const [a, ...more] = whole;
		const broken = { ...a!, binary: { data: { ...a!.binary!.data!, data: '' } } };
		workflows.items = [broken, ...more];
		const workflow = workflows.list(approval, CONTINUE);
		service.lose('POST', SEND, NOT_DONE, { skip: 1 });
		const killed = await workflows.killedAt(SEND, workflow, 1);
		expect(uploads).toEqual(['B', 'C']);
		// Who makes the files was away for a moment.
		workflows.items = whole;
		const retried = await workflows.retryLater(workflow, killed);
		expect(new Set(idsOf(retried)).size).toBe(3);
		await expect(filesOut(uploads)).resolves.toEqual(['A', 'B', 'C']);
	});

	it('a row with a draft of its own, where the document of a row that is no longer given was cancelled', async () => {
		workflows.items = await filesAt('ten', 'A', 'C');
		const workflow = workflows.list(approval);
		service.lose('POST', SEND, NOT_DONE, { skip: 1 });
		const killed = await workflows.killedAt(SEND, workflow, 1);
		const out = (await service.documents()).find(({ status }) => status === 'in_progress');
		await service.direct.api('POST', `/documents/${out?.id}/cancel`);
		workflows.items = await filesAt('ten', 'C');
		const retried = await workflows.retryLater(workflow, killed);
		expect(nodeRun(retried, 'eSign').error?.message).toBeUndefined();
		await expect(statuses()).resolves.toEqual(['cancelled', 'in_progress']);
	});

	it('a new row, where the files are given by their IDs', async () => {
		const ids: Record<string, string> = {};
		for (const name of ['New', 'A', 'B']) {
			ids[name] = (await service.direct.upload(undefined, `${name}.pdf`)).id;
		}
		const given = (...names: string[]) =>
			names.map((name) => ({ json: { name, file: ids[name] } }));
		const used: string[] = [];
		const { lossOf } = service;
		service.lossOf = (method, path, body) => {
			if (method === 'POST' && path === '/documents') {
				used.push(Object.keys(ids).find((name) => body.includes(String(ids[name]))) ?? '?');
			}
			return lossOf(method, path, body);
		};
		workflows.items = given('A', 'B');
		const byFile = { ...approval, fileSource: 'fileIds', fileIds: '={{ $json.file }}' };
		const workflow = workflows.list(byFile);
		service.lose('POST', SEND, NOT_DONE, { skip: 1 });
		const killed = await workflows.killedAt(SEND, workflow, 1);
		workflows.items = given('New', 'A', 'B');
		const retried = await workflows.retryLater(workflow, killed);
		expect(nodeRun(retried, 'eSign').error).toBeUndefined();
		await expect(filesOut(used)).resolves.toEqual(['A', 'B', 'New']);
	});
});

describe('No kill and no lost answer, an execution is retried twice:', () => {
	it('a correction of one row leaves the others what they are', async () => {
		workflows.items = await rowsAt('ten', 'A', 'B', 'C');
		const parameters = await toAda(service, 'Approval');
		const workflow = workflows.loopAndTell(parameters);
		service.lose('POST', TEMPLATE_SEND, REFUSED);
		const first = await workflows.run(workflow);
		expect(first.data.resultData.error).toBeDefined();

		// A is wrong, and corrected: it is no approval. B is sent, and C is refused.
		const title = '={{ $json.name === "A" ? "Letter" : "Approval" }}';
		const corrected = savedAs(workflow, workflows.loopAndTell(await withTitle(parameters, title)));
		workflows.items = await rowsAt('eleven', 'A', 'B', 'C');
		service.lose('POST', TEMPLATE_SEND, REFUSED, { skip: 2 });
		const second = await service.n8n.retry(corrected, first);
		expect(second.data.resultData.error).toBeDefined();
		await expect(sentTitles(service)).resolves.toEqual(['Approval', 'Letter']);

		// A newer execution of the line was killed: nothing is handed on of it, nor of the first.
		await service.clock.sleep(600_000);
		workflows.items = await rowsAt('twelve', 'A', 'B', 'C');
		const third = await service.n8n.retry(corrected, first);
		expect(third.data.resultData.error).toBeUndefined();
		await expect(sentTitles(service)).resolves.toEqual(['Approval', 'Approval', 'Letter']);
	});

	it('two rows of Create do not put out the same draft, after a kill', async () => {
		workflows.items = await filesAt('ten', 'A', 'B');
		const create = esign('Create', { ...approval, operation: 'create' });
		const send = esign('Send', {
			resource: 'document',
			operation: 'send',
			documentId: byId('={{ $json.id }}'),
		});
		const lines = ['Given > Create', 'Create > Send'];
		const workflow = workflows.flow([GIVEN, create, send], ...lines);
		service.lose('POST', SEND, NOT_DONE);
		const killed = await workflows.killedAt(SEND, workflow);
		await expect(statuses()).resolves.toEqual(['draft', 'draft']);
		workflows.items = await filesAt('ten', 'New', 'A', 'B');
		const retried = await workflows.retryLater(workflow, killed);
		expect(retried.data.resultData.error).toBeUndefined();
		expect([await statuses(), new Set(idsOf(retried, 'Create')).size]).toEqual([
			['in_progress', 'in_progress', 'in_progress'],
			3,
		]);
	});

	it('a row that was refused in the first retry, and is led back with a count of its tries, goes out once', async () => {
		workflows.items = await rowsAt('ten', 'A', 'B');
		const node = esign('eSign', await toAda(service, TITLE), { onError: 'continueErrorOutput' });
		const workflow = workflows.flow(
			[GIVEN, ROUNDS, node, BACK, TELL],
			...['Given > Rounds', 'Rounds > eSign', 'eSign > Tell', 'Tell > Rounds'],
			...['eSign ! Back', 'Back > eSign'],
		);
		counting();
		workflows.failures = 1;
		const first = await workflows.run(workflow);
		await expect(sentTitles(service)).resolves.toEqual(['T A']);
		service.lose('POST', TEMPLATE_SEND, REFUSED, { body: 'T B' });
		const second = await workflows.notTold(
			'T B',
			async () => await service.n8n.retry(workflow, first),
		);
		expect(second.data.resultData.error).toBeDefined();
		await expect(sentTitles(service)).resolves.toEqual(['T A', 'T B']);
		await service.clock.sleep(600_000);
		const third = await service.n8n.retry(workflow, first);
		expect(third.data.resultData.error).toBeUndefined();
		await expect(sentTitles(service)).resolves.toEqual(['T A', 'T B']);
	});
});

async function withTitle(parameters: INodeParameters, title: string): Promise<INodeParameters> {
	return await Promise.resolve({ ...parameters, additionalFields: { title } });
}

describe('n8n was killed, and rows note the time:', () => {
	it('one that was refused, is led back with a count of its tries, and sent, goes out once', async () => {
		workflows.items = await rowsAt('ten', 'A', 'B');
		const node = esign('eSign', await toAda(service, TITLE), { onError: 'continueErrorOutput' });
		const lines = ['Given > eSign', 'eSign ! Back', 'Back > eSign'];
		const workflow = workflows.flow([GIVEN, node, BACK], ...lines);
		counting();
		service.lose('POST', TEMPLATE_SEND, REFUSED, { body: 'T B' });
		const first = await workflows.run(workflow);
		expect(first.data.resultData.error).toBeUndefined();
		await expect(sentTitles(service)).resolves.toEqual(['T A', 'T B']);
		// Killed as the next node begins.
		await workflows.retryLater(workflow, first);
		await expect(sentTitles(service)).resolves.toEqual(['T A', 'T B']);
	});

	it('those whose files get another name each time go out once with Skip If Created', async () => {
		const given = async (time: string) =>
			(await rowsAt(time, 'A', 'B')).map((row) => ({
				...row,
				binary: { data: { ...row.binary!.data!, fileName: `contract-${time}.pdf` } },
			}));
		workflows.items = await given('ten');
		const parameters = { ...createAndSend(TITLE), additionalFields: { skipIfCreatedWithin: 24 } };
		const workflow = workflows.list(parameters);
		service.lose('POST', SEND, NOT_DONE, { skip: 1 });
		const killed = await workflows.killedAt(SEND, workflow, 1);
		workflows.items = await given('eleven');
		const retried = await workflows.retryLater(workflow, killed);
		expect(nodeRun(retried, 'eSign').error).toBeUndefined();
		await expect(sentTitles(service)).resolves.toEqual(['T A', 'T B']);
	});

	it('one goes out once, where an equal one before it was refused, and is given no longer', async () => {
		workflows.items = await rowsAt('ten', 'A', 'B', 'C');
		const workflow = workflows.list(await toAda(service), CONTINUE);
		service.lose('POST', TEMPLATE_SEND, REFUSED);
		service.lose('POST', TEMPLATE_SEND, NOT_DONE, { skip: 1 });
		const killed = await workflows.killedAt(TEMPLATE_SEND, workflow, 2);
		await expect(sentTitles(service)).resolves.toHaveLength(1);
		// The row that was refused was taken out of the list.
		workflows.items = await rowsAt('eleven', 'B', 'C');
		await workflows.retryLater(workflow, killed);
		await expect(sentTitles(service)).resolves.toHaveLength(2);
	});
});

/** The node that leads back counts the rounds in the row. */
let uncounted: () => unknown = () => undefined;
afterEach(() => uncounted());

function counting(): void {
	const { types } = service.n8n as unknown as {
		types: { getByName(name: string): { execute(this: never): Promise<INodeExecutionData[][]> } };
	};
	const pass = types.getByName('test.pass');
	const { execute } = pass;
	uncounted = () => (pass.execute = execute);
	pass.execute = async function (this: never) {
		const [items = []] = await execute.call(this);
		const counted = ({ attempt = 0, ...json }: INodeExecutionData['json']) => ({
			...json,
			attempt: Number(attempt) + 1,
		});
		return [items.map((item) => ({ ...item, json: counted(item.json) }))];
	};
}

it('A correction of a row leaves the others what they are, where a killed execution is retried once more', async () => {
	workflows.items = await rowsAt('ten', 'A', 'B');
	const parameters = await toAda(service, 'Approval');
	const workflow = workflows.loopAndTell(parameters);
	service.lose('POST', TEMPLATE_SEND, NOT_DONE);
	const killed = await workflows.killedAt(TEMPLATE_SEND, workflow);
	await service.clock.sleep(600_000);
	workflows.items = await rowsAt('eleven', 'A', 'B');
	service.lose('POST', TEMPLATE_SEND, REFUSED);
	const second = await service.n8n.retry(workflow, killed, { lost: 'killed' });
	expect(second.data.resultData.error).toBeDefined();

	// A is wrong, and corrected: it is no approval. Nobody can be told of B.
	const title = '={{ $json.name === "A" ? "Letter" : "Approval" }}';
	const corrected = savedAs(workflow, workflows.loopAndTell(await withTitle(parameters, title)));
	await service.clock.sleep(600_000);
	const third = await workflows.notTold(
		'Approval',
		async () => await service.n8n.retry(corrected, second),
	);
	expect(third.data.resultData.error).toBeDefined();
	await expect(sentTitles(service)).resolves.toEqual(['Approval', 'Letter']);

	await service.clock.sleep(600_000);
	workflows.items = await rowsAt('twelve', 'A', 'B');
	const fourth = await service.n8n.retry(corrected, killed, { lost: 'killed' });
	expect(fourth.data.resultData.error).toBeUndefined();
	await expect(sentTitles(service)).resolves.toEqual(['Approval', 'Letter']);
});
