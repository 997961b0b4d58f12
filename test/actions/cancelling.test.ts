import { client } from '../../nodes/ESign/client';
import { Workbench } from './support/workbench';

describe('Stopping an execution that waits for the rate limit', () => {
	it('ends it though no time passes at all, with nothing sent for the item that waited', async () => {
		const stop = new AbortController();
		// Time stands still: a wait that had to run out, or even to be slept on for a slice, would
		// never end.
		const clock = {
			now: () => 1_800_000_000_000,
			sleep: async () => {
				stop.abort();
				await new Promise<void>(() => undefined);
			},
		};
		Object.assign(client.settings, { clock });
		const bench = await Workbench.open({ rateLimit: 1, rateWindow: 60 });
		try {
			const parameters = {
				url: '={{ "https://127.0.0.1:9/" + $itemIndex }}',
				events: ['document.sent'],
			};
			const items = [{ json: {} }, { json: {} }];
			const { error } = await bench.run('webhook', 'create', parameters, {
				items,
				signal: stop.signal,
			});
			expect(error).toMatchObject({
				message: 'The execution was cancelled before it could create the webhook endpoint',
				description: expect.stringMatching(/^Nothing has been sent\./) as string,
				context: { itemIndex: 1 },
			});
			expect(bench.takeRequests()).toHaveLength(1);
		} finally {
			await bench.close();
		}
	});
});
