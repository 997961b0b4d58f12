import { createAndSend, TYPE } from '../actions/support/workbench';
import { DOCUMENTS, NOT_DONE, REFUSED, SEND, TEMPLATE_SEND } from './support/losses';
import { numbered } from './support/lossyService';
import { otherWorker } from './support/otherProcess';
import { rowsAt } from './support/rowsAt';
import { sentTitles } from './support/sentTitles';
import { toAda } from './support/toAda';
import {
	BARE,
	esign,
	GIVEN,
	outputsOf,
	PLACED,
	ROUNDS,
	TELL,
	Workflows,
} from './support/workflows';

const workflows = new Workflows();
const { service } = workflows;

/** The title of a row is with the node before the one that gives the file. */
const OF_LIST = '={{ "T " + $("Given").all()[$itemIndex].json.name }}';
const OF_ROUND = '={{ "T " + $("Rounds").all()[0].json.name }}';

const SHAPES = {
	list: () =>
		workflows.flow(
			[GIVEN, BARE, esign('eSign', createAndSend(OF_LIST))],
			...['Given > Bare', 'Bare > eSign'],
		),
	loop: () =>
		workflows.flow(
			[GIVEN, ROUNDS, BARE, esign('eSign', createAndSend(OF_ROUND))],
			...['Given > Rounds', 'Rounds > Bare', 'Bare > eSign', 'eSign > Rounds'],
		),
};

const TO = JSON.stringify([{ name: 'Ada', email: '%@example.com' }]);
const EACH_ITS_OWN = `=${TO.replace('%', '{{ $("Given").all()[$itemIndex].json.name }}')}`;

describe('Rows without data (as behind HTTP Request), of which others are given once n8n was killed, go out once each:', () => {
	it.each([
		['a list lacks those that were sent', 'list', ['A', 'B', 'C'], ['B', 'C']],
		['a loop lacks those that were sent', 'loop', ['A', 'B', 'C'], ['B', 'C']],
		['a new row comes first in a list', 'list', ['A', 'B'], ['New', 'A', 'B']],
		['a new row comes first in a loop', 'loop', ['A', 'B'], ['New', 'A', 'B']],
	] as const)('%s', async (_, shape, before, now) => {
		workflows.items = await rowsAt('ten', ...before);
		const workflow = SHAPES[shape]();
		service.lose('POST', SEND, NOT_DONE, { skip: 1 });
		const killed = await workflows.killedAt(SEND, workflow, 1);
		await expect(sentTitles(service)).resolves.toEqual(['T A']);

		workflows.items = await rowsAt('ten', ...now);
		const retried = await workflows.retryLater(workflow, killed);
		expect(retried.data.resultData.error).toBeUndefined();
		expect(outputsOf(retried).map(({ title }) => title)).toEqual(now.map((name) => `T ${name}`));
		const all = [...new Set(['A', ...now])].sort();
		await expect(sentTitles(service)).resolves.toEqual(all.map((name) => `T ${name}`));
	});
});

it('A row whose only data are its place does not take what went to other people', async () => {
	workflows.items = await rowsAt('ten', 'A', 'B');
	const parameters = { ...createAndSend(OF_LIST), recipientsJson: EACH_ITS_OWN };
	const nodes = [GIVEN, PLACED, esign('eSign', parameters)];
	const workflow = workflows.flow(nodes, 'Given > Placed', 'Placed > eSign');
	service.lose('POST', SEND, NOT_DONE, { skip: 1 });
	const killed = await workflows.killedAt(SEND, workflow, 1);

	workflows.items = await rowsAt('ten', 'New', 'A', 'B');
	const retried = await workflows.retryLater(workflow, killed);
	expect(outputsOf(retried).map(({ title }) => title)).toEqual(['T New', 'T A', 'T B']);
	await expect(sentTitles(service)).resolves.toEqual(['T A', 'T B', 'T New']);
});

it('A row without data does not return what another one has sent, where an execution is retried twice', async () => {
	workflows.items = await rowsAt('ten', 'A', 'B', 'C');
	const node = esign('eSign', createAndSend(OF_ROUND));
	const workflow = workflows.flow(
		[GIVEN, ROUNDS, BARE, node, TELL],
		...['Given > Rounds', 'Rounds > Bare', 'Bare > eSign', 'eSign > Tell', 'Tell > Rounds'],
	);
	workflows.failures = 1;
	const first = await workflows.run(workflow);
	const second = await workflows.notTold(
		'T B',
		async () => await service.n8n.retry(workflow, first),
	);
	expect(second.data.resultData.error).toBeDefined();
	await expect(sentTitles(service)).resolves.toEqual(['T A', 'T B']);

	// Who gives the rows gives those that are not out.
	workflows.items = await rowsAt('ten', 'A', 'C');
	const third = await service.n8n.retry(workflow, first);
	expect(third.data.resultData.error).toBeUndefined();
	expect(outputsOf(third).map(({ title }) => title)).toEqual(['T A', 'T C']);
	await expect(sentTitles(service)).resolves.toEqual(['T A', 'T B', 'T C']);
});

it('A row without data that was corrected is not sent again', async () => {
	const bare = (await numbered(2)).map(({ binary }) => ({ json: {}, binary }));
	const titled = (title: string) => ({
		workflowId: 'W',
		parameters: createAndSend(`={{ "${title} " + $itemIndex }}`),
	});
	service.lose('POST', DOCUMENTS, REFUSED);
	const first = await service.n8n.runNode(TYPE, { ...titled('T'), items: bare });
	service.lose('POST', DOCUMENTS, REFUSED, { skip: 1 });
	await (await otherWorker(service)).retryNode(TYPE, first, titled('T'));
	await expect(service.titles()).resolves.toEqual(['T 0']);

	await service.clock.sleep(600_000);
	await (await otherWorker(service)).retryNode(TYPE, first, titled('U'));
	await expect(service.titles()).resolves.toEqual(['T 0', 'U 1']);
});

it.each([
	['lacks those that were sent', ['B']],
	['is in another order', ['B', 'A']],
	['has a new row before them', ['New', 'A', 'B']],
])(
	'Rows of a loop whose only data are their place, from a template, go out once each, where the list %s',
	async (_, now) => {
		workflows.items = await rowsAt('ten', 'A', 'B');
		const node = esign('eSign', await toAda(service, OF_ROUND));
		const workflow = workflows.flow(
			[GIVEN, ROUNDS, PLACED, node],
			...['Given > Rounds', 'Rounds > Placed', 'Placed > eSign', 'eSign > Rounds'],
		);
		service.lose('POST', TEMPLATE_SEND, NOT_DONE, { skip: 1 });
		const killed = await workflows.killedAt(TEMPLATE_SEND, workflow, 1);
		await expect(sentTitles(service)).resolves.toEqual(['T A']);
		workflows.items = await rowsAt('ten', ...now);
		const retried = await workflows.retryLater(workflow, killed);
		expect(outputsOf(retried).map(({ title }) => title)).toEqual(now.map((name) => `T ${name}`));
		const all = [...new Set(['A', ...now])].sort();
		await expect(sentTitles(service)).resolves.toEqual(all.map((name) => `T ${name}`));
	},
);
