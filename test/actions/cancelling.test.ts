import { Logger } from '@n8n/backend-common';
import { Container } from '@n8n/di';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { ESign } from '../../nodes/ESign/ESign.node';
import { client, type Endpoint } from '../../nodes/ESign/client';
import { startSandbox } from '../../sandbox';
import { N8n } from '../../harness/n8nCore/n8n';
import { callsOf } from '../client/support/faults';
import { LossyService, numbered } from '../runs/support/lossyService';
import { createAndSend, TYPE } from './support/workbench';

const service = LossyService.ofThisFile({ attempts: 3 });

afterEach(() => jest.restoreAllMocks());

describe('Stopping an execution between the steps of a document', () => {
	it.each([
		['PUT', '/documents/*/fields', 'placing its fields'],
		['POST', '/documents/*/send', 'sending it'],
	] as const)(
		'while %s %s is under way: nothing more is sent, and draft and step are named',
		async (method, path, step) => {
			const lines: string[] = [];
			jest.spyOn(Container.get(Logger), 'warn').mockImplementation((line: string) => void lines.push(line));
			await service.sandbox.control.fault({ method, path, when: 'after', kind: 'delay', delay_ms: 9_000, times: 1 });
			const stop = new AbortController();
			const parameters = createAndSend(step);
			const running = service.n8n.runNode(TYPE, { parameters, items: await numbered(2), signal: stop.signal });
			const endpoint = `${method} ${path.replace('*', '{id}')}` as Endpoint;
			const isUnderWay = async () => (await callsOf(service.sandbox, endpoint)) > 0;
			while (!(await isUnderWay())) await nextTurn();
			stop.abort();
			const { error, run } = await running;

			const [draft, ...others] = await service.direct.documents();
			expect(others).toEqual([]);
			const words = `The draft ${String(draft?.id)} was created, but ${step} failed: The execution was cancelled`;
			expect(error?.message).toContain(words);
			expect(run.data.resultData.error?.message).toContain(words);
			// The execution that n8n has saved by then does not hold it, so the log has to.
			expect(lines).toEqual([expect.stringContaining(words)]);
		},
	);
});

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
