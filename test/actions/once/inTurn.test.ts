import type { INodeParameters } from 'n8n-workflow';
import { FaultyService, TYPE } from '../everyOperation/faultyService';
import { ROLES } from '../../transport/support/scenarios';
import { byId } from '../support/workbench';

let service: FaultyService;

beforeAll(async () => {
	service = await FaultyService.open({ attempts: 2 });
});
afterAll(async () => await service.close());

const send = async (title: string): Promise<INodeParameters> => ({
	resource: 'template',
	operation: 'send',
	templateId: byId(await service.direct.template('Mutual NDA')),
	recipientsInput: 'json',
	recipientsJson: JSON.stringify(ROLES),
	additionalFields: { title },
});

const titles = async () => (await service.direct.list('/documents')).map(({ title }) => title).sort();

it('What another execution makes at the same time is not taken for what an earlier request has left', async () => {
	const { control } = service.sandbox;
	const path = '/templates/*/send';
	await control.fault({ method: 'POST', path, when: 'before', kind: 'drop', times: 1 });
	await control.fault({ method: 'GET', path: '/documents', when: 'before', kind: 'status', status: 503, times: 5 });
	const failed = await service.run({ parameters: await send('A') });
	expect(failed.error?.message).toContain('is not known');
	await control.clearFaults();

	await control.fault({ method: 'POST', path, when: 'after', kind: 'delay', delay_ms: 500, times: 1 });
	const same = service.run({ parameters: await send('A') });
	while ((await titles()).length === 0) await new Promise(setImmediate);
	// The other document is there, and its answer is not.
	const corrected = await service.n8n.retryNode(TYPE, failed, { parameters: await send('B') });
	expect(corrected.error).toBeUndefined();
	expect((await same).items.map(({ json }) => json.title)).toEqual(['A']);
	await expect(titles()).resolves.toEqual(['A', 'B']);
});
