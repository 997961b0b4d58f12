import { asSent, items, openBench, run, sent } from '../support/operationRun';

openBench();

describe('Webhook > Create', () => {
	it('POST /webhooks', async () => {
		const { requests, output } = await run(
			['webhook', 'create'],
			{ url: '={{ $json.url }}', events: '={{ $json.events }}' },
			items(
				{ url: 'https://example.com/a', events: ['document.sent'] },
				{ url: 'http://127.0.0.1:9/b', events: ['document.completed', 'recipient.signed'] },
			),
		);
		expect(asSent(requests)).toEqual([
			sent('POST', '/webhooks', { body: { url: 'https://example.com/a', events: ['document.sent'] } }),
			sent('POST', '/webhooks', {
				body: { url: 'http://127.0.0.1:9/b', events: ['document.completed', 'recipient.signed'] },
			}),
		]);
		expect(output.map(({ signing_secret }) => typeof signing_secret)).toEqual(['string', 'string']);
	});
});
