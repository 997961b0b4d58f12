import { setTimeout as pause } from 'node:timers/promises';
import type { INode } from 'n8n-workflow';
import type { WorkflowFile } from '../support/n8nServer/apiClient';
import { startLateProxy, type Loss } from '../support/lateProxy';
import { SEED, sized } from '../support/nightly';
import { until } from '../support/processes/until';
import { seededRandom } from '../support/seededRandom';
import { chain, eSign, itemsOf, node, postedRows } from './support/nodes';
import { postRows } from './support/runs';
import { setSharedStage, STAGE_TIMEOUT_MS, type SharedStage } from './support/stage';

const ROBOTS = Array.from({ length: sized(1, 3) }, (_, index) => SEED + index);
/** The robot has bad luck for so many executions. */
const UNLUCKY = 8;
const CLOCK = {
	now: () => Date.now(),
	sleep: async (milliseconds: number) => await pause(milliseconds),
	at: (time: number, work: () => Promise<void>) =>
		void setTimeout(() => void work(), Math.max(0, time - Date.now())),
};

describe('On a real n8n, a contract goes out once', () => {
	let stage: SharedStage;
	/** Of a letter to one signer. */
	let template: string;
	/** What becomes of a request on its way to the service. */
	let lossOf: (method: string, path: string) => Loss | undefined;

	beforeAll(async () => {
		const decide = (method: string, path: string) => lossOf(method, path);
		stage = await setSharedStage({
			toService: async (service) => await startLateProxy(service, CLOCK, decide),
		});
		template = await createTemplate('Letter');
	}, STAGE_TIMEOUT_MS);
	beforeEach(() => (lossOf = () => undefined));
	afterAll(async () => await stage?.close());

	const isSend = (method: string, path: string) => method === 'POST' && path.endsWith('/send');
	const DONE: Loss = { how: 'reset', afterMs: 0, effectMs: 0 };

	async function createTemplate(name: string): Promise<string> {
		const roles = [{ role: 'Signer', type: 'SIGNER' as const }];
		const fields = [
			{ field_key: null, type: 'SIGNATURE' as const, role: 'Signer', required: true, page: 1 },
		];
		const made = { mode: 'TEST' as const, status: 'PUBLISHED' as const, name, roles, fields };
		return (await stage.sandbox.control.createTemplate(made)).id;
	}

	const peopleOf = (count: number) =>
		Array.from({ length: count }, (_, n) => ({
			name: `P${n}`,
			email: `p${n}@people.example`,
			template,
		}));

	/**
	 * The node that sends to each person the template that stands beside it, with a title that ends
	 * with the name.
	 */
	function send(name: string, title: string, settings: Partial<INode> = {}): INode {
		const parameters = {
			resource: 'template',
			operation: 'send',
			templateId: { __rl: true, mode: 'id', value: '={{ $json.template }}' },
			recipientsInput: 'json',
			recipientsJson: '={{ [{ role: "Signer", name: $json.name, email: $json.email }] }}',
			additionalFields: { title: `=${title} {{ $json.name }}` },
		};
		return eSign(name, 'eSign', stage.credentialId, parameters, settings);
	}

	/**
	 * Publishes a workflow that gets its rows by a webhook; each node leads to the next, unless its
	 * connections are given.
	 */
	async function publish(
		path: string,
		nodes: INode[],
		connections: WorkflowFile['connections'] = {},
	): Promise<string> {
		const workflow = chain(path, [...postedRows(path), ...nodes]);
		Object.assign(workflow.connections, connections);
		const { id } = await stage.n8n.api.createWorkflow(workflow);
		await stage.n8n.api.publish(id);
		return id;
	}

	/** The titles of all that is out, in order. */
	async function titles(prefix: string): Promise<string[]> {
		const all = (await stage.service.documents()).filter(({ status }) => status !== 'draft');
		return all.flatMap(({ title }) => (title.startsWith(prefix) ? [title] : [])).sort();
	}

	/** One letter to each. */
	const wanted = (title: string, count: number) =>
		peopleOf(count)
			.map(({ name }) => `${title} ${name}`)
			.sort();

	const to = (name: string) => [{ node: name, type: 'main' as const, index: 0 }];

	it.each<[string, Partial<INode>]>([
		[
			'Retry On Fail, the third of five items failing twice',
			{ retryOnFail: true, maxTries: 3, waitBetweenTries: 100 },
		],
		['Retry execution, the third of five items failing', {}],
	])('by %s', async (title, settings) => {
		const path = `retry-${settings.retryOnFail ?? false}`;
		const refused = await createTemplate(title);
		const id = await publish(path, [send('Send', title, settings)]);
		let refusals = settings.retryOnFail ? 2 : 1;
		lossOf = (_, called) =>
			called.includes(refused) && refusals-- > 0 ? { how: 402, afterMs: 0 } : undefined;
		const people = peopleOf(5).map((one, n) => ({
			...one,
			template: n === 2 ? refused : template,
		}));
		await postRows(stage.n8n, path, people);
		const [first] = await stage.n8n.api.finishedExecutions(id, 1);
		if (!settings.retryOnFail) {
			expect(first?.status).toBe('error');
			expect(await titles(title)).toHaveLength(2);
			await stage.n8n.api.request('POST', `/executions/${first?.id}/retry`, {
				loadWorkflow: false,
			});
		}
		const last = (await stage.n8n.api.finishedExecutions(id, settings.retryOnFail ? 1 : 2)).at(-1);
		expect(last?.status).toBe('success');
		expect(itemsOf(last, 'Send').map(({ json }) => json.title)).toEqual(wanted(title, 5));
		await expect(titles(title)).resolves.toEqual(wanted(title, 5));
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
		const wait = node(
			'Wait',
			'n8n-nodes-base.wait',
			{ amount: 1, unit: 'seconds' },
			{ typeVersion: 1.1 },
		);
		let sends = 0;
		let isDown = false;
		lossOf = (method, path) => {
			if (isSend(method, path) && ++sends === 1) isDown = true;
			else if (sends > 6 && isSend(method, path)) isDown = false;
			if (!isDown) return undefined;
			return sends === 1 && isSend(method, path) ? DONE : { how: 503, afterMs: 0 };
		};
		const nodes: INode[] = [{ ...create, onError: 'continueErrorOutput' }, wait];
		const id = await publish('error-loop', nodes, {
			Send: { main: [[], to('Wait')] },
			Wait: { main: [to('Send')] },
		});
		await postRows(stage.n8n, 'error-loop', peopleOf(2));
		const [execution] = await stage.n8n.api.finishedExecutions(id, 1, 150_000);
		expect(execution?.data.resultData.runData.Send).toHaveLength(2);
		expect(itemsOf(execution, 'Send')).toHaveLength(2);
		await expect(titles('Loop')).resolves.toEqual(wanted('Loop', 2));
	});

	it('where an execution is stopped while it looks, and the workflow is run again', async () => {
		const id = await publish('stopped', [send('Send', 'Stop')]);
		let sends = 0;
		let looks = 0;
		lossOf = (method, path) => {
			if (isSend(method, path) && ++sends === 1) return DONE;
			return method === 'GET' && sends > 0 && ++looks === 1 ? { how: 503, afterMs: 0 } : undefined;
		};
		await postRows(stage.n8n, 'stopped', peopleOf(2));
		await until('the send', async () => (sends > 0 ? true : undefined));
		const [first] = await stage.n8n.api.executions(id);
		await stage.n8n.api.request('POST', `/executions/${first?.id}/stop`);
		await postRows(stage.n8n, 'stopped', peopleOf(2));
		const [, second] = await stage.n8n.api.finishedExecutions(id, 2, 120_000);
		expect(second?.status).toBe('success');
		await expect(titles('Stop')).resolves.toEqual(wanted('Stop', 2));
	});

	it.each(ROBOTS)(
		'whatever a robot retries that reads no error, in any order (seed %d)',
		async (seed) => {
			const random = seededRandom(seed);
			const path = `robot-${seed}`;
			// The second node takes the row that the first was given.
			const row = { mode: 'raw', jsonOutput: "={{ $('Rows').item.json }}", options: {} };
			const rows = node('Row again', 'n8n-nodes-base.set', row, { typeVersion: 3.4 });
			const id = await publish(path, [
				send('First', `${path} A`),
				rows,
				send('Second', `${path} B`),
			]);
			let all = 0;
			lossOf = (method, called) => {
				if (all >= UNLUCKY || !isSend(method, called) || random() > 0.2) return undefined;
				return random() < 0.5 ? { how: 402, afterMs: 0 } : DONE;
			};
			await postRows(stage.n8n, path, peopleOf(12));
			// Some more once everything is through: the older executions still offer their Retry.
			for (let through = 0; ;) {
				const executions = await stage.n8n.api.finishedExecutions(id, all + 1, 150_000);
				all = executions.length;
				const failed = executions.filter(({ status }) => status === 'error');
				through += executions.at(-1)?.status === 'success' ? 1 : 0;
				const any = failed[Math.floor(random() * failed.length)];
				if (through === 3 || !any) break;
				await stage.n8n.api.request('POST', `/executions/${any.id}/retry`, {
					loadWorkflow: random() < 0.3,
				});
			}
			await expect(titles(path)).resolves.toEqual([
				...wanted(`${path} A`, 12),
				...wanted(`${path} B`, 12),
			]);
		},
		400_000,
	);
});
