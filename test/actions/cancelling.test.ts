import { Logger } from '@n8n/backend-common';
import { Container } from '@n8n/di';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { INodeParameters } from 'n8n-workflow';
import { ESign } from '../../nodes/ESign/ESign.node';
import { client } from '../../nodes/ESign/client';
import { startSandbox } from '../../sandbox';
import { N8n } from '../../harness/n8nCore/n8n';
import { FaultyService, TYPE } from './everyOperation/faultyService';
import { withContract } from './support/workbench';

const CREATE: INodeParameters = {
	resource: 'document',
	operation: 'createAndSend',
	recipientsInput: 'json',
	recipientsJson: '[{ "name": "Ada", "email": "ada@example.com" }]',
	fieldsInput: 'automatic',
};

afterEach(() => jest.restoreAllMocks());

describe('Stopping an execution between the steps of a document', () => {
	let service: FaultyService;

	beforeAll(async () => {
		service = await FaultyService.open({ attempts: 3 });
	});
	beforeEach(async () => await service.sandbox.control.reset());
	afterAll(async () => await service.close());

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
			const running = service.run({
				parameters: { ...CREATE, title: step },
				items: await withContract({}, {}),
				signal: stop.signal,
			});
			const pattern = new RegExp(`^/v1${path.replace('*', '[^/]+')}$`);
			const isUnderWay = async () =>
				(await service.sandbox.control.requests()).some((seen) => seen.method === method && pattern.test(seen.path));
			while (!(await isUnderWay())) await nextTurn();
			stop.abort();
			const { error, run } = await running;

			const [draft, ...others] = await service.direct.list('/documents');
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
			expect(error?.message).toBe('The execution was cancelled before it could create the webhook endpoint');
			expect((await sandbox.control.requests()).length - before).toBe(1);
		} finally {
			await sandbox.close();
		}
	});
});
