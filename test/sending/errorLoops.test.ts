import type { INodeParameters, Workflow } from 'n8n-workflow';
import { nodeRun } from '../support/n8nCore/n8n';
import { DONE, NOT_DONE, REFUSED, SEND, TEMPLATE_SEND } from './support/losses';
import { hintsOf, numbered, titlesOf } from './support/lossyService';
import { byId, createAndSend, TYPE } from '../actions/support/workbench';
import { sentTitles } from './support/sentTitles';
import { BACK, BARE, COUNT, esign, GIVEN, ROUNDS, TELL, Workflows } from './support/workflows';

const workflows = new Workflows();
const { service } = workflows;

/** What fails at the node goes through another one back to it, or to a copy of it. */
function errorLoop(parameters: INodeParameters, to: 'itself' | 'copy' = 'itself'): Workflow {
	const node = esign('eSign', parameters, { onError: 'continueErrorOutput' });
	const nodes = [GIVEN, node, BACK, { ...node, name: 'Copy' }];
	return workflows.flow(
		nodes,
		'Given > eSign',
		'eSign ! Back',
		`Back > ${to === 'itself' ? 'eSign' : 'Copy'}`,
	);
}

const WAS_OR_NOT = [
	['was', DONE],
	['was not', NOT_DONE],
] as const;

