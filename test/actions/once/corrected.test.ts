import type { INodeParameters } from 'n8n-workflow';
import { FaultyService, TYPE } from '../everyOperation/faultyService';
import { ROLES } from '../../transport/support/scenarios';
import { byId } from '../support/workbench';

let service: FaultyService;

beforeAll(async () => {
	service = await FaultyService.open({ attempts: 2 });
});
beforeEach(async () => await service.sandbox.control.reset());
afterAll(async () => await service.close());

/** The title comes from a variable of n8n, which is corrected there. */
async function send(title: string): Promise<INodeParameters> {
	service.n8n.variables.title = title;
	return {
		resource: 'template',
		operation: 'send',
		templateId: byId(await service.direct.template('Mutual NDA')),
		recipientsInput: 'json',
		recipientsJson: JSON.stringify(ROLES),
		additionalFields: { title: '={{ $vars.title }}' },
	};
}

/** The answer to a send is lost, and the looks for it fail until the call is given up. */
async function loseAnswer(when: 'before' | 'after') {
	const { control } = service.sandbox;
	await control.fault({ method: 'POST', path: '/templates/*/send', when, kind: 'drop', times: 1 });
	await control.fault({ method: 'GET', path: '/documents', when: 'before', kind: 'status', status: 503, times: 5 });
}

const titles = async () => (await service.direct.list('/documents')).map(({ title }) => title).sort();

describe('Template > Send in doubt, corrected before Retry execution', () => {
	it('sends the corrected document where nothing was created', async () => {
		await loseAnswer('before');
		const failed = await service.run({ parameters: await send('Typo'), items: [{ json: {} }] });
		expect(failed.error?.message).toContain('is not known');
		const again = await service.n8n.retryNode(TYPE, failed, { parameters: await send('Correct') });
		expect(again.error).toBeUndefined();
		expect(again.items[0]?.json.title).toBe('Correct');
		await expect(titles()).resolves.toEqual(['Correct']);
	});

	it('names what was created before, sends nothing by itself, and sends the correction when a person asks again', async () => {
		await loseAnswer('after');
		const failed = await service.run({ parameters: await send('Typo'), items: [{ json: {} }] });
		expect(failed.error?.message).toContain('is not known');
		const [made] = await service.direct.list('/documents');
		const settings = { retryOnFail: true, maxTries: 3, waitBetweenTries: 1 };
		const told = await service.n8n.retryNode(TYPE, failed, { parameters: await send('Correct'), settings });
		expect(told.error?.message).toContain(`${made?.id} was created as it was asked for before`);
		await expect(titles()).resolves.toEqual(['Typo']);

		const again = await service.n8n.retryNode(TYPE, told, { parameters: await send('Correct') });
		expect(again.error).toBeUndefined();
		expect(again.items[0]?.json.title).toBe('Correct');
		await expect(titles()).resolves.toEqual(['Correct', 'Typo']);
	});
});
