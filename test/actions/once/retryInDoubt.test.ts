import type { INodeParameters } from 'n8n-workflow';
import { callsOf } from '../../transport/support/faults';
import { ROLES } from '../../transport/support/scenarios';
import { FaultyService, TYPE } from '../everyOperation/faultyService';
import { byId, RETRY } from '../support/workbench';

let service: FaultyService;

beforeAll(async () => {
	service = await FaultyService.open({ attempts: 2 });
});
beforeEach(async () => await service.sandbox.control.reset());
afterAll(async () => await service.close());

const REMIND = 'POST /documents/{id}/remind';

const remind: INodeParameters = {
	resource: 'document',
	operation: 'remind',
	documentId: byId('={{ $json.id }}'),
};

async function twoSent() {
	return [{ json: { id: (await service.direct.sent()).id } }, { json: { id: (await service.direct.sent()).id } }];
}

/** As many calls in doubt as one run with Continue On Fail may leave. */
const MANY = 520;

/** The next reminder goes out, and nobody is told. */
async function loseOneAnswer() {
	await service.sandbox.control.fault({
		method: 'POST',
		path: '/documents/*/remind',
		when: 'after',
		kind: 'drop',
		times: 1,
	});
}

describe('Retry On Fail, when nobody knows what the first try has done', () => {
	it('sends no second reminder, and fails with what is known', async () => {
		const items = await twoSent();
		await loseOneAnswer();
		const { error } = await service.run({ parameters: remind, items, settings: RETRY });
		expect(error?.description).toContain('may or may not have gone out');
		expect(await callsOf(service.sandbox, REMIND)).toBe(1);
	});

	it('goes on with the other items where errors are items, and repeats none of those either', async () => {
		const items = await twoSent();
		await loseOneAnswer();
		const settings = { ...RETRY, onError: 'continueRegularOutput' as const };
		const run = await service.run({ parameters: remind, items, settings });
		expect(run.items.map(({ json }) => json)).toMatchObject([
			{ description: expect.stringContaining('may or may not have gone out') },
			{ reminded: 2 },
		]);
		expect(await callsOf(service.sandbox, REMIND)).toBe(2);
	});

	it('repeats none of very many', async () => {
		const { id } = await service.direct.sent();
		const items = Array.from({ length: MANY }, () => ({ json: { id } }));
		const path = '/documents/*/remind';
		await service.sandbox.control.fault({ method: 'POST', path, when: 'after', kind: 'drop', times: 2 * MANY });
		const settings = { ...RETRY, maxTries: 2, onError: 'continueRegularOutput' as const };
		const run = await service.run({ parameters: remind, items, settings });
		expect(run.items.filter(({ json }) => json.error === undefined)).toEqual([]);
		expect(await callsOf(service.sandbox, REMIND)).toBe(MANY);
	});

	it('creates no second document while the service cannot say whether the first exists', async () => {
		const { control } = service.sandbox;
		await control.fault({ method: 'POST', path: '/templates/*/send', when: 'after', kind: 'drop', times: 1 });
		await control.fault({ method: 'GET', path: '/documents', when: 'before', kind: 'status', status: 503, times: 9 });
		const parameters: INodeParameters = {
			resource: 'template',
			operation: 'send',
			templateId: byId(await service.direct.template('Mutual NDA')),
			recipientsInput: 'json',
			recipientsJson: JSON.stringify(ROLES),
		};
		const failed = await service.run({ parameters, items: [{ json: {} }, { json: {} }], settings: RETRY });
		expect(failed.error?.message).toContain('whether the document was created is not known');
		expect(failed.error?.description).toContain('repeating could do it twice');
		await expect(service.direct.list('/documents')).resolves.toHaveLength(1);

		// Retry execution goes on looking, and finds it.
		const again = await service.n8n.retryNode(TYPE, failed, { parameters });
		expect(again.error).toBeUndefined();
		const kept = await service.direct.list('/documents');
		expect(again.items.map(({ json }) => json.id).sort()).toEqual(kept.map(({ id }) => id).sort());
		expect(kept).toHaveLength(2);
	});

	it('tries again what may be repeated', async () => {
		const items = await twoSent();
		await service.sandbox.control.fault({
			method: 'POST',
			path: '/documents/*/cancel',
			when: 'before',
			kind: 'status',
			status: 503,
			times: 2,
		});
		const { error, items: output } = await service.run({
			parameters: { ...remind, operation: 'cancel' },
			items,
			settings: RETRY,
		});
		expect(error).toBeUndefined();
		expect(output.map(({ json }) => json.status)).toEqual(['cancelled', 'cancelled']);
	});
});
