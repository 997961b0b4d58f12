import { asSent, documents, fromItem, items, openBench, run, sent } from '../support/operationRun';

openBench();

describe('Document > Create Embed Link', () => {
	it('POST .../embed-link with what is set', async () => {
		const made = await documents(true);
		const { requests, output } = await run(
			['document', 'createEmbedLink'],
			{
				documentId: fromItem('documentId'),
				recipientId: fromItem('recipientId'),
				additionalFields: { expiresIn: '={{ $json.expiresIn }}', redirectUrl: '={{ $json.redirectUrl }}' },
			},
			items(
				{ ...made[0], expiresIn: 900, redirectUrl: '' },
				{ ...made[1], expiresIn: 60, redirectUrl: 'https://app.example.com/done' },
			),
		);
		const pathOf = (index: number) =>
			`/documents/${made[index]?.documentId}/recipients/${made[index]?.recipientId}/embed-link`;
		expect(asSent(requests)).toEqual([
			sent('POST', pathOf(0), { body: { expires_in: 900 } }),
			sent('POST', pathOf(1), { body: { expires_in: 60, redirect_url: 'https://app.example.com/done' } }),
		]);
		expect(output.map(({ url }) => typeof url)).toEqual(['string', 'string']);
	});
});
