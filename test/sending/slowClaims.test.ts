import { TYPE } from '../actions/support/workbench';
import type { NodeRun } from '../support/n8nCore/n8n';
import { atOnce } from './support/atOnce';
import { NOT_DONE, REFUSED, SEND, TEMPLATE_SEND } from './support/losses';
import { LossyService } from './support/lossyService';
import { otherWorker } from './support/otherProcess';
import { sentTitles } from './support/sentTitles';

const service = LossyService.ofThisFile();
afterEach(() => jest.restoreAllMocks());

/** n8n's database takes so long, once. */
const SLOW_MS = 12_000;

it.each(['as it is looked for once more', 'as its mark is taken away'])(
	'A claim for which n8n’s database is slow %s lasts since others may have seen it',
	async (where) => {
		const { memories, clock } = service;
		const options = { workflowId: 'W', parameters: await service.templateSend('T') };
		service.lose('POST', TEMPLATE_SEND, REFUSED);
		const older = await service.n8n.runNode(TYPE, options);
		service.lose('POST', TEMPLATE_SEND, NOT_DONE);
		service.lose('POST', SEND, REFUSED);
		const newer = await (await otherWorker(service)).retryNode(TYPE, older, options);
		await expect(service.statuses()).resolves.toEqual(['draft']);
		await clock.sleep(600_000);

		const [first, second] = [await otherWorker(service), await otherWorker(service)];
		let other: Promise<NodeRun> | undefined;
		let mark = '';
		let pauses = 1;
		const pause = async () => {
			if (pauses-- > 0) await clock.sleep(SLOW_MS);
		};
		const record = memories.checkProcessedAndRecord.bind(memories);
		jest.spyOn(memories, 'checkProcessedAndRecord').mockImplementation(async (entries, ...more) => {
			const answer = await record(entries, ...more);
			const [claim, , , by] = entries.map(String);
			if (!/ is claimed after \d$/.test(claim ?? '')) return answer;
			if (other && answer.new.length === 0 && /looked/.test(where)) await pause();
			if (!other && answer.new.length === entries.length) {
				mark = String(by);
				other = second.retryNode(TYPE, newer, options);
			}
			return answer;
		});
		const remove = memories.removeProcessed.bind(memories);
		jest.spyOn(memories, 'removeProcessed').mockImplementation(async (entries, ...more) => {
			if (entries[0] === mark && /mark/.test(where)) await pause();
			return await remove(entries, ...more);
		});
		service.lose('POST', TEMPLATE_SEND, { how: 'reset', afterMs: 29_000, effectMs: 59_000 });
		await atOnce(service, async () => {
			await first.retryNode(TYPE, older, options);
			await other;
		});
		await expect(sentTitles(service)).resolves.toEqual(['T']);
	},
);
