import { until } from '../../../harness/processes/until';
import { messageKey, newMessage, seal } from '../../../nodes/ESign/waiting/message';
import { WAKE_PATH } from '../../../nodes/ESign/waiting/wakeUrl';
import { chain, eSign, node } from '../support/nodes';
import { setStage, STAGE_TIMEOUT_MS, type Stage } from '../support/stage';
import {
	ENDINGS,
	goneOnFor,
	looksAt,
	outcomeOf,
	sendMany,
	twentyGoOn,
	WAIT,
	WaitingRuns,
	type Site,
} from './support/waitingRuns';

/** Ten seconds on a machine of its own; more where others work beside it. What goes on at the hourly look only takes far longer. */
const SOON_MS = 40_000;

describe('Wait for Completion on a real n8n', () => {
	let stage: Stage;
	let site: Site;

	beforeAll(async () => {
		stage = await setStage();
		const { n8n, service, sandbox, credentialId } = stage;
		site = { api: n8n.api, webhookUrl: n8n.url, service, control: sandbox.control, credentialId };
	}, STAGE_TIMEOUT_MS);
	afterAll(async () => await stage?.close());

	const listsOf = async ({ control }: Site) =>
		(await control.requests()).filter(({ method, path }) => method === 'GET' && /\/documents(\?|$)/.test(path)).length;

	async function withRuns(path: string, steps: (runs: WaitingRuns) => Promise<void>): Promise<void> {
		const runs = await WaitingRuns.publish(site, path);
		try {
			await steps(runs);
		} finally {
			await runs.end();
		}
	}

	/** `METHOD /path` of what the service was asked meanwhile, without the queries and the trigger's look at its deliveries. */
	async function requestsDuring(work: () => Promise<unknown>): Promise<string[]> {
		const before = (await site.control.requests()).length;
		await work();
		const requests = (await site.control.requests()).slice(before);
		return requests
			.map(({ method, path }) => `${method} ${path.replace('/v1', '').replace(/\?.*/, '')}`)
			.filter((request) => !request.endsWith('/deliveries'));
	}

	it('an execution that waits takes two requests to begin and one to end, and puts out what Get does', async () => {
		await withRuns('one', async (runs) => {
			const document = await site.service.send('One', ['ada@example.com']);
			const toBegin = await requestsDuring(async () => {
				await runs.start([document.id]);
				await runs.asleep(1);
			});
			expect(toBegin).toEqual(['GET /webhooks', `GET /documents/${document.id}`]);
			const toEnd = await requestsDuring(async () => {
				await site.control.sign(document.recipients[0]?.id ?? '');
				await runs.finished(1);
			});
			expect(toEnd).toEqual([`GET /documents/${document.id}`]);
			const [execution] = await runs.finished(1);
			expect(execution && outcomeOf(execution)).toEqual({
				items: [{ json: await site.service.document(document.id), pairedItem: { item: 0 } }],
				runs: 1,
			});
		});
	});

	it('twenty wait at once, and each goes on once, with its own document, when that ends', async () => {
		await withRuns('twenty', async (runs) => {
			const gone = await twentyGoOn(runs, 5);
			expect(gone.map(({ documentId }) => documentId)).toEqual([...new Set(gone.map(({ documentId }) => documentId))]);
			for (const { ending, status, runs: times, after } of gone) {
				expect({ status, times }).toEqual({ status: ending, times: 1 });
				expect(after).toBeLessThan(SOON_MS);
			}
		});
	});

	it('an execution that a person starts in the editor waits as well', async () => {
		await withRuns('by-hand', async () => {
			const document = await site.service.send('By hand', ['ada@example.com']);
			const { id } = await site.api.createWorkflow(
				chain('By hand', [
					node('Start', 'n8n-nodes-base.manualTrigger', {}),
					eSign(WAIT, 'eSign', site.credentialId, {
						resource: 'document',
						operation: 'wait',
						documentId: { __rl: true, mode: 'id', value: document.id },
					}),
				]),
			);
			// What the button of the editor does: see `listen` in harness/n8nServer/apiClient.ts.
			await site.api.listen(id, 'Start');
			await until('the execution to wait', async () =>
				(await site.api.executions(id)).find(({ status }) => status === 'waiting'),
			);
			await site.control.decline(document.recipients[0]?.id ?? '');
			const [execution] = await site.api.finishedExecutions(id, 1);
			expect(execution).toMatchObject({ mode: 'manual', status: 'success' });
			expect(execution && outcomeOf(execution)).toMatchObject({ items: [{ json: { status: 'declined' } }], runs: 1 });
		});
	});

	it('n8n killed (SIGKILL) while they wait, documents that ended meanwhile: each goes on when n8n is up again', async () => {
		const runs = await WaitingRuns.publish(site, 'killed');
		const plots = await sendMany(site, 12, 7);
		await Promise.all(plots.map(async ({ document }) => await runs.start([document.id])));
		await runs.asleep(12);
		await stage.n8n.kill();
		const endedAt = new Map<string, number>();
		const [atOnce, later] = [plots.slice(0, 9), plots.slice(9)];
		for (const { document, ending } of atOnce) await ENDINGS[ending](document, site.control, site.service);
		await site.control.advance(60);
		await stage.n8n.start();
		await runs.asleep(3);
		for (const { document, ending } of later) await ENDINGS[ending](document, site.control, site.service);
		const executions = await runs.finished(12);
		for (const { document, ending } of plots) {
			const { documentId, status, runs: times } = goneOnFor(executions, document.id, endedAt);
			expect({ documentId, status, times }).toEqual({ documentId: document.id, status: ending, times: 1 });
		}
		await runs.end();
	});

	it('a hundred that wait cost one list request at a start of n8n, and nothing else', async () => {
		const runs = await WaitingRuns.publish(site, 'hundred');
		const plots = await sendMany(site, 100, 9);
		for (let first = 0; first < plots.length; first += 10) {
			const ten = plots.slice(first, first + 10);
			await Promise.all(ten.map(async ({ document }) => await runs.start([document.id])));
			await runs.asleep(first + 10);
		}
		const requests = await requestsDuring(async () => {
			const [before, lists] = [await looksAt(site), await listsOf(site)];
			await stage.n8n.restart();
			await until('the look', async () => ((await looksAt(site)) > before ? true : undefined), 60_000);
			await until('the list', async () => ((await listsOf(site)) > lists ? true : undefined));
		});
		expect(requests.filter((request) => request.startsWith('GET /documents'))).toEqual(['GET /documents']);
		await Promise.all(
			plots.map(async ({ document, ending }) => await ENDINGS[ending](document, site.control, site.service)),
		);
		const executions = await runs.finished(100, 120_000);
		expect(executions.map(({ status }) => status)).toEqual(Array(100).fill('success'));
		await runs.end();
	}, 600_000);

	it('a call that is forged, for another document or for an execution that has ended changes nothing', async () => {
		await withRuns('forged', async (runs) => {
			const document = await site.service.send('Mine', ['ada@example.com']);
			await runs.start([document.id]);
			const [waiting] = await runs.asleep(1);
			const id = waiting?.id ?? '';
			const { resumeToken } = (await site.api.execution(id)).data as { resumeToken?: string };
			const token = resumeToken ? `?signature=${resumeToken}` : '';
			const call = async (body: unknown, query = token) =>
				(
					await fetch(`${stage.n8n.url}/webhook-waiting/${id}/${WAKE_PATH}${query}`, {
						method: 'POST',
						headers: { 'content-type': 'application/json' },
						body: JSON.stringify(body),
					})
				).status;
			const sealed = { sealed: seal(newMessage({ wake: true }), messageKey('another wait')) };

			const requests = await requestsDuring(async () => {
				expect(await call({})).toBe(401);
				expect(await call({ sealed: 'nothing' })).toBe(401);
				expect(await call(sealed)).toBe(401);
				if (token) expect(await call(sealed, '')).toBe(401);
			});
			expect(requests).toEqual([]);
			await runs.asleep(1);

			// Somebody else's document ends; this one stays open.
			await site.service.complete('Another', ['grace@example.com']);
			await runs.asleep(1);

			await site.service.api('POST', `/documents/${document.id}/cancel`);
			const [execution] = await runs.finished(1);
			expect(execution && outcomeOf(execution)).toMatchObject({ items: [{ json: { status: 'cancelled' } }], runs: 1 });
			expect(await call({})).toBe(409);
			expect((await runs.finished(1)).map((one) => outcomeOf(one).runs)).toEqual([1]);
		});
	});
});
