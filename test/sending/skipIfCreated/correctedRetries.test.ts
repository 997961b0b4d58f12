import type { N8n, NodeRun } from '../../support/n8nCore/n8n';
import { TYPE } from '../../actions/support/workbench';
import { LIMITED, NOT_DONE, REFUSED, TEMPLATE_SEND } from '../support/losses';
import { LossyService } from '../support/lossyService';
import { otherWorker } from '../support/otherProcess';
import { passTimeSlowly } from '../support/patience';
import { WAIT_MS } from '../support/whileLimited';

const service = LossyService.ofThisFile();
passTimeSlowly(service);

async function skipping(title: string) {
	const additionalFields = { title, skipIfCreatedWithin: 1 };
	return {
		workflowId: 'W',
		parameters: await service.templateSend(title, { additionalFields }),
	};
}

/** Does something the first time that somebody waits for others. */
function whenOneWaits(work: () => void): void {
	const { clock } = service;
	const { sleep } = clock;
	let isFirst = true;
	clock.sleep = async (milliseconds) => {
		if (isFirst && milliseconds === WAIT_MS) {
			isFirst = false;
			work();
		}
		await sleep.call(clock, milliseconds);
	};
}

let slowly: typeof service.clock.sleep;
beforeAll(() => (slowly = service.clock.sleep));
afterEach(() => (service.clock.sleep = slowly));

const run = async (worker: N8n, signal?: AbortSignal): Promise<NodeRun> =>
	await worker.runNode(TYPE, { ...(await skipping('T')), signal });

async function killedWhileItWaits(): Promise<void> {
	const stop = new AbortController();
	whenOneWaits(() => {
		service.memories.failure = new Error('n8n is dead');
		stop.abort();
	});
	await run(await otherWorker(service), stop.signal);
	service.memories.failure = undefined;
}

/** An execution that was refused, and others that were killed, which wanted the same title. */
async function refusedAndKilled(waiting: number): Promise<NodeRun> {
	service.lose('POST', TEMPLATE_SEND, REFUSED);
	const refused = await run(service.n8n);
	service.lose('POST', TEMPLATE_SEND, NOT_DONE);
	await service.killedAt(TEMPLATE_SEND, async (signal) => await run(service.n8n, signal));
	for (let times = 0; times < waiting; times++) await killedWhileItWaits();
	return refused;
}

it.each([
	['and waits for the rate limit', 0, true],
	['meanwhile', 2, false],
])('A retry that waits for its title, and one that was corrected %s send one', async (...how) => {
	const [, waiting, isLimited] = how;
	const refused = await refusedAndKilled(waiting);
	const [worker, other] = [await otherWorker(service), await otherWorker(service)];
	let corrected: Promise<NodeRun> | undefined;
	const options = [await skipping('T'), await skipping('Corrected')] as const;
	whenOneWaits(() => {
		corrected = other.retryNode(TYPE, refused, options[1]);
	});
	if (isLimited) service.lose('POST', TEMPLATE_SEND, LIMITED);
	const runs = [await worker.retryNode(TYPE, refused, options[0]), await corrected];
	expect(new Set(runs.map((one) => one?.items[0]?.json.id)).size).toBe(1);
	await expect(service.statuses()).resolves.toEqual(['in_progress']);
});
