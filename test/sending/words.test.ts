import type { INodeParameters, WorkflowExecuteMode } from 'n8n-workflow';
import { CANCELLED } from '../../nodes/ESign/client';
import { TYPE } from '../actions/support/workbench';
import { DONE, NOT_DONE, REFUSED, TEMPLATE_SEND } from './support/losses';
import { hintsOf, LossyService, numbered } from './support/lossyService';
import { otherWorker } from './support/otherProcess';

const service = LossyService.ofThisFile();
const { lossOf } = service;
afterEach(() => (service.lossOf = lossOf));

const TITLE = '={{ "T " + $json.n }}';
const CALLED = 'This is a sub-workflow: if the node that calls it is retried, by Retry On Fail';

describe('That a caller which is retried sends everything again', () => {
	it.each<[string, WorkflowExecuteMode, INodeParameters, boolean]>([
		['in a sub-workflow', 'integrated', {}, true],
		['but not of a draft', 'integrated', { send: false }, false],
		[
			'but not with Skip If Created',
			'integrated',
			{ additionalFields: { title: TITLE, skipIfCreatedWithin: 1 } },
			false,
		],
		['nor in a workflow that nobody calls', 'trigger', {}, false],
	])('is said once %s', async (_, mode, more, isSaid) => {
		const parameters = await service.templateSend(TITLE, more);
		const run = await service.n8n.runNode(TYPE, { parameters, mode, items: await numbered(2) });
		expect(run.items).toHaveLength(2);
		expect(hintsOf(run).split(CALLED)).toHaveLength(isSaid ? 2 : 1);
	});
});

it('A run that is stopped on its way says what was sent, and that n8n offers no Retry', async () => {
	const stop = new AbortController();
	let sends = 0;
	service.lossOf = (method, path) => {
		if (method === 'POST' && TEMPLATE_SEND.test(path)) sends += 1;
		if (sends === 2) stop.abort();
		return undefined;
	};
	const parameters = await service.templateSend(TITLE);
	const options = { parameters, items: await numbered(3), signal: stop.signal };
	const { error } = await service.n8n.runNode(TYPE, options);
	expect(error?.message).toContain('The execution was cancelled while trying to');
	expect(error?.description).toContain(`It may have been carried out. ${CANCELLED}`);
	expect(error?.description).toContain(`1 of 3 documents were sent. ${CANCELLED} Without it,`);
});

it('An item in doubt says so until it is known, also where its correction is refused here', async () => {
	const parameters = await service.templateSend('T');
	service.loseForGood(TEMPLATE_SEND, DONE);
	const failed = await service.run(parameters);
	const settings = { onError: 'continueRegularOutput' as const };
	const wrong = { ...parameters, recipientsJson: '[]' };
	expect(failed.error).toMatchObject({ context: { outcome: 'in doubt' } });
	service.mend();
	const refused = await service.n8n.retryNode(TYPE, failed, { parameters: wrong, settings });
	expect(refused.items[0]?.json).toMatchObject({
		error: expect.any(String) as string,
		error_details: { in_doubt: true },
	});
	const found = await service.n8n.retryNode(TYPE, failed, { parameters, settings });
	expect(found.items[0]?.json).toMatchObject({ status: 'in_progress' });
	await expect(service.titles()).resolves.toEqual(['T']);
});

it('A retry that waits after a kill does not say that the service gave no answer', async () => {
	const parameters = await service.templateSend('T');
	service.lose('POST', TEMPLATE_SEND, NOT_DONE);
	const killed = await service.killedAt(TEMPLATE_SEND, async (signal) => {
		return await service.n8n.runNode(TYPE, { parameters, signal });
	});
	const worker = await otherWorker(service);
	const retried = await worker.retryNode(TYPE, killed, { parameters }, 'stopped');
	expect(hintsOf(retried)).toContain(
		'It was not known whether a request to create the document was carried out.',
	);
	expect(hintsOf(retried)).not.toContain('did not answer');
});

it('A list that has failed says what prevents that a new execution sends all of it again', async () => {
	service.lose('POST', TEMPLATE_SEND, REFUSED, { skip: 1 });
	const { error } = await service.run(await service.templateSend(TITLE), await numbered(2));
	expect(error?.description).toMatch(
		/^1 of 2 documents were sent\..* all would be sent again, unless Skip If Created Within is set\.$/m,
	);
});
