import type { INodeParameters } from 'n8n-workflow';
import { TYPE } from '../actions/support/workbench';
import { ROLES } from '../client/support/samples';
import { DOCUMENTS, DONE, DOWN, NOT_DONE, TEMPLATE_SEND } from './support/losses';
import { LossyService, titlesOf } from './support/lossyService';

const service = LossyService.ofThisFile();

const TEMPLATE = /^\/templates\/[^/]+$/;

const EMAILS = ROLES.map(({ email }) => email);
const WAYS_OUT =
	/^Nothing more was sent. If it is this one, set Skip If Created Within .* If not, give this one another title/;

const skipping = async () =>
	await service.templateSend('T', { additionalFields: { title: 'T', skipIfCreatedWithin: 1 } });

/** Somebody else sends to the same people, so many seconds from now. */
function othersSend(title: string, seconds: number): void {
	const { clock, direct } = service;
	clock.at(clock.now() + seconds * 1000, async () => void (await direct.send(title, EMAILS)));
}

function loseLists(): void {
	service.lose('GET', DOCUMENTS, DOWN, { times: 4 });
}

/** n8n's database is away. */
async function noMemory(): Promise<void> {
	service.memories.failure = await Promise.resolve(new Error('The database is away'));
}

async function idsOf(...titles: string[]): Promise<string[]> {
	const documents = await service.documents();
	return documents.filter(({ title }) => titles.includes(title)).map(({ id }) => id);
}

/** What a test may give a template that it sends itself. */
let parameters: INodeParameters;
beforeEach(async () => (parameters = await service.templateSend('T')));

describe('A template whose answer was lost', () => {
	it('is what was sent, after 65 seconds, if one document fits', async () => {
		service.lose('POST', TEMPLATE_SEND, { how: 504, afterMs: 1, effectMs: 60_000 });
		await service.direct.send('T', ['somebody@example.com']);
		await service.direct.send('T', EMAILS);
		await service.clock.sleep(70_000);
		const begun = service.clock.now();
		const run = await service.run(parameters);
		expect(service.clock.now() - begun).toBeGreaterThanOrEqual(65_000);
		expect(service.clock.now() - begun).toBeLessThan(70_000);
		const [id] = await idsOf('T');
		expect(run.items.map(({ json }) => json)).toMatchObject([{ id, status: 'in_progress' }]);
		const message = `The service did not answer, but it created what was asked for: ${id}. It was not sent again.`;
		expect(run.hints).toContainEqual({ type: 'warning', message, location: 'outputPane' });
		await expect(service.documents()).resolves.toHaveLength(3);
	});

	it.each(['without a title', 'with a title'])(
		'is in doubt, %s, where the service does not answer anything',
		async (title) => {
			service.loseForGood(TEMPLATE_SEND, DONE);
			service.lose('GET', TEMPLATE, DOWN, { times: 4 });
			const untitled = { ...parameters, additionalFields: {} };
			const { error } = await service.run(title === 'with a title' ? parameters : untitled);
			expect(error?.message).toContain('Whether this was sent already is not known');
			expect(error?.context).toMatchObject({ outcome: 'in doubt' });
		},
	);

	it('is not sent again where it was cancelled since', async () => {
		service.loseForGood(TEMPLATE_SEND, DONE);
		const failed = await service.run(parameters);
		const [id] = await idsOf('T');
		await service.direct.api('POST', `/documents/${id}/cancel`);
		const again = await service.retry(failed, parameters);
		expect(again.error?.message).toContain(`was cancelled since: ${id}`);
		await expect(service.statuses()).resolves.toEqual(['cancelled']);
		// Another execution is another order.
		expect((await service.run(parameters)).error).toBeUndefined();
		await expect(service.statuses()).resolves.toEqual(['cancelled', 'in_progress']);
	});

	it('is sent by the ID of a draft, with embed links one by one, if it was not', async () => {
		service.lose('POST', TEMPLATE_SEND, NOT_DONE);
		const { items } = await service.run({ ...parameters, embed: true });
		const [id] = await idsOf('T');
		expect(items.map(({ json }) => json)).toMatchObject([{ id, status: 'in_progress' }]);
		expect(items[0]?.json.embed_links).toHaveLength(2);
		expect(service.requests.map((request) => request.replace(/(doc|rcp|tpl)_\w+/g, '…'))).toEqual([
			'POST /templates/…/send',
			'GET /documents',
			'POST /templates/…/send',
			'POST /documents/…/send',
			'GET /templates/…',
			'POST /documents/…/recipients/…/embed-link',
			'POST /documents/…/recipients/…/embed-link',
		]);
	});

	it.each<[string, string, boolean]>([
		['several documents fit', 'T', true],
		['one fits, and one for these people has another title', 'Another', true],
		['only one with another title is there', 'Another', false],
	])('fails in doubt, and names both ways out, if %s', async (_, title, isDone) => {
		service.lose('POST', TEMPLATE_SEND, isDone ? DONE : NOT_DONE);
		othersSend(title, 20);
		const { error } = await service.run(parameters);
		expect(error).toMatchObject({
			message: expect.stringContaining(
				'not clear whether one of these documents is this one: ',
			) as string,
			description: expect.stringMatching(WAYS_OUT) as string,
			context: { outcome: 'in doubt' },
		});
		const ids = await idsOf('T', title);
		for (const id of ids) expect(error?.message).toContain(id);
		expect(ids).toHaveLength(isDone ? 2 : 1);
	});

	it('is not what somebody has sent to the same people long after that', async () => {
		service.loseForGood(TEMPLATE_SEND, NOT_DONE);
		const failed = await service.run(parameters);
		service.mend();
		await service.clock.sleep(600_000);
		const { id } = await service.direct.send('T', EMAILS);
		const again = await service.retry(failed, parameters);
		expect(again.items.map(({ json }) => json.status)).toEqual(['in_progress']);
		expect(again.items[0]?.json.id).not.toBe(id);
		await expect(service.titles()).resolves.toEqual(['T', 'T']);
	});

	it('names other ways out where the execution goes on, which n8n retries no more', async () => {
		service.lose('POST', TEMPLATE_SEND, DONE);
		othersSend('T', 20);
		const settings = { onError: 'continueRegularOutput' as const };
		const run = await service.run(parameters, [{ json: {} }], settings);
		expect(JSON.stringify(run.items[0]?.json)).toMatch(
			/If it is this one, nothing is left to do.*in a new execution/,
		);
	});

	it('sends nothing more in a retry while several fit, and takes one with Skip If Created', async () => {
		service.lose('POST', TEMPLATE_SEND, DONE);
		othersSend('T', 20);
		const failed = await service.run(parameters);
		const again = await service.retry(failed, parameters);
		expect(again.error?.description).toMatch(WAYS_OUT);

		const skipped = await service.retry(failed, await skipping());
		expect(skipped.items.map(({ json }) => json.already_existed)).toEqual([true]);
		await expect(service.titles()).resolves.toEqual(['T', 'T']);
	});

	it.each<[string, string, () => void]>([
		[
			'list cannot be read',
			'Could not list the documents',
			() => service.lose('GET', DOCUMENTS, DOWN, { times: 2 }),
		],
		[
			'memory of the node is away',
			'The database is away',
			() => service.clock.at(service.clock.now() + 30_000, async () => await noMemory()),
		],
	])('fails in doubt where the %s, and a retry finds it', async (_, why, lose) => {
		service.lose('POST', TEMPLATE_SEND, DONE);
		lose();
		const failed = await service.run(parameters);
		expect(failed.error).toMatchObject({
			message: expect.stringContaining(`was sent already is not known: ${why}`) as string,
			description: expect.stringContaining('Retry the execution: the node looks again') as string,
			context: { outcome: 'in doubt' },
		});
		service.memories.failure = undefined;
		expect(titlesOf(await service.retry(failed, parameters))).toEqual(['T']);
		await expect(service.titles()).resolves.toEqual(['T']);
	});
});

