import type { INodeParameters } from 'n8n-workflow';
import { WAKE_PATH } from '../../../nodes/ESign/waiting/wakeUrl';
import { until } from '../../support/processes/until';
import { chain, itemsOf, node } from '../support/nodes';
import { Runs } from '../support/runs';
import { setStage, STAGE_TIMEOUT_MS, type Stage } from '../support/stage';
import { untilLook } from '../trigger/support/deliveries';
import { end } from '../trigger/support/stories';
import { outcomeOf, WAIT, waitNode, WaitingRuns } from './support/waitingRuns';

describe('Wait for Completion on a real n8n', () => {
	let stage: Stage;

	// What n8n 2 does of itself, n8n 1 is told to: keep files on the disk.
	const env = { N8N_DEFAULT_BINARY_DATA_MODE: 'filesystem' };
	beforeAll(async () => void (stage = await setStage({ env })), STAGE_TIMEOUT_MS);
	afterAll(async () => await stage?.close());

	async function withRuns(
		path: string,
		steps: (runs: WaitingRuns) => Promise<void>,
		options: INodeParameters = {},
	): Promise<void> {
		const runs = await WaitingRuns.of(stage, path, options);
		try {
			await steps(runs);
		} finally {
			await runs.end();
		}
	}

	/** Of what the service was asked for since, the documents, without the queries. */
	async function documentsRead(before: number): Promise<string[]> {
		const requests = (await stage.sandbox.control.requests()).slice(before);
		const read = requests.map(
			({ method, path }) => `${method} ${path.replace('/v1', '').replace(/\?.*/, '')}`,
		);
		return read.filter((request) => request.startsWith('GET /documents'));
	}

	it('an execution is woken by the end of its document and by nothing else, and puts out what Get does', async () => {
		await withRuns('one', async (runs) => {
			const document = await stage.service.send('One', ['ada@example.com']);
			await runs.start(document.id);
			const [waiting] = await runs.asleep(1);
			const id = waiting?.id ?? '';
			const { resumeToken } = (await stage.n8n.api.execution(id)).data as { resumeToken?: string };
			const token = resumeToken ? `?signature=${resumeToken}` : '';
			const address = `${stage.n8n.url}/webhook-waiting/${id}/${WAKE_PATH}`;
			const call = async (query: string) =>
				(await fetch(address + query, { method: 'POST' })).status;
			const before = (await stage.sandbox.control.requests()).length;
			expect(await call(token)).toBe(401);
			if (token) expect(await call('')).toBe(401);
			expect(await documentsRead(before)).toEqual([]);
			await stage.service.complete('Another', ['grace@example.com']);
			await runs.asleep(1);

			await stage.sandbox.control.sign(document.recipients[0]?.id ?? '');
			const [execution] = await runs.settled(1);
			// As Get puts it out: nobody is asked for it any longer.
			const json = { waiting_for: '', ...(await stage.service.document(document.id)) };
			expect(execution && outcomeOf(execution)).toEqual({
				items: [{ json, pairedItem: { item: 0 } }],
				runs: 1,
			});
			expect(await call(token)).toBe(409);
			expect((await runs.settled(1)).map((one) => outcomeOf(one).runs)).toEqual([1]);
		});
	});

	it('twenty wait at once, and each resumes once, with its own document, when that ends', async () => {
		await withRuns('twenty', async (runs) => await runs.expectTwentyToGoOn(5));
	});

	it('the files of completed documents come with them, and are stored with the execution', async () => {
		await withRuns(
			'files',
			async (runs) => {
				const [kept, broken] = [
					await stage.service.send('Kept', ['ada@example.com']),
					await stage.service.send('Broken', ['ada@example.com']),
				];
				await stage.sandbox.control.fault({
					method: 'GET',
					path: `/documents/${broken.id}/files/certificate`,
					when: 'before',
					kind: 'status',
					status: 404,
					times: 1,
				});
				for (const { id } of [kept, broken]) await runs.start(id);
				await runs.asleep(2);
				for (const { recipients } of [kept, broken]) {
					await stage.sandbox.control.sign(recipients[0]?.id ?? '');
				}
				const executions = await runs.settled(2);
				expect(executions.map(({ status }) => status)).toEqual(['success', 'success']);
				const items = executions.flatMap((execution) =>
					itemsOf(execution, WAIT).map((item) => ({ ...item, execution: execution.id })),
				);
				const [whole, partly] = [kept, broken].map(({ id }) =>
					items.find(({ json }) => json.id === id),
				);
				expect(Object.keys(whole?.binary ?? {}).sort()).toEqual(['certificate', 'signed']);
				expect(Object.keys(partly?.binary ?? {})).toEqual(['signed']);
				expect(partly?.json.download_errors).toMatchObject([{ variant: 'certificate' }]);
				// What belongs to no execution would stay on the disk when n8n prunes this one.
				for (const { id = '' } of Object.values(whole?.binary ?? {})) {
					expect(id).toContain(`/executions/${whole?.execution}/`);
				}
			},
			{ downloadFiles: ['signed', 'certificate'] },
		);
	});

	it('an execution that a person starts in the editor waits as well', async () => {
		await withRuns('by-hand', async () => {
			const document = await stage.service.send('By hand', ['ada@example.com']);
			const { id } = await stage.n8n.api.createWorkflow(
				chain('By hand', [
					node('Start', 'n8n-nodes-base.manualTrigger', {}),
					waitNode(stage.credentialId, document.id),
				]),
			);
			// What the button of the editor does: see `listen` in test/support/n8nServer/apiClient.ts.
			await stage.n8n.api.listen(id, 'Start');
			const byHand = new Runs(stage.n8n.api, id);
			await byHand.asleep(1);
			await stage.sandbox.control.decline(document.recipients[0]?.id ?? '');
			const [execution] = await byHand.settled(1);
			expect(execution).toMatchObject({ mode: 'manual', status: 'success' });
			expect(execution && outcomeOf(execution)).toMatchObject({
				items: [{ json: { status: 'declined' } }],
				runs: 1,
			});
		});
	});

	it('n8n killed (SIGKILL) while they wait, documents that ended meanwhile: each resumes when n8n is up again', async () => {
		await withRuns('killed', async (runs) => {
			const plots = await runs.send(12, 7);
			await runs.fallAsleep(plots);
			await stage.n8n.kill();
			for (const plot of plots.slice(0, 9)) await end(stage.service, plot);
			await stage.sandbox.control.advance(60);
			await stage.n8n.start();
			await runs.asleep(3);
			for (const plot of plots.slice(9)) await end(stage.service, plot);
			await runs.expectGoneOn(plots);
		});
	});

	it('a hundred that wait cost one list request at a start of n8n, and nothing else', async () => {
		await withRuns('hundred', async (runs) => {
			const plots = await runs.send(100, 9);
			for (let first = 0; first < plots.length; first += 10) {
				await runs.fallAsleep(plots.slice(first, first + 10), first + 10);
			}
			const before = (await stage.sandbox.control.requests()).length;
			await untilLook(stage.service, async () => await stage.n8n.restart());
			await until('the list', async () => (await documentsRead(before))[0]);
			expect(await documentsRead(before)).toEqual(['GET /documents']);
			await Promise.all(plots.map(async (plot) => await end(stage.service, plot)));
			// A busy n8n 1.x may have the endpoint switched off meanwhile: then the next look wakes the
			// rest.
			await runs.expectGoneOn(plots, 240_000);
		});
	}, 600_000);
});
