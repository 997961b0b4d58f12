import { createAndSend, RETRY, TYPE } from '../actions/support/workbench';
import { DOCUMENT, DONE, DOWN, NOT_DONE, REFUSED, SEND, TEMPLATE_SEND } from './support/losses';
import { hintsOf, LossyService, numbered } from './support/lossyService';
import { otherWorker } from './support/otherProcess';

const service = LossyService.ofThisFile();

const FIELDS = /\/fields$/;
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

	it('nor where it was not known to be', async () => {
		await cancelledInDoubt();
		const run = await service.run(parameters, await numbered(1));
		expect(run.items.map(({ json }) => json.status)).toEqual(['in_progress']);
		expect(hintsOf(run)).not.toContain('earlier try');
	});

	it('fails also in Retry On Fail', async () => {
		service.loseSend(DONE);
		const { clock } = service;
		clock.at(clock.now() + 60_000, cancelIt);
		const { error } = await service.run(parameters, await numbered(1), RETRY);
		const [made] = await service.documents();
		expect(error?.message).toBe(`This was sent before, and was cancelled since: ${made?.id}`);
		await expect(service.statuses()).resolves.toEqual(['cancelled']);
	});
});

it('A document that is out, and whose embed links are refused, is in no doubt, and nobody else’s', async () => {
	service.lose('POST', TEMPLATE_SEND, NOT_DONE);
	service.lose('POST', /embed-link$/, REFUSED);
	const parameters = await service.templateSend('T', { embed: true });
	const failed = await service.run(parameters, undefined, CONTINUE);
	const [made] = await service.documents();
	expect(failed.items[0]?.json).toMatchObject({
		error: expect.stringContaining(`The document ${made?.id} was sent, but adding`) as string,
		error_details: { in_doubt: false },
	});

	const next = await service.run(parameters);
	const again = await service.retry(failed, parameters);
	const ids = [next, again].map(({ items }) => items[0]?.json.id);
	expect(new Set(ids).size).toBe(2);
	await expect(service.statuses()).resolves.toEqual(['in_progress', 'in_progress']);
	expect(service.requests.filter((request) => SEND.test(request.slice(5)))).toHaveLength(1);
});

describe('A draft that is refused', () => {
	const inNoDoubt = [{ error_details: { httpCode: '402', in_doubt: false } }];

	it('as it is sent, once and in a retry, is in no doubt', async () => {
		const parameters = createAndSend('T');
		service.lose('POST', SEND, REFUSED, { times: 2 });
		const first = await service.run(parameters, await numbered(1));
		expect(first.error).toMatchObject({ httpCode: '402' });
		expect(first.error?.context?.outcome).toBeUndefined();
		const options = { parameters, settings: CONTINUE };
		const again = await service.n8n.retryNode(TYPE, first, options);
		expect(again.items.map(({ json }) => json)).toMatchObject(inNoDoubt);
		await expect(service.statuses()).resolves.toEqual(['draft']);
	});

	it('as a retry makes it ready, where only a draft is wanted, is in no doubt', async () => {
		const parameters = createAndSend('T', undefined, { operation: 'create' });
		service.lose('PUT', FIELDS, DOWN, { times: 2 });
		const first = await service.run(parameters, await numbered(1));
		service.mend();
		service.lose('PUT', FIELDS, REFUSED);
		const options = { parameters, settings: CONTINUE };
		const again = await (await otherWorker(service)).retryNode(TYPE, first, options, 'stopped');
		expect(again.items.map(({ json }) => json)).toMatchObject(inNoDoubt);
		await expect(service.statuses()).resolves.toEqual(['draft']);
	});
});

it('What was sent of another order’s draft, and cancelled, does not end an order that could not read it', async () => {
	service.lose('POST', SEND, REFUSED);
	await service.run(createAndSend('T'), await numbered(1));
	const [left] = await service.documents();
	service.lose('GET', DOCUMENT, DOWN, { times: 2 });
	const failed = await service.run(createAndSend('T'), await numbered(1));
	expect(failed.error).toMatchObject({ httpCode: '503' });
	await service.direct.api('POST', `/documents/${left?.id}/send`);
	await service.direct.api('POST', `/documents/${left?.id}/cancel`);
	const again = await service.retry(failed, createAndSend('T'));
	expect(again.items.map(({ json }) => json.status)).toEqual(['in_progress']);
	await expect(service.statuses()).resolves.toEqual(['cancelled', 'in_progress']);
});
