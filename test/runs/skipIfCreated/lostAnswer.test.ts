import { ADA, createAndSend } from '../../actions/support/workbench';
import {
	DOCUMENTS,
	DONE,
	DOWN,
	LossyService,
	NOT_DONE,
	numbered,
	SEND,
	TEMPLATE_SEND,
	titlesOf,
} from '../support/lossyService';

const service = LossyService.ofThisFile();

const wanted = async () =>
	await service.templateSend('T', { additionalFields: { title: 'T', skipIfCreatedWithin: 24 } });
const CONTINUE = { onError: 'continueRegularOutput' } as const;

describe('With Skip If Created, an item that fails while nobody knows what it has created', () => {
	it('is taken over by an equal item after it', async () => {
		service.lose('POST', TEMPLATE_SEND, DONE);
		service.lose('GET', DOCUMENTS, DOWN, { times: 5, skip: 1 });
		const { items } = await service.run(await wanted(), [{ json: {} }, { json: {} }], CONTINUE);
		const [made, ...others] = await service.documents();
		expect(items[0]?.json.error).toEqual(expect.any(String));
		expect(items[1]?.json).toMatchObject({ id: made?.id, status: 'in_progress' });
		expect(others).toEqual([]);
	});

	it('goes on where it ended when n8n tries it again, without a look of its own', async () => {
		service.lose('POST', TEMPLATE_SEND, DONE);
		service.lose('GET', DOCUMENTS, DOWN, { times: 5, skip: 1 });
		const run = await service.run(await wanted(), undefined, { retryOnFail: true, maxTries: 2, waitBetweenTries: 1 });
		expect(titlesOf(run)).toEqual(['T']);
		expect(run.items[0]?.json).not.toHaveProperty('already_existed');
		await expect(service.titles()).resolves.toEqual(['T']);
	});
});

it('With Skip If Created, a draft of which nobody knows whether it was sent is gone on with by an equal item', async () => {
	service.lose('POST', SEND, NOT_DONE, { times: 99 });
	const parameters = createAndSend('T', ADA, { additionalFields: { skipIfCreatedWithin: 24 } });
	const { items } = await service.run(parameters, await numbered(2), CONTINUE);
	const [draft, ...others] = await service.documents();
	const words = expect.stringMatching(`^The draft ${draft?.id} was created, but sending it failed`) as string;
	expect(items.map(({ json: { error } }) => error)).toEqual([words, words]);
	expect(others).toEqual([]);
});
