import { SEED, sized } from '../support/nightly';
import fc from 'fast-check';
import type { INode, INodeParameters, IRun, Workflow } from 'n8n-workflow';
import type { Loss } from '../support/lateProxy';
import type { N8n } from '../support/n8nCore/n8n';
import { ADA, byId, contract, createAndSend, RETRY } from '../actions/support/workbench';
import { DOCUMENTS, REFUSED, TEMPLATE_SEND } from './support/losses';
import { BACK, BARE, esign, GIVEN, ROUNDS, Workflows } from './support/workflows';

const CONTINUE = { onError: 'continueRegularOutput' as const };
const ERROR_OUTPUT = { onError: 'continueErrorOutput' as const };

/** The ways that builders lead their items, and the node that sends. */
const SHAPES = {
	'a node': ['Given > eSign'],
	'a loop': ['Given > Rounds', 'Rounds > eSign', 'eSign > Rounds'],
	'an error loop': ['Given > eSign', 'eSign ! Back', 'Back > eSign'],
	'a loop of equal data': ['Given > Rounds', 'Rounds > Bare', 'Bare > eSign', 'eSign > Rounds'],
	'two nodes': ['Given > Draft', 'Draft > eSign'],
};
type Shape = keyof typeof SHAPES;

const RUNS = sized(40, 10_000);

const workflows = new Workflows();
const { service } = workflows;
let processes: N8n[];

/** Stops the try at one of its requests. */
let stop: { at: number; controller: AbortController } | undefined;

/** What becomes of the next requests of a kind. */
let losses: Record<'create' | 'look' | 'step', Array<Loss | undefined>>;

beforeEach(async () => {
	service.lossOf = (method, path) => {
		if (stop && stop.at-- === 0) stop.controller.abort();
		if (method === 'POST' && (DOCUMENTS.test(path) || TEMPLATE_SEND.test(path)))
			return losses.create.shift();
		if (method === 'GET') return losses.look.shift();
		return /^\/documents\//.test(path) ? losses.step.shift() : undefined;
	};
	processes = [service.n8n, await workflows.otherN8n()];
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
const lost = (maxLength: number) =>
	fc.array(fc.option(loss, { nil: undefined, freq: 2 }), { maxLength });

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
		shape: fc.constantFrom(...(Object.keys(SHAPES) as Shape[])),
		operation: fc.constantFrom('template' as const, 'document' as const),
		/** Items that bear the same number ask for the same. */
		items: fc.array(fc.nat({ max: 1 }), { minLength: 1, maxLength: 4 }),
		/** Skip If Created: equal items are one document. */
		skips: fc.boolean(),
		changes: fc.constantFrom('process' as const, 'title' as const, 'none' as const),
		tries: fc.array(oneTry, { minLength: 1, maxLength: 5 }),
	})
	// What another process has sent is known by its title and people: a correction there is beyond
	// what can be known, and so is what is still under way of a try that was stopped there.
	.map(({ shape, changes, tries, ...one }) => ({
		...one,
		shape,
		tries: tries.map((each) => ({
			...each,
			process: changes === 'process' ? each.process : 0,
			title: changes === 'title' ? each.title : 'A',
			stopAt: changes === 'process' || /loop/.test(shape) ? null : each.stopAt,
		})),
	}));

type Schedule = typeof schedule extends fc.Arbitrary<infer S> ? S : never;

const TRY = { of: 0, process: 0, title: 'A' as const, look: [], step: [], stopAt: null };

/** Of two equal rows one is in doubt, the other is sent, and an older execution is retried. */
const TAKEN_OVER: Schedule = {
	operation: 'document',
	items: [0, 0],
	skips: false,
	shape: 'a loop of equal data',
	tries: [
		{ ...TRY, create: [{ how: 402, afterMs: 1 }], settings: {} },
		{
			...TRY,
			create: [],
			step: [
				{ how: 502, afterMs: 3_160, effectMs: 398 },
				{ how: 402, afterMs: 1 },
			],
			settings: CONTINUE,
		},
		{ ...TRY, create: [{ how: 402, afterMs: 1 }], settings: RETRY },
	],
};