describe('An error output that leads back', () => {
	describe.each(['itself', 'copy'] as const)('to %s', (to) => {
		it.each(WAS_OR_NOT)(
			'sends a document from a template once that %s sent when the answer was lost',
			async (_, loss) => {
				service.loseForGood(TEMPLATE_SEND, loss);
				const done = await workflows.run(errorLoop(await service.templateSend('T'), to));
				expect(nodeRun(done, to === 'itself' ? 'eSign' : 'Copy').items).toHaveLength(1);
				await expect(service.titles()).resolves.toEqual(['T']);
			},
		);

		it.each(WAS_OR_NOT)(
			'sends a document from files once that %s sent when the answer was lost',
			async (_, loss) => {
				service.loseSend(loss);
				const done = await workflows.run(errorLoop(createAndSend('T'), to));
				expect(done.data.resultData.runData.Back).toHaveLength(1);
				expect(nodeRun(done, to === 'itself' ? 'eSign' : 'Copy').items).toMatchObject([
					{ json: { status: 'in_progress' } },
				]);
				await expect(service.statuses()).resolves.toEqual(['in_progress']);
			},
		);
	});

	it.each([
		['its draft', TEMPLATE_SEND],
		['its send', SEND],
	])(
		'says in doubt only until the node has found out, where %s is refused then',
		async (_, path) => {
			service.loseForGood(TEMPLATE_SEND, NOT_DONE);
			service.lose('POST', path, REFUSED);
			const done = await workflows.run(errorLoop(await service.templateSend('T')));
			const doubts = (done.data.resultData.runData.Back ?? []).map(
				({ data }) => data?.main?.[0]?.[0]?.json.error,
			);
			expect(doubts).toMatchObject([{ in_doubt: true }, { in_doubt: false }]);
			await expect(service.statuses()).resolves.toEqual(['in_progress']);
		},
	);

	it.each(WAS_OR_NOT)(
		'to Document > Send sends the draft once that %s sent when the answer was lost',
		async (_, loss) => {
			const { items } = await service.run(await service.templateSend('T', { send: false }));
			workflows.items = items;
			service.loseSend(loss);
			const send = { resource: 'document', operation: 'send', documentId: byId('={{ $json.id }}') };
			const done = await workflows.run(errorLoop(send));
			expect(done.data.resultData.runData.Back).toHaveLength(1);
			expect(nodeRun(done, 'eSign').items).toMatchObject([{ json: { status: 'in_progress' } }]);
			await expect(service.statuses()).resolves.toEqual(['in_progress']);
		},
	);

	it.each(WAS_OR_NOT)(
		'through a node that counts the tries sends a document once that %s sent when the answer was lost',
		async (_, loss) => {
			service.loseForGood(TEMPLATE_SEND, loss);
			const node = esign('eSign', await service.templateSend('T'), {
				onError: 'continueErrorOutput',
			});
			const workflow = workflows.flow(
				[GIVEN, node, COUNT],
				...['Given > eSign', 'eSign ! Count', 'Count > eSign'],
			);
			expect(nodeRun(await workflows.run(workflow), 'eSign').items).toHaveLength(1);
			await expect(service.titles()).resolves.toEqual(['T']);
		},
	);

	it('through a node that counts the tries returns what was in doubt as sent, with Skip If Created', async () => {
		const parameters = { ...createAndSend('T'), additionalFields: { skipIfCreatedWithin: 1 } };
		service.loseSend(DONE);
		const node = esign('eSign', parameters, { onError: 'continueErrorOutput' });
		const lines = ['Given > eSign', 'eSign ! Count', 'Count > eSign'];
		const run = await workflows.run(workflows.flow([GIVEN, node, COUNT], ...lines));
		const [made] = nodeRun(run, 'eSign').items;
		expect(made?.json).toMatchObject({ status: 'in_progress', fields: expect.any(Array) as [] });
		expect(made?.json).not.toHaveProperty('already_existed');
		await expect(service.statuses()).resolves.toEqual(['in_progress']);
	});

	it('through a node that counts the tries sends each of two equal rows once, where one was refused and the other is in doubt', async () => {
		workflows.items = await numbered(2);
		service.lose('POST', SEND, REFUSED);
		service.loseSend(DONE);
		const node = esign('eSign', createAndSend('T'), { onError: 'continueErrorOutput' });
		const lines = ['Given > eSign', 'eSign ! Count', 'Count > eSign'];
		const run = nodeRun(
			await workflows.run(workflows.flow([GIVEN, node, COUNT], ...lines)),
			'eSign',
		);
		expect(run.items).toHaveLength(2);
		await expect(sentTitles(service)).resolves.toEqual(['T', 'T']);
	});

	it('sends what stands in the row, and no words of the error, whatever its columns are called', async () => {
		const row = { message: 'Lease', description: 'of', details: 'flat', code: '4' };
		workflows.items = [{ json: row }];
		service.lose('POST', TEMPLATE_SEND, REFUSED);
		const title = Object.keys(row).map((column) => `{{ $json.${column} }}`);
		await workflows.run(errorLoop(await service.templateSend(`=${title.join(' ')}`)));
		await expect(service.titles()).resolves.toEqual(['Lease of flat 4']);
	});

	it('continues with the draft that could not be sent, however often', async () => {
		service.lose('POST', SEND, REFUSED, { times: 3 });
		const done = await workflows.run(errorLoop(createAndSend('T')));
		expect(done.data.resultData.runData.Back).toHaveLength(3);
		await expect(service.statuses()).resolves.toEqual(['in_progress']);
	});

	it.each(['template', 'files'])(
		'sends once from %s what an older execution is retried for again',
		async (from) => {
			const title = '={{ "T " + $json.n }}';
			const parameters =
				from === 'files' ? createAndSend(title) : await service.templateSend(title);
			const node = esign('eSign', parameters, { onError: 'continueErrorOutput' });
			const lines = ['Given > eSign', 'eSign > Tell', 'eSign ! Back', 'Back > eSign'];
			const workflow = workflows.flow([GIVEN, node, BACK, TELL], ...lines);
			workflows.items = await numbered(2);
			// The first row goes round, and Tell fails after the second; retried, it goes round once more.
			const refuse = () => service.lose('POST', from === 'files' ? SEND : TEMPLATE_SEND, REFUSED);
			refuse();
			workflows.failures = 1;
			const first = await workflows.run(workflow);
			refuse();
			for (let again = 0; again < 2; again++) await service.n8n.retry(workflow, first);
			await expect(service.titles()).resolves.toEqual(['T 1', 'T 2']);
		},
	);
});

