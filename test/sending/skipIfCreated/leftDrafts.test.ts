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

it('A draft of somebody else that a retry has taken is left as it is by the next one', async () => {
	const items = await numbered(1);
	const { id } = await service.direct.draft('T', ['ada@example.com']);
	const options = { workflowId: 'W', items, parameters: createDraft() };
	// n8n has saved nothing of what was killed.
	service.lose('GET', /^\/documents$/, REFUSED);
	const killed = await service.n8n.runNode(TYPE, options);
	for (const worker of [await otherWorker(service), await otherWorker(service)]) {
		service.requests.length = 0;
		const { items: output } = await worker.retryNode(TYPE, killed, options, 'stopped');
		expect(output).toMatchObject([{ json: { id, status: 'draft' } }]);
		expect(service.requests.filter((request) => !request.startsWith('GET '))).toEqual([]);
	}
});
