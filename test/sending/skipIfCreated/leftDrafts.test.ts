import { createAndSend, TYPE } from '../../actions/support/workbench';
import { DOCUMENTS, REFUSED } from '../support/losses';
import { LossyService, numbered } from '../support/lossyService';
import { otherWorker } from '../support/otherProcess';
import { NAMED } from '../support/workflows';

const service = LossyService.ofThisFile();

const FIELDS = /^\/documents\/[^/]+\/fields$/;

const createDraft = (more = {}) => ({
	...createAndSend('T'),
	operation: 'create',
	additionalFields: { skipIfCreatedWithin: 1 },
	...more,
});

it.each([
	['on another worker', 0, {}],
	['when the process has forgotten it', 700_000, {}],
	['with its fields elsewhere', 0, { automatic: { page: 'last' } }],
])(
	'A draft whose fields were refused does not count as created: %s',
	async (where, later, more) => {
		const options = { workflowId: 'W', items: await numbered(1) };
		service.lose('PUT', FIELDS, REFUSED);
		const failed = await service.n8n.runNode(TYPE, { ...options, parameters: createDraft() });
		expect(failed.error).toBeDefined();

		await service.clock.sleep(later);
		const n8n = where === 'on another worker' ? await otherWorker(service) : service.n8n;
		const again = await n8n.runNode(TYPE, { ...options, parameters: createDraft(more) });
		const [id] = again.items.map(({ json }) => json.id);
		expect(again.items).toMatchObject([{ json: { status: 'draft' } }]);
		await service.direct.api('POST', `/documents/${String(id)}/send`);
		await expect(service.statuses()).resolves.toContain('in_progress');

		// What is done counts.
		const once = { ...createDraft(more), title: 'Another' };
		const done = await n8n.runNode(TYPE, { ...options, parameters: once });
		const twice = await (
			await otherWorker(service)
		).runNode(TYPE, { ...options, parameters: once });
		expect(twice.items[0]?.json).toMatchObject({
			id: done.items[0]?.json.id,
			already_existed: true,
		});
	},
);

it('What was named is named again, and not sent, where nothing was changed since', async () => {
	const bare = (await numbered(2)).map(({ binary }) => ({ json: {}, binary }));
	const skipping = (title: string) => ({
		workflowId: 'W',
		parameters: { ...createAndSend(title), additionalFields: { skipIfCreatedWithin: 1 } },
	});
	const titled = (title: string) => skipping(`={{ "${title} " + $itemIndex }}`);
	service.lose('POST', DOCUMENTS, REFUSED);
	const first = await service.n8n.runNode(TYPE, { ...titled('T'), items: bare });
	service.lose('POST', DOCUMENTS, REFUSED, { skip: 1 });
	await (await otherWorker(service)).retryNode(TYPE, first, titled('T'));
	await expect(service.titles()).resolves.toEqual(['T 0']);

	await service.clock.sleep(600_000);
	const retried = async () =>
		await (await otherWorker(service)).retryNode(TYPE, first, titled('U'));
	expect((await retried()).error?.message).toMatch(NAMED);
	expect((await retried()).error?.message).toMatch(NAMED);
	await expect(service.titles()).resolves.toEqual(['T 0']);
});