it('A node in a loop does in every round what it is asked for, whatever an equal round has done', async () => {
	workflows.items = [{ json: {} }, { json: {} }];
	const done = await workflows.run(workflows.loop(await service.templateSend('T')));
	expect(done.data.resultData.error).toBeUndefined();
	await expect(service.titles()).resolves.toEqual(['T', 'T']);
});

describe('Rows of a loop that have the same data, and are told apart by an expression', () => {
	async function loopOfBareRows(): Promise<Workflow> {
		workflows.items = [1, 2, 3].map((n) => ({ json: { n } }));
		const parameters = await service.templateSend("={{ 'T ' + $('Rounds').item.json.n }}");
		const node = esign('eSign', parameters, { onError: 'continueRegularOutput' });
		const lines = ['Given > Rounds', 'Rounds > Bare', 'Bare > eSign', 'eSign > Rounds'];
		return workflows.flow([GIVEN, ROUNDS, BARE, node], ...lines);
	}

	it('do not take what is in doubt of the row before', async () => {
		service.loseForGood(TEMPLATE_SEND, DONE);
		await workflows.run(await loopOfBareRows());
		await expect(service.titles()).resolves.toEqual(['T 1', 'T 2', 'T 3']);
	});

	it('are sent once each where one was refused, n8n was killed, and all run again', async () => {
		const workflow = await loopOfBareRows();
		service.lose('POST', TEMPLATE_SEND, REFUSED);
		const killed = await workflows.run(workflow);
		await expect(service.titles()).resolves.toEqual(['T 2', 'T 3']);

		await service.n8n.retry(workflow, killed, { lost: 'killed' });
		await expect(service.titles()).resolves.toEqual(['T 1', 'T 2', 'T 3']);
	});
});

describe('A contract that was stopped on its way', () => {
	/** Stopped at the first pause of so many milliseconds, or more, after the request. */
	async function stopped(parameters: INodeParameters, path: RegExp, slept: number) {
		const stop = new AbortController();
		const sleep = service.clock.sleep.bind(service.clock);
		const isSent = () =>
			service.requests.some((request) => path.test(request.replace('POST ', '')));
		const asleep = jest.spyOn(service.clock, 'sleep').mockImplementation(async (milliseconds) => {
			if (isSent() && milliseconds >= slept) stop.abort();
			await sleep(milliseconds);
		});
		service.lose('POST', path, { how: 504, afterMs: 10, effectMs: 20_000 });
		const failed = await service.n8n.runNode(TYPE, {
			parameters,
			items: workflows.items,
			signal: stop.signal,
		});
		asleep.mockRestore();
		expect(failed.error?.message).toContain('cancelled');
		return failed;
	}

	it.each([
		['the workflow is run again', false, {}, 100],
		['the workflow is run again with Skip If Created', false, { skipIfCreatedWithin: 1 }, 100],
		['the execution is retried', true, {}, 100],
		['the execution is retried, stopped while the service answered', true, {}, 10],
	])('from a template goes out once: %s', async (_, isRetried, more, slept) => {
		const parameters = await service.templateSend('T', {
			additionalFields: { title: 'T', ...more },
		});
		const failed = await stopped(parameters, TEMPLATE_SEND, slept);
		const again = isRetried
			? await service.retry(failed, parameters)
			: await service.run(parameters, workflows.items);
		expect(titlesOf(again)).toEqual(['T']);
		expect(hintsOf(again)).not.toBe('');
		await expect(service.titles()).resolves.toEqual(['T']);
	});

	it('from files goes out once', async () => {
		await stopped(createAndSend('T'), SEND, 100);
		expect((await service.run(createAndSend('T'), workflows.items)).items).toHaveLength(1);
		await expect(service.statuses()).resolves.toEqual(['in_progress']);
	});
});