/** Of two equal rows both are in doubt, and both are led back: one is out without an ID. */
const BOTH_IN_DOUBT: Schedule = {
	operation: 'template',
	items: [0, 0],
	skips: false,
	shape: 'an error loop',
	tries: [
		{
			...TRY,
			create: [{ how: 'reset', afterMs: 0, effectMs: 0 }],
			look: [REFUSED, REFUSED],
			step: [{ how: 'reset', afterMs: 0, effectMs: 0 }],
			settings: {},
		},
	],
};

/** A draft is left, the node is corrected and sends, and the older execution is retried as it was. */
const CORRECTED_AND_BACK: Schedule = {
	operation: 'document',
	items: [0, 0],
	skips: false,
	shape: 'a loop of equal data',
	tries: [
		{ ...TRY, create: [], step: [REFUSED], settings: {} },
		{ ...TRY, title: 'B', create: [], step: [], settings: {} },
		{ ...TRY, create: [], step: [], settings: {} },
	],
};

/** With Skip If Created a row is refused, the node is corrected and sends, and is changed back. */
const SKIPPED_AND_BACK: Schedule = {
	...CORRECTED_AND_BACK,
	items: [1, 0],
	skips: true,
	tries: [{ ...TRY, create: [REFUSED], settings: {} }, ...CORRECTED_AND_BACK.tries.slice(1)],
};

/** Equal rows have swapped their documents, and are corrected then. */
const SWAPPED: Schedule = {
	operation: 'document',
	items: [0, 0],
	skips: false,
	shape: 'a node',
	tries: [
		{ ...TRY, create: [], step: [REFUSED], settings: {} },
		{ ...TRY, create: [], settings: {} },
		{
			...TRY,
			create: [],
			look: [
				{ how: 'reset', afterMs: 0 },
				{ how: 500, afterMs: 1 },
			],
			settings: CONTINUE,
		},
		{ ...TRY, title: 'B', create: [], settings: {} },
	],
};

/** Of equal rows of *Create Draft* one has left a draft, and the execution before it is retried. */
const FOUND_BY_ALL: Schedule = {
	operation: 'document',
	items: [1, 1, 1],
	skips: true,
	shape: 'two nodes',
	tries: [
		{ ...TRY, create: [], look: [REFUSED], settings: {} },
		{ ...TRY, create: [], step: [REFUSED], settings: {} },
		{ ...TRY, process: 1, create: [], settings: {} },
	],
};

/** With Skip, a draft that came late is taken by a retry, and an older execution is corrected. */
const TAKEN_LATE: Schedule = {
	operation: 'template',
	items: [0],
	skips: true,
	shape: 'two nodes',
	tries: [
		{ ...TRY, create: [], stopAt: 1, settings: {} },
		{ ...TRY, create: [], settings: {} },
		{ ...TRY, title: 'B', create: [], settings: {} },
		{ ...TRY, create: [], settings: {} },
	],
};

/** Of two equal rows the first is in doubt, the second is sent as corrected, and both are retried. */
const SECOND_IS_OUT: Schedule = {
	operation: 'template',
	items: [0, 1, 1],
	skips: false,
	shape: 'a node',
	tries: [
		{
			...TRY,
			create: [{ how: 500, afterMs: 1 }],
			look: [REFUSED],
			step: [REFUSED],
			stopAt: 6,
			settings: RETRY,
		},
		{ ...TRY, title: 'B', create: [], look: [REFUSED], settings: CONTINUE },
		{ ...TRY, title: 'B', create: [], settings: {} },
		{ ...TRY, create: [], settings: {} },
	],
};

const seen = { done: 0, failed: 0 };

