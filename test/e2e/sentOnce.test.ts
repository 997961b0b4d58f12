import { setTimeout as pause } from 'node:timers/promises';
import type { INode } from 'n8n-workflow';
import { startLateProxy, type Loss } from '../../harness/lateProxy';
import { SEED, sized } from '../../harness/nightly';
import { until } from '../../harness/processes/until';
import { seededRandom } from '../../harness/seededRandom';
import { Letters, peopleOf } from './support/letters';
import { eSign, itemsOf, node } from './support/nodes';
import { setSharedStage, STAGE_TIMEOUT_MS, type SharedStage } from './support/stage';

const ROBOTS = Array.from({ length: sized(1, 3) }, (_, index) => SEED + index);
/** The robot has bad luck for so many executions. */
const UNLUCKY = 8;
const CLOCK = {
	now: () => Date.now(),
	sleep: async (milliseconds: number) => await pause(milliseconds),
	at: (time: number, work: () => Promise<void>) => void setTimeout(() => void work(), Math.max(0, time - Date.now())),
};

describe('On a real n8n, a contract goes out once', () => {
	let stage: SharedStage;
	let letters: Letters;
	/** What becomes of a request on its way to the service. */
	let lossOf: (method: string, path: string) => Loss | undefined;

	beforeAll(async () => {
		const decide = (method: string, path: string) => lossOf(method, path);
		stage = await setSharedStage({ toService: async (service) => await startLateProxy(service, CLOCK, decide) });
		letters = await Letters.of(stage);
	}, STAGE_TIMEOUT_MS);
	beforeEach(() => (lossOf = () => undefined));
	afterAll(async () => await stage?.close());

	const isSend = (method: string, path: string) => method === 'POST' && path.endsWith('/send');
	const DONE: Loss = { how: 'reset', afterMs: 0, effectMs: 0 };

	const to = (name: string) => [{ node: name, type: 'main' as const, index: 0 }];

	it.each<[string, Partial<INode>]>([
		['Retry On Fail, the third of five items failing twice', { retryOnFail: true, maxTries: 3, waitBetweenTries: 100 }],
		['Retry execution, the third of five items failing', {}],
	])('by %s', async (title, settings) => {
		const path = `retry-${settings.retryOnFail ?? false}`;
		const refused = await Letters.template(stage, title);
		const template = '={{ $json.template }}';
		const id = await letters.publish(path, [letters.send('Send', title, { template, ...settings })]);
		let refusals = settings.retryOnFail ? 2 : 1;
		lossOf = (_, called) => (called.includes(refused) && refusals-- > 0 ? { how: 402, afterMs: 0 } : undefined);
		const people = peopleOf(5).map((one, n) => ({ ...one, template: n === 2 ? refused : letters.template }));
		await letters.start(path, people);
		const [first] = await stage.n8n.api.finishedExecutions(id, 1);
		if (!settings.retryOnFail) {
			expect(first?.status).toBe('error');
			expect(await letters.titles(title)).toHaveLength(2);
			await stage.n8n.api.request('POST', `/executions/${first?.id}/retry`, { loadWorkflow: false });
		}
		const last = (await stage.n8n.api.finishedExecutions(id, settings.retryOnFail ? 1 : 2)).at(-1);
		expect(last?.status).toBe('success');
		expect(itemsOf(last, 'Send').map(({ json }) => json.title)).toEqual(letters.wanted(title, 5));
		await expect(letters.titles(title)).resolves.toEqual(letters.wanted(title, 5));
	});

	it('where an error output leads back to the node through a Wait, and nobody answers meanwhile', async () => {
		const { id: file } = await stage.service.upload();
		const create = eSign('Send', 'eSign', stage.credentialId, {
			resource: 'document',
			operation: 'createAndSend',
			fileSource: 'fileIds',
			fileIds: file,
			automatic: { page: 'first' },
			recipientsInput: 'json',
			recipientsJson: '={{ [{ name: $json.name, email: $json.email }] }}',
			title: '=Loop {{ $json.name }}',
		});
		const wait = node('Wait', 'n8n-nodes-base.wait', { amount: 1, unit: 'seconds' }, { typeVersion: 1.1 });
		let sends = 0;
		let isDown = false;
		lossOf = (method, path) => {
			if (isSend(method, path) && ++sends === 1) isDown = true;
			else if (sends > 6 && isSend(method, path)) isDown = false;
			if (!isDown) return undefined;
			return sends === 1 && isSend(method, path) ? DONE : { how: 503, afterMs: 0 };
		};
		const nodes: INode[] = [{ ...create, onError: 'continueErrorOutput' }, wait];
		const id = await letters.publish('error-loop', nodes, {
			Send: { main: [[], to('Wait')] },
			Wait: { main: [to('Send')] },
		});
		await letters.start('error-loop', peopleOf(2));
		const [execution] = await stage.n8n.api.finishedExecutions(id, 1, 150_000);
		expect(execution?.data.resultData.runData.Send).toHaveLength(2);
		expect(itemsOf(execution, 'Send')).toHaveLength(2);
		await expect(letters.titles('Loop')).resolves.toEqual(letters.wanted('Loop', 2));
	});

	it('where an execution is stopped while it looks, and the workflow is run again', async () => {
		const id = await letters.publish('stopped', [letters.send('Send', 'Stop')]);
		let sends = 0;
		let looks = 0;
		lossOf = (method, path) => {
			if (isSend(method, path) && ++sends === 1) return DONE;
			return method === 'GET' && sends > 0 && ++looks === 1 ? { how: 503, afterMs: 0 } : undefined;
		};
		await letters.start('stopped', peopleOf(2));
		await until('the send', async () => (sends > 0 ? true : undefined));
		const [first] = await stage.n8n.api.executions(id);
		await stage.n8n.api.request('POST', `/executions/${first?.id}/stop`);
		await letters.start('stopped', peopleOf(2));
		const [, second] = await stage.n8n.api.finishedExecutions(id, 2, 120_000);
		expect(second?.status).toBe('success');
		await expect(letters.titles('Stop')).resolves.toEqual(letters.wanted('Stop', 2));
	});

	it.each(ROBOTS)(
		'whatever a robot retries that reads no error, in any order (seed %d)',
		async (seed) => {
			const random = seededRandom(seed);
			const path = `robot-${seed}`;
			// The second node takes the row that the first was given.
			const row = { mode: 'raw', jsonOutput: "={{ $('Rows').item.json }}", options: {} };
			const rows = node('Row again', 'n8n-nodes-base.set', row, { typeVersion: 3.4 });
			const id = await letters.publish(path, [
				letters.send('First', `${path} A`),
				rows,
				letters.send('Second', `${path} B`),
			]);
			let all = 0;
			lossOf = (method, called) => {
				if (all >= UNLUCKY || !isSend(method, called) || random() > 0.2) return undefined;
				return random() < 0.5 ? { how: 402, afterMs: 0 } : DONE;
			};
			await letters.start(path, peopleOf(12));
			// Some more once everything is through: the older executions still offer their Retry.
			for (let through = 0; ;) {
				const executions = await stage.n8n.api.finishedExecutions(id, all + 1, 150_000);
				all = executions.length;
				const failed = executions.filter(({ status }) => status === 'error');
				through += executions.at(-1)?.status === 'success' ? 1 : 0;
				const any = failed[Math.floor(random() * failed.length)];
				if (through === 3 || !any) break;
				await stage.n8n.api.request('POST', `/executions/${any.id}/retry`, { loadWorkflow: random() < 0.3 });
			}
			await expect(letters.titles(path)).resolves.toEqual([...letters.wanted(`${path} A`, 12), ...letters.wanted(`${path} B`, 12)]);
		},
		400_000,
	);
});
