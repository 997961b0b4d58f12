import { createAndSend, TYPE } from '../../actions/support/workbench';
import { REFUSED } from '../support/losses';
import { LossyService, numbered } from '../support/lossyService';
import { otherWorker } from '../support/otherProcess';

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
