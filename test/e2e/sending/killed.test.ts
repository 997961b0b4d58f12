import { setTimeout as pause } from 'node:timers/promises';
import type { INode, INodeParameters } from 'n8n-workflow';
import { startLateProxy } from '../../support/lateProxy';
import { lineUnderTest } from '../../support/n8nServer/installation';
import { NIGHTLY } from '../../support/nightly';
import { until } from '../../support/processes/until';
import { chain, eSign, node, postedRows } from '../support/nodes';
import { postRows } from '../support/runs';
import { setStage, STAGE_TIMEOUT_MS, type Stage } from '../support/stage';

/** A row that is out costs a retry some seconds. */
const ROWS = NIGHTLY ? 30 : 20;
const FIRST_KILL = Math.floor(0.4 * ROWS);
const SECOND_KILL = Math.floor(0.75 * ROWS);
const TIMEOUT_MS = 600_000;

const [onN8n1, onN8n2] = lineUnderTest() === 'v1' ? [it, it.skip] : [it.skip, it];

const CLOCK = {
	now: () => Date.now(),
	sleep: async (milliseconds: number) => await pause(milliseconds),
	at: (time: number, work: () => Promise<void>) =>
		void setTimeout(() => void work(), Math.max(0, time - Date.now())),
};

describe('On a real n8n, a run of many rows', () => {
	let stage: Stage;
	let template: string;
	let file: string;
	/** Called with how many sends have reached the service. */
	let onSend: (count: number) => void;
	let sends = 0;

	beforeAll(async () => {
		stage = await setStage({
			toService: async (service) =>
				await startLateProxy(service, CLOCK, (method, path, body) => {
					const isSend = method === 'POST' && path.endsWith('/send');
					if (isSend && !body.includes('"send":false')) onSend(++sends);
					return undefined;
				}),
		});
		const roles = [{ role: 'Signer', type: 'SIGNER' as const }];
		const signature = { field_key: null, type: 'SIGNATURE' as const, role: 'Signer' };
		const fields = [{ ...signature, required: true, page: 1 }];
		const about = { mode: 'TEST' as const, status: 'PUBLISHED' as const, name: 'L', roles, fields };
		template = (await stage.sandbox.control.createTemplate(about)).id;
		file = (await stage.service.upload()).id;
	}, STAGE_TIMEOUT_MS);
	beforeEach(() => {
		sends = 0;
		onSend = () => undefined;
	});
	afterAll(async () => await stage?.close());

	const recipientsJson = (role: string) =>
		`={{ [{ ${role}name: $json.name, email: $json.name + "@people.example" }] }}`;

	function send(from: string, title: string, more: INodeParameters = {}): INode {
		const fromTemplate = {
			resource: 'template',
			operation: 'send',
			templateId: { __rl: true, mode: 'id', value: template },
			recipientsInput: 'json',
			recipientsJson: recipientsJson('role: "Signer", '),
			additionalFields: { title: `=${title} {{ $json.name }}`, ...more },
		};
		const fromFiles = {
			resource: 'document',
			operation: 'createAndSend',
			fileSource: 'fileIds',
			fileIds: file,
			automatic: { page: 'first' },
			recipientsInput: 'json',
			recipientsJson: recipientsJson(''),
			title: `=${title} {{ $json.name }}`,
			additionalFields: more,
		};
		const parameters = from === 'a template' ? fromTemplate : fromFiles;
		return eSign('Send', 'eSign', stage.credentialId, parameters);
	}

	/** n8n runs it again after a kill, and gives each row another content. */
	const notesTheTime = () =>
		node(
			'Now',
			'n8n-nodes-base.set',
			{
				assignments: {
					assignments: [{ id: 'a', name: 'at', value: '={{ $now.toISO() }}', type: 'string' }],
				},
				includeOtherFields: true,
				options: {},
			},
			{ typeVersion: 3.4 },
		);

	async function publish(path: string, ...nodes: INode[]): Promise<string> {
		const workflow = chain(path, [...postedRows(path), ...nodes]);
		const { id } = await stage.n8n.api.createWorkflow(workflow);
		await stage.n8n.api.publish(id);
		return id;
	}

	const people = Array.from({ length: ROWS }, (_, n) => ({ name: `P${n}` }));
	const titlesFor = (title: string) => people.map(({ name }) => `${title} ${name}`).sort();

	async function titles(prefix: string): Promise<string[]> {
		const documents = await stage.service.documents();
		const out = documents.filter(({ status }) => status !== 'draft');
		return out.flatMap(({ title }) => (title.startsWith(prefix) ? [title] : [])).sort();
	}

	async function retry(executionId: string | undefined): Promise<void> {
		const body = { loadWorkflow: false };
		await stage.n8n.api.request('POST', `/executions/${executionId}/retry`, body);
	}

	/** Ends n8n at once when so many sends have reached the service, and starts it again. */
	async function killAt(count: number): Promise<void> {
		let dead: Promise<void> | undefined;
		onSend = (now) => {
			if (now === count) dead = stage.n8n.kill();
		};
		await until('the kill', async () => await Promise.resolve(dead && true), 240_000);
		await dead;
		await stage.n8n.start();
	}

	// n8n 1 does not save when the execution began: nobody can tell what it has sent.
	onN8n1(
		'sends nothing more by a retry where n8n was killed, before Skip is set',
		async () => {
			const id = await publish('one', send('a template', 'One'));
			await postRows(stage.n8n, 'one', people);
			await killAt(FIRST_KILL);
			const [first] = await stage.n8n.api.finishedExecutions(id, 1, 120_000);
			const before = await titles('One');
			expect(new Set(before).size).toBe(before.length);
			await retry(first?.id);
			const [, second] = await stage.n8n.api.finishedExecutions(id, 2, 120_000);
			expect(second?.status).toBe('error');
			await expect(titles('One')).resolves.toEqual(before);
		},
		TIMEOUT_MS,
	);

	const rowsOf: Array<[string, string, INode[]]> = [
		['files', 'with another time', [notesTheTime()]],
		['a template', 'with another time', [notesTheTime()]],
		['files', 'as they were', []],
		['a template', 'as they were', []],
	];
	onN8n2.each(NIGHTLY ? rowsOf : rowsOf.slice(0, 1))(
		'from %s, %s, is completed by a retry where n8n was killed, and killed again in the retry',
		async (from, rows, before) => {
			const title = `Killed ${from} ${rows}`;
			const path = title.replace(/ /g, '-');
			const id = await publish(path, ...before, send(from, title));
			await postRows(stage.n8n, path, people);
			await killAt(FIRST_KILL);
			const [first] = await stage.n8n.api.finishedExecutions(id, 1, 120_000);
			const killed = killAt(SECOND_KILL);
			// n8n answers when the retry is through.
			await retry(first?.id).catch(() => undefined);
			await killed;
			const [, second] = await stage.n8n.api.finishedExecutions(id, 2, 120_000);
			expect([first, second].map((one) => one?.status)).toEqual(['crashed', 'crashed']);
			await retry(second?.id);
			const last = (await stage.n8n.api.finishedExecutions(id, 3, 300_000)).at(-1);
			expect(last?.status).toBe('success');
			await expect(titles(title)).resolves.toEqual(titlesFor(title));
		},
		TIMEOUT_MS,
	);

	// n8n 1 has nothing left to run of an execution that was stopped.
	onN8n2.each(NIGHTLY ? ['a template', 'files'] : ['a template'])(
		'from %s is completed by a retry through the API where it was stopped',
		async (from) => {
			const title = `Stopped ${from}`;
			const path = title.replace(/ /g, '-');
			const id = await publish(path, send(from, title));
			let stopped: Promise<unknown> | undefined;
			onSend = (now) => {
				if (now === FIRST_KILL) stopped = stop(id);
			};
			await postRows(stage.n8n, path, people);
			await until('the stop', async () => await Promise.resolve(stopped && true), 120_000);
			await stopped;
			const [first] = await stage.n8n.api.finishedExecutions(id, 1, 60_000);
			expect(first?.status).toBe('canceled');
			await retry(first?.id);
			await stage.n8n.api.finishedExecutions(id, 2, 300_000);
			await expect(titles(title)).resolves.toEqual(titlesFor(title));
		},
		TIMEOUT_MS,
	);

	async function stop(workflowId: string): Promise<void> {
		const [execution] = await stage.n8n.api.executions(workflowId);
		await stage.n8n.api.request('POST', `/executions/${execution?.id}/stop`);
	}

	it('is sent once with Skip If Created, where its form was submitted twice at once', async () => {
		const id = await publish('twice', send('a template', 'Twice', { skipIfCreatedWithin: 1 }));
		await Promise.all([1, 2].map(async () => await postRows(stage.n8n, 'twice', people)));
		const executions = await stage.n8n.api.finishedExecutions(id, 2, 120_000);
		expect(executions.map(({ status }) => status)).toEqual(['success', 'success']);
		await expect(titles('Twice')).resolves.toEqual(titlesFor('Twice'));
	});
});
