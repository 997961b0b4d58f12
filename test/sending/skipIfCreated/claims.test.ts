import type { INodeExecutionData } from 'n8n-workflow';
import type { N8n, NodeRun } from '../../support/n8nCore/n8n';
import { byId, createAndSend, TYPE } from '../../actions/support/workbench';
import { atOnce } from '../support/atOnce';
import { DOCUMENTS, DONE, LATE, REFUSED, TEMPLATE_SEND } from '../support/losses';
import { afterFirstRow } from '../support/afterFirstRow';
import { LossyService, numbered } from '../support/lossyService';
import { turns } from '../support/patience';
import { otherWorker } from '../support/otherProcess';

const service = LossyService.ofThisFile();
afterEach(() => jest.restoreAllMocks());

const LONG_MS = 600_000;
const title = '={{ "T " + $json.n }}';
const additionalFields = { title, skipIfCreatedWithin: 1 };

let worker: N8n;
beforeAll(async () => (worker = await otherWorker(service)));

async function runOf(n8n: N8n, items: INodeExecutionData[], more = {}) {
	const parameters = await service.templateSend(title, { additionalFields, ...more });
	return await n8n.runNode(TYPE, { workflowId: 'W', parameters, items });
}

/** What is done before n8n records such a claim. */
function beforeClaims(work: (claim: string) => Promise<void>): void {
	const { memories } = service;
	const record = memories.checkProcessedAndRecord.bind(memories);
	jest.spyOn(memories, 'checkProcessedAndRecord').mockImplementation(async (entries, ...more) => {
		const claim = String(entries[0]);
		if (/ is claimed after \d+$/.test(claim)) await work(claim);
		return await record(entries, ...more);
	});
}

const sent = async () =>
	(await service.documents())
		.filter(({ status }) => status === 'in_progress')
		.map(({ title }) => title)
		.sort();

it('What another worker has sent since the list was read is looked for, though a claim takes six seconds', async () => {
	const items = await numbered(2);
	afterFirstRow(service, async () => {
		await runOf(service.n8n, items.slice(1));
		let left = 1;
		beforeClaims(async (claim) => {
			if (/after 1$/.test(claim) && left-- > 0) await service.clock.sleep(6_000);
		});
	});
	await runOf(worker, items);
	await expect(sent()).resolves.toEqual(['T 1', 'T 2']);
});

it('A list of titles that were sent last week takes as many requests as then', async () => {
	const items = await numbered(3);
	await runOf(worker, items);
	const then = service.requests.splice(0).length;
	await service.clock.sleep(7 * 24 * 3_600_000);
	await runOf(worker, items);
	expect(service.requests).toHaveLength(then);
	await expect(sent()).resolves.toHaveLength(6);
});

it.each([6_000, 1])(
	'What came of a killed worker late is looked for, where the claim after it takes %d ms',
	async (takesMs) => {
		const items = await numbered(1);
		service.lose('POST', TEMPLATE_SEND, LATE);
		const parameters = await service.templateSend(title, { additionalFields });
		const options = { workflowId: 'W', parameters, items };
		await service.killedAt(
			TEMPLATE_SEND,
			async (signal) => await service.n8n.runNode(TYPE, { ...options, signal }),
		);
		let left = 1;
		beforeClaims(async (claim) => {
			if (/after 1$/.test(claim) && left-- > 0) await service.clock.sleep(takesMs);
		});
		await runOf(worker, items);
		await expect(sent()).resolves.toEqual(['T 1']);
	},
);

it.each(['refused', 'given'])(
	'A claim is not in vain where the contract is out, and its link is %s',
	async (link) => {
		const recipientsJson = JSON.stringify([
			{ role: 'Signer', name: 'Ada', email: 'ada@example.com' },
		]);
		const more = {
			templateId: byId(await service.bareTemplate()),
			recipientsJson,
			embed: true,
			embedOptions: {},
		};
		const items = await numbered(2);
		afterFirstRow(service, async () => {
			service.lose('POST', TEMPLATE_SEND, DONE);
			if (link === 'refused') service.lose('POST', /embed/, REFUSED);
			await runOf(service.n8n, items.slice(1), more);
		});
		await runOf(worker, items, more);
		await expect(sent()).resolves.toEqual(['T 1', 'T 2']);
	},
);

async function overtaking(more: object, path: RegExp, secondAfterMs: number) {
	const { clock } = service;
	const parameters = await service.templateSend('T', {
		additionalFields: { title: 'T', skipIfCreatedWithin: 1 },
	});
	const options = { workflowId: 'W', parameters, items: await numbered(1), ...more };
	service.lose('POST', path, { how: 429, afterMs: LONG_MS });
	await atOnce(service, async () => {
		let second: Promise<NodeRun> | undefined;
		clock.at(clock.now() + secondAfterMs, async () => {
			second = service.n8n.runNode(TYPE, options);
			await turns(1);
		});
		await worker.runNode(TYPE, options);
		await second;
	});
}

it('Who was overtaken does not send, though n8n’s memory is away as it claims once more', async () => {
	const began = service.clock.now();
	let left = 4;
	beforeClaims(async () => {
		if (service.clock.now() - began > 595_000 && left-- > 0) throw new Error('away');
	});
	await overtaking({}, TEMPLATE_SEND, 5_000);
	await expect(sent()).resolves.toEqual(['T']);
});

it('Who could not claim at first claims before it sends', async () => {
	let left = 4;
	beforeClaims(async () => {
		if (left-- > 0) throw new Error('away');
	});
	await overtaking({}, TEMPLATE_SEND, 60_000);
	await expect(sent()).resolves.toEqual(['T']);
});

it.each(['refused', 'given'])(
	'Who was overtaken does not send, where the link of what is out is %s',
	async (link) => {
		const parameters = {
			...(await service.templateSend('T')),
			templateId: byId(await service.bareTemplate()),
			recipientsJson: JSON.stringify([{ role: 'Signer', name: 'Ada', email: 'ada@example.com' }]),
			embed: true,
			embedOptions: {},
			additionalFields: { title: 'T', skipIfCreatedWithin: 1 },
		};
		if (link === 'refused') service.lose('POST', /embed/, REFUSED);
		await overtaking({ parameters }, TEMPLATE_SEND, 5_000);
		await expect(sent()).resolves.toEqual(['T']);
	},
);

it('Create, which waits for the rate limit, is overtaken, too', async () => {
	const parameters = {
		...createAndSend('T'),
		operation: 'create',
		additionalFields: { skipIfCreatedWithin: 1 },
	};
	await overtaking({ parameters }, DOCUMENTS, 5_000);
	await expect(service.titles()).resolves.toEqual(['T']);
});
