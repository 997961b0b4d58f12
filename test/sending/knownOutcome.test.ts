import { createAndSend, RETRY, TYPE } from '../actions/support/workbench';
import { DONE, NOT_DONE, REFUSED, SEND, TEMPLATE_SEND } from './support/losses';
import { LossyService, numbered } from './support/lossyService';

const service = LossyService.ofThisFile();

const CONTINUE = { onError: 'continueRegularOutput' as const };

describe('A document that was cancelled while it was in doubt', () => {
	const parameters = createAndSend('T');

	const cancelIt = async () => {
		const [made] = await service.direct.documents();
		await service.direct.api('POST', `/documents/${made?.id}/cancel`);
	};

	const cancelledInDoubt = async () => {
		service.loseSend(DONE);
		const failed = await service.run(parameters, await numbered(1));
		service.mend();
		await service.documents();
		await cancelIt();
		return failed;
	};

	it('is known to be, fails its item, and is not sent again', async () => {
		const failed = await cancelledInDoubt();
		const options = { parameters, settings: CONTINUE };
		const again = await service.n8n.retryNode(TYPE, failed, options);
		expect(again.items.map(({ json }) => json)).toMatchObject([
			{
				error: expect.stringContaining('was cancelled since') as string,
				error_details: { in_doubt: false },
			},
		]);
		await expect(service.statuses()).resolves.toEqual(['cancelled']);
	});

	it('is not what a new execution continues with', async () => {
		await service.retry(await cancelledInDoubt(), parameters);
		const { items } = await service.run(parameters, await numbered(1));
		expect(items.map(({ json }) => json.status)).toEqual(['in_progress']);
	});

	it('fails also in Retry On Fail', async () => {
		service.loseSend(DONE);
		const { clock } = service;
		clock.at(clock.now() + 60_000, cancelIt);
		const { error } = await service.run(parameters, await numbered(1), RETRY);
		expect(error?.message).toContain('was cancelled since');
		await expect(service.statuses()).resolves.toEqual(['cancelled']);
	});
});

it('A document that is out, and whose embed links are refused, is in no doubt, and nobody else’s', async () => {
	service.lose('POST', TEMPLATE_SEND, NOT_DONE);
	service.lose('POST', /embed-link$/, REFUSED);
	const parameters = await service.templateSend('T', { embed: true });
	const failed = await service.run(parameters, undefined, CONTINUE);
	expect(failed.items[0]?.json).toMatchObject({ error_details: { in_doubt: false } });

	const next = await service.run(parameters);
	const again = await service.retry(failed, parameters);
	const ids = [next, again].map(({ items }) => items[0]?.json.id);
	expect(new Set(ids).size).toBe(2);
	await expect(service.statuses()).resolves.toEqual(['in_progress', 'in_progress']);
	expect(service.requests.filter((request) => SEND.test(request.slice(5)))).toHaveLength(1);
});
