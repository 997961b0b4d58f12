import { TYPE } from '../actions/support/workbench';
import type { NodeRun } from '../support/n8nCore/n8n';
import { afterRecord } from './support/afterRecord';
import { LIMITED, REFUSED, SEND, TEMPLATE_SEND } from './support/losses';
import { LossyService } from './support/lossyService';
import { otherProcess, otherWorker } from './support/otherProcess';
import { contractOf, twoOfALine } from './support/twoOfALine';

const service = LossyService.ofThisFile();

type Run = () => Promise<NodeRun>;

/** As the first run waits for so long for the first time, the second begins, and ends. */
async function whileWaiting(milliseconds: number, first: Run, second: Run): Promise<NodeRun[]> {
	const { clock } = service;
	const { sleep } = clock;
	const runs: NodeRun[] = [];
	clock.sleep = async (ms) => {
		if (ms === milliseconds) {
			clock.sleep = sleep;
			runs.push(await second());
		}
		await sleep.call(clock, ms);
	};
	runs.unshift(await first());
	return runs;
}

describe('Others wait for a claim for a while only. What goes out later than that', () => {
	afterEach(async () => {
		const out = (await service.statuses()).filter((status) => status !== 'draft');
		expect(out).toEqual(['in_progress']);
	});

	it('as the rate limit has room in minutes is claimed once more: another retry sends it', async () => {
		const options = { workflowId: 'W', parameters: await service.templateSend('T') };
		service.lose('POST', TEMPLATE_SEND, REFUSED);
		const failed = await service.n8n.runNode(TYPE, options);
		const [worker, other] = [await otherWorker(service), await otherWorker(service)];
		service.lose('POST', TEMPLATE_SEND, LIMITED, { times: 8, body: '"send":true' });
		const [first, second] = await whileWaiting(
			LIMITED.afterMs,
			async () => await worker.retryNode(TYPE, failed, options),
			async () => await other.retryNode(TYPE, failed, options),
		);
		expect(second?.error).toBeUndefined();
		expect(first?.error).toMatchObject({
			message: expect.stringMatching(/^Could not .*: .*another retry of this execution sends it$/),
			description: expect.stringContaining('Nothing has been carried out.'),
		});
		expect(first?.error?.context).not.toMatchObject({ outcome: 'in doubt' });

		const again = await worker.retryNode(TYPE, failed, options);
		expect(again.items[0]?.json.id).toBe(second?.items[0]?.json.id);
	});

	it('with an answer that is lost after half a minute, which comes late, is waited for', async () => {
		const { older, newer } = await twoOfALine(service, 'A', 'B');
		const [worker, other] = [await otherWorker(service), await otherWorker(service)];
		const limited = { how: 429, afterMs: 59_000 } as const;
		service.lose('POST', SEND, limited);
		await whileWaiting(
			limited.afterMs,
			async () => await worker.retryNode(TYPE, older, contractOf('A')),
			async () => {
				const run = await other.retryNode(TYPE, newer, contractOf('B'));
				service.lose('POST', SEND, { how: 'reset', afterMs: 29_000, effectMs: 50_000 });
				return run;
			},
		);
	});

	it('after a service that was away for minutes is claimed once more: it is in doubt', async () => {
		const { older, newer } = await twoOfALine(service, 'A', 'B');
		const settings = { clock: service.clock, attempts: 6 };
		const worker = await otherProcess(settings, service.credential);
		const away = { how: 504, afterMs: 30_001 } as const;
		service.lose('POST', SEND, away, { times: 4 });
		const [first, second] = await whileWaiting(
			away.afterMs,
			async () => await worker.retryNode(TYPE, older, contractOf('A')),
			async () => {
				service.mend();
				const other = await otherProcess(settings, service.credential);
				const run = await other.retryNode(TYPE, newer, contractOf('B'));
				service.lose('POST', SEND, away, { times: 3 });
				return run;
			},
		);
		expect(second?.error).toBeUndefined();
		expect(first?.error?.context).toMatchObject({ outcome: 'in doubt' });
	});

	it.each(['n8n is killed', 'n8n’s database is away'])(
		'is claimed without a gap, also where %s between two claims',
		async (how) => {
			const { older, newer } = await twoOfALine(service, 'A', 'B');
			const [worker, other] = [await otherWorker(service), await otherWorker(service)];
			service.lose('POST', SEND, { how: 'reset', afterMs: 6_000, effectMs: 55_000 });
			const stop = new AbortController();
			const { memories } = service;
			afterRecord(service, / and that has ended$/, () => {
				memories.failure = new Error(how);
				if (how === 'n8n is killed') stop.abort();
			});
			await worker.retryNode(TYPE, older, { ...contractOf('A'), signal: stop.signal });
			memories.failure = undefined;
			const run = await other.retryNode(TYPE, newer, contractOf('B'));
			expect(run.error).toBeUndefined();
		},
	);

	it('is kept back where it cannot be claimed once more, with Skip If Created, too', async () => {
		const more = { additionalFields: { title: 'T', skipIfCreatedWithin: 24 } };
		const options = { workflowId: 'W', parameters: await service.templateSend('T', more) };
		service.lose('POST', TEMPLATE_SEND, REFUSED);
		const failed = await service.n8n.runNode(TYPE, options);
		const [worker, other] = [await otherWorker(service), await otherWorker(service)];
		service.lose('POST', TEMPLATE_SEND, LIMITED, { times: 9, body: '"send":true' });
		const [, second] = await whileWaiting(
			LIMITED.afterMs,
			async () => await worker.retryNode(TYPE, failed, options),
			async () => {
				const run = await other.retryNode(TYPE, failed, options);
				service.memories.failure = new Error('The database is away');
				service.mend();
				return run;
			},
		);
		service.memories.failure = undefined;
		expect(second?.error).toBeUndefined();
	});
});