/** The row, also as what was made of it, leads to its title, or the round that it is in. */
async function workflowOf(
	{ shape, operation, skips }: Schedule,
	title: string,
	settings: Partial<INode>,
): Promise<Workflow> {
	const row = /equal/.test(shape) ? `$('Rounds').item.json.n` : '($json.n ?? $json.title.slice(2))';
	const titled = `={{ "${title} " + ${row} }}`;
	const look: INodeParameters = skips ? { skipIfCreatedWithin: 1 } : {};
	const made =
		operation === 'document'
			? createAndSend(titled, ADA, { additionalFields: look })
			: await service.templateSend(titled, { additionalFields: { title: titled, ...look } });
	const isNode = !/two/.test(shape);
	const send = isNode
		? made
		: { resource: 'document', operation: 'send', documentId: byId('={{ $json.id }}') };
	const draft = {
		...made,
		...(operation === 'document' ? { operation: 'create' } : { send: false }),
	};
	const nodes = [
		GIVEN,
		ROUNDS,
		BACK,
		BARE,
		esign('Draft', draft),
		esign('eSign', send, /error/.test(shape) ? { ...settings, ...ERROR_OUTPUT } : settings),
	];
	return workflows.flow(nodes, ...SHAPES[shape]);
}

async function expectOnce(one: Schedule): Promise<void> {
	await service.reset();
	const binary = { data: await contract() };
	workflows.items = one.items.map((n) => ({ json: { n }, binary }));
	const failed: IRun[] = [];
	const asked = new Set<string>();
	const results: IRun[] = [];
	let id: string | undefined;
	for (const { of, process: place, title, settings, stopAt, ...losing } of one.tries) {
		const {
			nodes,
			connectionsBySourceNode: connections,
			...made
		} = await workflowOf(one, title, settings);
		id ??= made.id;
		asked.add(title);
		losses = {
			...losing,
			create: [...losing.create],
			look: [...losing.look],
			step: [...losing.step],
		};
		const worker = processes[place] as N8n;
		const workflow = worker.workflow(Object.values(nodes), { id, connections });
		const before = failed[of % Math.max(failed.length, 1)];
		if (!before && results.length > 0) break;
		const controller = new AbortController();
		stop = stopAt === null ? undefined : { at: stopAt, controller };
		const options = { signal: controller.signal };
		const run = before
			? await worker.retry(workflow, before, options)
			: await worker.execute(workflow, 'Given', options);
		await service.answered();
		losses = { create: [], look: [], step: [] };
		if (run.data.resultData.error || controller.signal.aborted) failed.push(run);
		else results.push(run);
	}
	const out = (await service.documents()).filter(({ status }) => status === 'in_progress');
	const countOf = (n: number) => one.items.filter((item) => item === n).length;
	for (const n of [0, 1]) {
		const made = out.map(({ title }) => title).filter((title) => title.endsWith(` ${n}`));
		expect(made.length).toBeLessThanOrEqual(countOf(n));
		if (one.skips) expect(made).toEqual([...new Set(made)]);
	}
	for (const run of results) {
		seen.done += 1;
		const rounds = run.data.resultData.runData.eSign ?? [];
		const items = rounds.flatMap(({ data }) => data?.main?.[0] ?? []);
		expect(items).toHaveLength(one.items.length);
		const done = items.filter(({ json }) => json.error === undefined);
		const ids = new Set(done.map(({ json }) => json.id));
		const wanted = one.skips ? new Set(done.map(({ json }) => json.title)).size : done.length;
		expect(ids.size).toBe(wanted);
		// What goes round is returned in another order.
		const rows = one.shape === 'an error loop' ? [0, 1] : undefined;
		items.forEach(({ json }, index) => {
			if (json.error !== undefined) return;
			const made = out.find(({ id: one }) => one === json.id);
			const numbers = rows ?? [one.items[index]];
			expect(numbers.flatMap((n) => [...asked].map((title) => `${title} ${n}`))).toContain(
				made?.title,
			);
		});
	}
	seen.failed += failed.length;
}

it(
	'Whatever is lost, late, refused, corrected and retried: no contract goes out twice, and what is done has its own',
	async () => {
		await fc.assert(fc.asyncProperty(schedule, expectOnce), {
			numRuns: RUNS,
			seed: SEED,
			examples: [
				TAKEN_OVER,
				BOTH_IN_DOUBT,
				CORRECTED_AND_BACK,
				SKIPPED_AND_BACK,
				SWAPPED,
				FOUND_BY_ALL,
				TAKEN_LATE,
				SECOND_IS_OUT,
			].map((one) => [one]),
		});
		expect(seen.done).toBeGreaterThan(RUNS / 10);
		expect(seen.failed).toBeGreaterThan(RUNS / 10);
	},
	RUNS * 12_000,
);
