import { ESign } from '../../nodes/ESign/ESign.node';
import { client } from '../../nodes/ESign/client';
import { startSandbox } from '../../sandbox';
import { N8n } from '../../harness/n8nCore/n8n';
import { TYPE } from './support/workbench';

describe('Stopping an execution that waits for the rate limit', () => {
	it('ends it though no time passes at all, with nothing sent for the item that waited', async () => {
		const stop = new AbortController();
		// Time stands still: a wait that had to run out, or even to be slept on for a slice, would never end.
		const clock = {
			now: () => 1_800_000_000_000,
			sleep: async () => {
				stop.abort();
				await new Promise<void>(() => undefined);
			},
		};
		Object.assign(client.settings, { clock });
		const sandbox = await startSandbox({ rateLimit: 1, rateWindow: 60 });
		try {
			const n8n = new N8n({ [TYPE]: new ESign() }, { baseUrl: sandbox.url, apiKey: sandbox.keys.live });
			const before = (await sandbox.control.requests()).length;
			const { error } = await n8n.runNode(TYPE, {
				parameters: {
					resource: 'webhook',
					operation: 'create',
					url: '={{ "https://127.0.0.1:9/" + $itemIndex }}',
					events: ['document.sent'],
				},
				items: [{ json: {} }, { json: {} }],
				signal: stop.signal,
			});
			expect(error).toMatchObject({
				message: 'The execution was cancelled before it could create the webhook endpoint',
				context: { cancelled: true, mayHaveHappened: false, itemIndex: 1 },
			});
			expect((await sandbox.control.requests()).length - before).toBe(1);
		} finally {
			await sandbox.close();
		}
	});
});
