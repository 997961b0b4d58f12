import type { IDataObject } from 'n8n-workflow';
import { asSent, bench, fromItem, items, openBench, run, sent, SIGNERS, templateIds } from '../support/operationRun';

openBench();

describe('Template Link > Create', () => {
	it('POST /templates/{id}/links', async () => {
		const { nda } = await templateIds();
		const [template] = await bench.prepare('template', 'get', { templateId: { __rl: true, mode: 'id', value: nda } });
		const [client, company] = (template?.roles as IDataObject[]).map(({ id }) => String(id));
		const { requests, output } = await run(
			['templateLink', 'create'],
			{
				templateId: fromItem('template'),
				signers: {
					signer: [
						{ placeholderId: client as string, isOpen: true },
						{ placeholderId: company as string, isOpen: false, name: '={{ $json.name }}', email: '={{ $json.email }}' },
					],
				},
				additionalFields: {
					label: '={{ $json.label }}',
					headline: 'Sign',
					message: 'Please',
					redirectUrl: 'https://example.com/thanks',
					expiresAt: '={{ $json.expiresAt }}',
					maxUses: '={{ $json.maxUses }}',
				},
			},
			items(
				{ template: nda, ...SIGNERS[0], label: 'A', expiresAt: '2030-01-31T18:00:00+02:00', maxUses: 3 },
				{ template: nda, ...SIGNERS[1], label: '', expiresAt: '2030-01-31', maxUses: 1 },
			),
		);
		const signers = (index: number) => [
			{ placeholder_id: client, is_open: true },
			{ placeholder_id: company, is_open: false, ...SIGNERS[index] },
		];
		const texts = { headline: 'Sign', message: 'Please', redirect_url: 'https://example.com/thanks' };
		expect(asSent(requests)).toEqual([
			sent('POST', `/templates/${nda}/links`, {
				body: {
					signers: signers(0),
					label: 'A',
					...texts,
					expires_at: '2030-01-31T16:00:00.000Z',
					max_uses: 3,
				},
			}),
			sent('POST', `/templates/${nda}/links`, {
				body: { signers: signers(1), ...texts, expires_at: '2030-01-31T05:00:00.000Z', max_uses: 1 },
			}),
		]);
		expect(output.map(({ label }) => label)).toEqual(['A', null]);
	});
});
