import { createAndSend, TYPE } from '../actions/support/workbench';
import type { Loss } from '../support/lateProxy';
import type { N8n, NodeRun } from '../support/n8nCore/n8n';
import { atOnce } from './support/atOnce';
import { DOCUMENTS, LIMITED, REFUSED, SEND, TEMPLATE_SEND } from './support/losses';
import { LossyService, numbered } from './support/lossyService';
import { otherWorker } from './support/otherProcess';
import { sentTitles } from './support/sentTitles';
import { contractOf, twoOfALine } from './support/twoOfALine';

const service = LossyService.ofThisFile();

type Run = (worker: N8n) => Promise<NodeRun>;

/** So long after the request of the first was lost, which it sends, the second begins. */
async function startLater(
	path: RegExp,
	loss: Loss,
	milliseconds: number,
	first: Run,
	second: Run,
): Promise<void> {
	const [worker, other] = [await otherWorker(service), await otherWorker(service)];
	const { lossOf } = service;
	await atOnce(service, async () => {
		let later: Promise<NodeRun> | undefined;
		service.lossOf = (method, name, body) => {
			if (later || method !== 'POST' || !path.test(name)) return lossOf(method, name, body);
			later = service.clock.sleep(milliseconds).then(async () => await second(other));
			return loss;
		};
		const runs = [await first(worker), await later];
		expect(runs.map((run) => run?.error)).toEqual([undefined, undefined]);
	});
	service.lossOf = lossOf;
}

describe('What another worker sends after a list was read is not sent again:', () => {
	const skipping = (title: string) => ({
		workflowId: 'W',
		parameters: { ...createAndSend(title), additionalFields: { skipIfCreatedWithin: 24 } },
	});
	const limited = { how: 429, afterMs: 20_000 } as const;

	it('a draft of another retry, which waited for the rate limit', async () => {
		const { older, newer } = await twoOfALine(service, 'T', 'T');
		await service.clock.sleep(600_000);
		await startLater(
			SEND,
			LIMITED,
			15_000,
			async (worker) => await worker.retryNode(TYPE, older, contractOf('T')),
			async (other) => await other.retryNode(TYPE, newer, contractOf('T')),
		);
		await expect(sentTitles(service)).resolves.toEqual(['T']);
	});

	it('with Skip If Created, while a long list is read', async () => {
		const old = async () => await service.direct.send('Old', ['old@example.com']);
		for (let n = 0; n < 101; n++) await old();
		const options = { ...skipping('T'), items: await numbered(1) };
		await startLater(
			SEND,
			limited,
			9_000,
			async (worker) => await worker.runNode(TYPE, options),
			async (other) => {
				// The second page.
				service.lose('GET', DOCUMENTS, LIMITED, { skip: 1 });
				return await other.runNode(TYPE, options);
			},
		);
		const titles = await sentTitles(service);
		expect(titles.filter((title) => title === 'T')).toHaveLength(1);
	});

	it('what comes late, which the service dates by when the request came', async () => {
		const options = { workflowId: 'W', parameters: await service.templateSend('T') };
		service.lose('POST', TEMPLATE_SEND, REFUSED);
		const failed = await service.n8n.runNode(TYPE, options);
		await service.clock.sleep(600_000);
		const late = { how: 'reset', afterMs: 29_000, effectMs: 11_000 } as const;
		const retry = async (worker: N8n) => await worker.retryNode(TYPE, failed, options);
		await startLater(
			TEMPLATE_SEND,
			late,
			12_000,
			async (worker) => {
				datedBack(late.afterMs + late.effectMs);
				return await retry(worker);
			},
			retry,
		);
		await expect(sentTitles(service)).resolves.toEqual(['T']);
	});

	/** What is done at a time is dated by an earlier one, as long as all wait at once. */
	function datedBack(milliseconds: number): void {
		const { clock } = service;
		const { at, now } = clock;
		clock.at = (until, work) =>
			at(until, async () => {
				clock.now = () => until - milliseconds;
				await work();
				clock.now = now;
			});
	}
});
