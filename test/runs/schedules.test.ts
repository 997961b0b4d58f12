import { SEED, sized } from '../../harness/nightly';
import fc from 'fast-check';
import type { INodeExecutionData, INodeParameters } from 'n8n-workflow';
import type { Loss } from '../../harness/lateProxy';
import type { N8n, NodeRun } from '../../harness/n8nCore/n8n';
import { contract, createAndSend, RETRY, TYPE } from '../actions/support/workbench';
import { DOCUMENTS, LossyService, TEMPLATE_SEND } from './support/lossyService';
import { otherWorker } from './support/otherProcess';

const CONTINUE = { onError: 'continueRegularOutput' as const };

const RUNS = sized(40, 10_000);

const service = LossyService.ofThisFile();
let processes: N8n[];

/** Stops the try at one of its requests. */
let stop: { at: number; controller: AbortController } | undefined;

/** What becomes of the next requests of a kind. */
let losses: Record<'create' | 'look' | 'step', Array<Loss | undefined>>;
const NOTHING_LOST = () => ({ create: [], look: [], step: [] });

beforeAll(async () => {
	service.lossOf = (method, path) => {
		if (stop && stop.at-- === 0) stop.controller.abort();
		if (method === 'POST' && (DOCUMENTS.test(path) || TEMPLATE_SEND.test(path))) return losses.create.shift();
		if (method === 'GET') return losses.look.shift();
		return /^\/documents\//.test(path) ? losses.step.shift() : undefined;
	};
	processes = [service.n8n, await otherWorker(service)];
});

const loss = fc.oneof(
	fc.constant<Loss>({ how: 402, afterMs: 1 }),
	// The service's own answer: nothing comes after it.
	fc.constantFrom<Loss>({ how: 500, afterMs: 1 }, { how: 500, afterMs: 1, effectMs: 0 }),
	fc.record(
		{
			how: fc.constantFrom('reset' as const, 502 as const, 504 as const),
			afterMs: fc.integer({ min: 0, max: 20_000 }),
			effectMs: fc.integer({ min: 0, max: 55_000 }),
		},
		{ requiredKeys: ['how', 'afterMs'] },
	),
);
const lost = (maxLength: number) => fc.array(fc.option(loss, { nil: undefined, freq: 2 }), { maxLength });

const oneTry = fc.record({
	/** Which execution is retried: robots take any of them, in any order. */
	of: fc.nat({ max: 5 }),
	/** The process that it runs in. */
	process: fc.nat({ max: 1 }),
	/** The title as it was corrected. */
	title: fc.constantFrom('A', 'A', 'B'),
	create: lost(4),
	look: lost(5),
	step: lost(4),
	/** Stopped at so many requests. */
	stopAt: fc.option(fc.nat({ max: 12 }), { freq: 3 }),
	settings: fc.constantFrom({}, {}, RETRY, CONTINUE, { ...RETRY, ...CONTINUE }),
});

const schedule = fc
	.record({
		operation: fc.constantFrom('template' as const, 'document' as const),
		/** Items that bear the same number ask for the same. */
		items: fc.array(fc.nat({ max: 1 }), { minLength: 1, maxLength: 4 }),
		changes: fc.constantFrom('process' as const, 'title' as const, 'none' as const),
		tries: fc.array(oneTry, { minLength: 1, maxLength: 5 }),
	})
	// What another process has sent is known by its title and people: a correction there is beyond what can be known, and so is
	// what is still under way of a try that was stopped there.
	.map(({ changes, tries, ...one }) => ({
		...one,
		tries: tries.map((each) => ({
			...each,
			process: changes === 'process' ? each.process : 0,
			title: changes === 'title' ? each.title : 'A',
			stopAt: changes === 'process' ? null : each.stopAt,
		})),
	}));

type Schedule = typeof schedule extends fc.Arbitrary<infer S> ? S : never;

const seen = { done: 0, failed: 0 };

async function parametersOf({ operation }: Schedule, title: string): Promise<INodeParameters> {
	const titled = `={{ "${title} " + $json.n }}`;
	return operation === 'document' ? createAndSend(titled) : await service.templateSend(titled);
}

async function expectOnce(one: Schedule): Promise<void> {
	await service.reset();
	const binary = { data: await contract() };
	const items: INodeExecutionData[] = one.items.map((n) => ({ json: { n }, binary }));
	const failed: NodeRun[] = [];
	const asked = new Set<string>();
	const results: NodeRun[] = [];
	for (const { of, process: place, title, settings, stopAt, ...losing } of one.tries) {
		const parameters = await parametersOf(one, title);
		asked.add(title);
		losses = { ...losing, create: [...losing.create], look: [...losing.look], step: [...losing.step] };
		const worker = processes[place] as N8n;
		const before = failed[of % Math.max(failed.length, 1)];
		if (!before && results.length > 0) break;
		const controller = new AbortController();
		stop = stopAt === null ? undefined : { at: stopAt, controller };
		const options = { parameters, settings, signal: controller.signal };
		const run = before
			? await worker.retryNode(TYPE, before, options)
			: await worker.runNode(TYPE, { ...options, items });
		losses = NOTHING_LOST();
		if (run.error || controller.signal.aborted) failed.push(run);
		else results.push(run);
	}
	const out = (await service.documents()).filter(({ status }) => status === 'in_progress');
	expect(out.length).toBeLessThanOrEqual(one.items.length);
	for (const run of results) {
		seen.done += 1;
		expect(run.items).toHaveLength(one.items.length);
		const done = run.items.filter(({ json }) => json.error === undefined);
		expect(new Set(done.map(({ json }) => json.id)).size).toBe(done.length);
		run.items.forEach(({ json }, index) => {
			if (json.error !== undefined) return;
			const made = out.find(({ id }) => id === json.id);
			expect([...asked].map((title) => `${title} ${one.items[index]}`)).toContain(made?.title);
		});
	}
	seen.failed += failed.length;
}

it(
	'Whatever is lost, late, refused, corrected and retried: no contract goes out twice, and what is done has its own',
	async () => {
		await fc.assert(fc.asyncProperty(schedule, expectOnce), { numRuns: RUNS, seed: SEED });
		expect(seen.done).toBeGreaterThan(RUNS / 10);
		expect(seen.failed).toBeGreaterThan(RUNS / 10);
	},
	RUNS * 5_000,
);
