import { asSent, fromItem, items, openBench, run, sent, templateIds } from '../support/operationRun';

openBench();

describe('Template > Send', () => {
	it('POST /templates/{id}/send with roles, values and embed options', async () => {
		const { nda, offer } = await templateIds();
		const nobody = [
			{ role: 'Client', name: 'Ada', email: 'ada@example.com' },
			{ role: 'Company', name: 'Grace', email: 'grace@example.com', phone: '+1 5' },
		];
		const { requests, output } = await run(
			['template', 'send'],
			{
				templateId: fromItem('id'),
				recipientsInput: 'json',
				recipientsJson: '={{ $json.recipients }}',
				fieldValues: { mappingMode: 'defineBelow', value: { client_company: '={{ $json.company }}', position: '' } },
				embed: '={{ $json.embed }}',
				embedOptions: { expiresIn: 300, redirectUrl: 'https://app.example.com/done' },
				additionalFields: { title: '={{ $json.title }}' },
			},
			items(
				{ id: nda, recipients: nobody, company: 'Example Ltd', embed: true, title: 'Our NDA' },
				{
					id: offer,
					recipients: [
						{ role: 'Candidate', name: 'Ada', email: 'ada@example.com' },
						{ role: 'HR', name: 'People', email: 'hr@example.com' },
					],
					company: '',
					embed: false,
					title: 'Offer',
				},
			),
		);
		expect(asSent(requests)).toEqual([
			sent('POST', `/templates/${nda}/send`, {
				body: {
					recipients: nobody,
					title: 'Our NDA',
					field_values: { client_company: 'Example Ltd' },
					send: true,
					embed: { expires_in: 300, redirect_url: 'https://app.example.com/done' },
				},
			}),
			sent('POST', `/templates/${offer}/send`, {
				body: {
					recipients: [
						{ role: 'Candidate', name: 'Ada', email: 'ada@example.com' },
						{ role: 'HR', name: 'People', email: 'hr@example.com' },
					],
					title: 'Offer',
					send: true,
				},
			}),
		]);
		expect(output[0]?.embed_links).toHaveLength(2);
		expect(output[1]).not.toHaveProperty('embed_links');
	});
});