it('What was stopped after it had waited for the rate limit is waited for from then on', async () => {
	const stop = new AbortController();
	const { lossOf } = service;
	service.lose('POST', TEMPLATE_SEND, { how: 429, afterMs: 320_000 });
	service.lose('POST', TEMPLATE_SEND, { how: 'reset', afterMs: 1, effectMs: 50_000 });
	let sent = 0;
	service.lossOf = (method, path, body) => {
		if (method === 'POST' && ++sent === 2) stop.abort();
		return lossOf(method, path, body);
	};
	const stopped = await service.n8n.runNode(TYPE, { parameters, signal: stop.signal });
	service.lossOf = lossOf;
	expect(stopped.error?.message).toMatch('was cancelled while trying to create');
	await service.answered();
	expect(titlesOf(await service.run(parameters))).toEqual(['T']);
	await expect(service.titles()).resolves.toEqual(['T']);
});

it('Another title leads out where several documents fit what a lost answer may have sent', async () => {
	service.lose('POST', TEMPLATE_SEND, DONE);
	othersSend('T', 20);
	const failed = await service.run(parameters);
	expect(failed.error?.description).toMatch(WAYS_OUT);

	const renamed = await service.retry(failed, await service.templateSend('U'));
	expect(titlesOf(renamed)).toEqual(['U']);
	await expect(service.titles()).resolves.toEqual(['T', 'T', 'U']);
});

it.each<[string, string, INodeParameters, () => void]>([
	['another title while the list cannot be read', 'U', {}, () => loseLists()],
	['embed links while several fit', 'T', { embed: true }, () => othersSend('T', 20)],
])('%s does not lead out of what a lost answer may have sent', async (_, title, more, happen) => {
	service.lose('POST', TEMPLATE_SEND, DONE);
	happen();
	const failed = await service.run(parameters);
	expect(failed.error?.context?.outcome).toBe('in doubt');
	const before = await service.titles();
	const again = await service.retry(failed, await service.templateSend(title, more));
	expect(again.error?.context?.outcome).toBe('in doubt');
	await expect(service.titles()).resolves.toEqual(before);
});
