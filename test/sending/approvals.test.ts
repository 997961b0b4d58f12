import fc from 'fast-check';
import type { Loss } from '../support/lateProxy';
import type { N8n, NodeRun } from '../support/n8nCore/n8n';
import { SEED, sized } from '../support/nightly';
import { TYPE } from '../actions/support/workbench';
import { DOCUMENTS, SEND, TEMPLATE_SEND } from './support/losses';
import { numbered } from './support/lossyService';
import { Workflows } from './support/workflows';

const RUNS = sized(15, 10_000);
const workflows = new Workflows();
const { service } = workflows;

/** What becomes of the next requests that may send something, and of the next lists. */
let losses: { send: Array<Loss | undefined>; list: Array<Loss | undefined> };

/** Stops the try at one of its requests. */
let stop: { at: number; controller: AbortController } | undefined;

beforeEach(() => {
	service.lossOf = (method, path) => {
		if (stop && stop.at-- === 0) stop.controller.abort();
		const isSend = [DOCUMENTS, SEND, TEMPLATE_SEND].some((one) => one.test(path));
		if (method === 'POST' && isSend) return losses.send.shift();
		return method === 'GET' ? losses.list.shift() : undefined;
	};
});

const loss = fc.oneof(
	fc.constant<Loss>({ how: 402, afterMs: 1 }),
	fc.constantFrom<Loss>({ how: 500, afterMs: 1 }, { how: 500, afterMs: 1, effectMs: 0 }),
	fc.record(
		{
			how: fc.constantFrom('reset' as const, 502 as const),
			afterMs: fc.integer({ min: 0, max: 20_000 }),
			effectMs: fc.integer({ min: 0, max: 55_000 }),
		},
		{ requiredKeys: ['how', 'afterMs'] },
	),
);
const lost = fc.array(fc.option(loss, { nil: undefined, freq: 2 }), { maxLength: 3 });

/** One try of one approval: its first execution, or a retry of any that failed before. */
const oneTry = fc.record({
	approval: fc.nat({ max: 3 }),
	/** Robots take older executions, too. */
	of: fc.nat({ max: 3 }),
	process: fc.constantFrom('same' as const, 'other' as const, 'restarted' as const),
	send: lost,
	list: lost,
	/** Killed at so many requests: n8n has saved when it began, and nothing else. */
	killedAt: fc.option(fc.nat({ max: 4 }), { nil: undefined, freq: 4 }),
	/** Hours go by. */
	laterMs: fc.constantFrom(1_000, 100_000, 4_000_000),
});

const schedule = fc.record({
	from: fc.constantFrom('template' as const, 'files' as const),
	tries: fc.array(oneTry, { minLength: 2, maxLength: 10 }),
});

type Failed = { run: NodeRun; isLost: boolean };

/** Approvals: always the same people and the same title, and other values in each. */
async function expectOwnContract({
	from,
	tries,
}: typeof schedule extends fc.Arbitrary<infer S> ? S : never) {
	await service.reset();
	const recipientsJson = `={{ [{ ${from === 'files' ? '' : 'role: "Signer", '}name: $json.name, email: "cfo@example.com" }] }}`;
	const parameters =
		from === 'files'
			? {
					resource: 'document',
					operation: 'createAndSend',
					recipientsInput: 'json',
					recipientsJson,
					title: 'Approval',
				}
			: {
					resource: 'template',
					operation: 'send',
					templateId: { __rl: true, mode: 'id', value: await service.bareTemplate() },
					recipientsInput: 'json',
					recipientsJson,
				};
	const failed = new Map<number, Failed[]>();
	const done = new Map<number, string[]>();
	const processes = { same: service.n8n, other: await workflows.otherN8n() };
	const workflowId = `approvals ${++count}`;
	for (const { approval, of, process, killedAt, laterMs, ...losing } of tries) {
		if (process === 'restarted') processes.same = await workflows.otherN8n();
		const n8n: N8n = processes[process === 'restarted' ? 'same' : process];
		losses = { send: [...losing.send], list: [...losing.list] };
		const controller = new AbortController();
		stop = killedAt === undefined ? undefined : { at: killedAt, controller };
		const before = failed.get(approval) ?? [];
		const last = before[of % Math.max(before.length, 1)];
		if (!last && done.has(approval)) continue;
		const [row] = await numbered(1);
		const items = [{ ...row, json: { name: `N${approval}` } }];
		const options = { parameters, workflowId, signal: controller.signal };
		const run = last
			? await n8n.retryNode(TYPE, last.run, options, last.isLost ? 'stopped' : undefined)
			: await n8n.runNode(TYPE, { ...options, items });
		losses = { send: [], list: [] };
		await service.answered();
		if (controller.signal.aborted) {
			failed.set(approval, [...before, { run: last?.run ?? run, isLost: true }]);
			if (process !== 'other') processes.same = await workflows.otherN8n();
		} else if (run.error) failed.set(approval, [...before, { run, isLost: false }]);
		else done.set(approval, [...(done.get(approval) ?? []), String(run.items[0]?.json.id)]);
		await service.clock.sleep(laterMs);
	}

	const out = (await service.documents()).filter(({ status }) => status !== 'draft');
	const names = out.map(({ recipients }) => recipients[0]?.name);
	expect(new Set(names).size).toBe(names.length);
	for (const [approval, ids] of done) {
		const own = out.find(({ recipients }) => recipients[0]?.name === `N${approval}`);
		expect(new Set(ids)).toEqual(new Set([own?.id]));
	}
	seen.done += done.size;
}

let count = 0;
const seen = { done: 0 };

it(
	'Approvals with one title for the same people each get their own contract, once',
	async () => {
		await fc.assert(fc.asyncProperty(schedule, expectOwnContract), { numRuns: RUNS, seed: SEED });
		expect(seen.done).toBeGreaterThan(RUNS / 4);
	},
	RUNS * 12_000,
);
