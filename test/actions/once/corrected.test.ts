import type { INodeParameters } from 'n8n-workflow';
import { FaultyService, TYPE } from '../everyOperation/faultyService';
import { ROLES } from '../../transport/support/scenarios';
import { byId, contract } from '../support/workbench';

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

it('Template > Send in doubt sends the other template that is asked for now, though its recipients and its title are the same', async () => {
	const { n8n, direct } = service;
	n8n.variables.template = await direct.template('Mutual NDA');
	const parameters = { ...(await send('T')), templateId: byId('={{ $vars.template }}') };
	await loseAnswer('before');
	const failed = await service.run({ parameters, items: [{ json: {} }] });
	expect(failed.error?.message).toContain('is not known');
	n8n.variables.template = 'tpl_another';
	await n8n.retryNode(TYPE, failed, { parameters });
	const sends = (await service.sandbox.control.requests()).filter(({ path }) => path.endsWith('/send'));
	expect(sends.map(({ path }) => path)).toEqual([expect.any(String), '/v1/templates/tpl_another/send']);
	await expect(titles()).resolves.toEqual([]);
});

it('Document > Create in doubt of which nothing came is made with the title that is asked for now', async () => {
	const { control } = service.sandbox;
	const parameters: INodeParameters = {
		resource: 'document',
		operation: 'create',
		recipientsInput: 'json',
		recipientsJson: '[{"name":"Ada","email":"ada@example.com"}]',
		fieldsInput: 'none',
		title: '={{ $vars.title }}',
	};
	service.n8n.variables.title = 'Typo';
	await control.fault({ method: 'POST', path: '/documents', when: 'before', kind: 'drop', times: 1 });
	await control.fault({ method: 'GET', path: '/documents', when: 'before', kind: 'status', status: 503, times: 5 });
	const failed = await service.run({ parameters, items: [{ json: {}, binary: { data: await contract() } }] });
	expect(failed.error?.message).toContain('is not known');
	service.n8n.variables.title = 'Correct';
	const again = await service.n8n.retryNode(TYPE, failed, { parameters });
	expect(again.error).toBeUndefined();
	await expect(titles()).resolves.toEqual(['Correct']);
});
