import fc from 'fast-check';
import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { asTool } from '../../support/n8nCore/toolCalls';
import type { Loss } from '../../support/lateProxy';
import { SEED, sized } from '../../support/nightly';
import type { NodeRun } from '../../support/n8nCore/n8n';
import { LossyService } from '../../sending/support/lossyService';
import { TYPE } from '../support/workbench';
import { CHANGING, type ChangingOperation, type Prepared } from './changingOperations';

const RUNS = sized(45, 1_000);
const service = LossyService.ofThisFile({ attempts: 3 });

/**
 * Any way to lose an answer, with an effect that never comes, or up to a minute later; and answers
 * that say what was done.
 */
const loss: fc.Arbitrary<Loss> = fc.oneof(
	{
		weight: 4,
		arbitrary: fc.record(
			{
				how: fc.constantFrom('reset' as const, 502 as const, 503 as const, 504 as const),
				afterMs: fc.integer({ min: 0, max: 30_000 }),
				effectMs: fc.integer({ min: 0, max: 60_000 }),
			},
			{ requiredKeys: ['how', 'afterMs'] },
		),
	},
	{
		weight: 1,
		arbitrary: fc.constantFrom<Loss>(
			{ how: 500, afterMs: 1 },
			{ how: 500, afterMs: 1, effectMs: 0 },
		),
	},
	{ weight: 1, arbitrary: fc.constant<Loss>({ how: 429, afterMs: 1 }) },
);
const lost = (maxLength: number, freq: number) =>
	fc.array(fc.option(loss, { nil: undefined, freq }), { maxLength });

const courseOf = (operations: readonly string[]) =>
	fc.record({
		operation: fc.constantFrom(...operations),
		names: fc.array(fc.constantFrom('One', 'Two', 'The same'), { minLength: 1, maxLength: 4 }),
		/**
		 * What becomes of the next creating requests, of the looks for them, and of the other steps of
		 * a document.
		 */
		creating: lost(6, 5),
		looks: lost(12, 3),
		steps: lost(12, 6),
		how: fc.constantFrom(
			'once' as const,
			'Continue On Fail' as const,
			'Retry On Fail' as const,
			'both' as const,
			'tool' as const,
		),
	});

type Course = ReturnType<typeof courseOf> extends fc.Arbitrary<infer C> ? C : never;

const idOf = (json: IDataObject = {}) => String(json.id ?? json.document_id);

type Report = { asked: string; id?: string; error?: string };

const wordsOf = ({ message, description }: { message: string; description?: unknown }) =>
	`${message} ${String(description)}`;

/** A reminder in doubt is an output. */
function outcomeOf(json: IDataObject): Omit<Report, 'asked'> {
	return json.reminded === null ? { error: 'reminded: null' } : { id: idOf(json) };
}

/** Runs the items as n8n does, and gives what is said of each. */
async function run({ how, operation }: Course, { parameters, items }: Prepared): Promise<Report[]> {
	const retry = { retryOnFail: true, maxTries: 3, waitBetweenTries: 1 };
	// A tool gets no files.
	if (how === 'tool' && !operation.startsWith('document:create')) {
		const asked = JSON.stringify(parameters).replace(/\$json\.(\w+)/g, "$fromAI('$1')");
		const call = asTool(service.n8n, TYPE, {
			parameters: JSON.parse(asked) as INodeParameters,
			settings: retry,
		});
		const reports: Report[] = [];
		for (const { json } of items) {
			const answer = await call(json).then(
				(said) => outcomeOf((said as IDataObject[])[0] ?? {}),
				(error: Error) => ({ error: wordsOf(error) }),
			);
			reports.push({ asked: String(json.asked), ...answer });
		}
		return reports;
	}
	const settings = {
		...(['Retry On Fail', 'both', 'tool'].includes(how) && retry),
		...(['Continue On Fail', 'both'].includes(how) && {
			onError: 'continueRegularOutput' as const,
		}),
	};
	return reportsOf(askedBy(items), await service.run(parameters, items, settings));
}

const askedBy = (items: Prepared['items']) => items.map(({ json }) => String(json.asked));
const DONE = 'done';
function reportsOf(names: string[], { items: output, error }: NodeRun): Report[] {
	if (error) {
		const failed = Number(error.context?.itemIndex);
		// The items before it are done, as the next try would find; those after it have not begun.
		return names
			.slice(0, failed + 1)
			.map((asked, index) => ({ asked, error: index === failed ? wordsOf(error) : DONE }));
	}
	return output.map(({ json, pairedItem }): Report => {
		const asked = names[(pairedItem as { item: number }).item] as string;
		if (json.error === undefined) return { asked, ...outcomeOf(json) };
		const { description, in_doubt: isInDoubt } = json.error_details as IDataObject;
		const report = { asked, error: wordsOf({ message: String(json.error), description }) };
		if (knownFrom(report) === 'in doubt') expect(isInDoubt).toBe(true);
		return report;
	});
}

const SAYS = {
	'a draft': /^The draft doc_\w+ was created, but |still a draft/,
	'in doubt':
		/may have been (sent|carried out)|is not known|one of these documents|not clear which|reminded: null/,
	// A spare one harms nobody.
	nothing:
		/Nothing has been carried out|may have been created all the same|no room for another webhook/,
};
const seen = { [DONE]: 0, 'a draft': 0, 'in doubt': 0, nothing: 0 };

/** What a report says of the effect. */
function knownFrom({ error = DONE }: Report): keyof typeof seen {
	if (error === DONE) return DONE;
	for (const known of ['a draft', 'in doubt', 'nothing'] as const)
		if (SAYS[known].test(error)) return known;
	throw new Error(`The error does not say what is known of the effect: ${error}`);
}

/** Makes everything ready for a course, and lets things go wrong from now on. */
async function begin(one: Course): Promise<Prepared> {
	await service.reset();
	const { prepare, path: creating } = CHANGING[one.operation] as ChangingOperation;
	const prepared = await prepare(service, one.names);
	const left = { creating: [...one.creating], looks: [...one.looks], steps: [...one.steps] };
	service.lossOf = (method, path) => {
		if (method === 'GET') return left.looks.shift();
		return left[creating.test(path) ? 'creating' : 'steps'].shift();
	};
	return prepared;
}

/** Compares what is said of the items with what is at the service once everything late has come. */
async function expectOnce(
	{ operation }: Course,
	{ items, effects: read }: Prepared,
	reports: Report[],
): Promise<void> {
	service.lossOf = () => undefined;
	await service.documents();
	const effects = await read();
	const { done: wanted, existing, leavesSpare } = CHANGING[operation] as ChangingOperation;
	const ids = reports.flatMap(({ id }) => (id === undefined ? [] : [id]));
	expect(new Set(ids).size).toBe(ids.length);
	for (const id of ids)
		expect(effects).toContainEqual(expect.objectContaining({ id, state: wanted }));
	for (const { error } of reports) {
		const draft = /^The draft (doc_\w+) was created/.exec(error ?? '')?.[1];
		if (draft) expect(effects.map(({ id }) => id)).toContain(draft);
	}
	for (const asked of new Set(askedBy(items))) {
		const ofName = reports.filter((report) => report.asked === asked);
		const count = { [DONE]: 0, 'a draft': 0, 'in doubt': 0, nothing: 0 };
		for (const report of ofName) count[knownFrom(report)] += 1;
		for (const known of Object.keys(seen) as Array<keyof typeof seen>) seen[known] += count[known];
		const there = effects.filter(
			(effect) => effect.asked === asked && (!existing || effect.state === wanted),
		);
		// A spare one harms nobody: there may be more of them than were asked for.
		const isSpare = (state: string) => !existing && (leavesSpare === true || state === 'draft');
		const out = there.filter(({ state }) => !isSpare(state));
		const certain = count[DONE] + (existing ? 0 : count['a draft']);
		const wrong = there.length < certain || out.length > certain + count['in doubt'];
		expect({ asked, there, ofName, wrong }).toMatchObject({ wrong: false });
	}
	expect(effects.filter(({ asked }) => !askedBy(items).includes(asked))).toEqual([]);
}

describe('Whatever is lost, refused for the moment, or comes up to a minute late', () => {
	it('happens once, no success hides a second one, and every error says what is known', async () => {
		await fc.assert(
			fc.asyncProperty(courseOf(Object.keys(CHANGING)), async (one) => {
				const prepared = await begin(one);
				await expectOnce(one, prepared, await run(one, prepared));
			}),
			{ numRuns: RUNS, seed: SEED },
		);
		expect(seen[DONE]).toBeGreaterThan(RUNS / 2);
		expect(seen['a draft'] + seen['in doubt'] + seen.nothing).toBeGreaterThan(RUNS / 50);
	});

	// Who sends and cancels asks for a state, and a spare link or webhook is named.
	const creating = ['document:create', 'document:createAndSend', 'template:send'];

	it('happens once in two executions at the same time, one of which is stopped and retried', async () => {
		await fc.assert(
			fc.asyncProperty(
				courseOf(creating),
				fc.integer({ min: 1, max: 400 }),
				async (one, stopAfter) => {
					const prepared = await begin(one);
					const { parameters, items } = prepared;
					const settings = { onError: 'continueRegularOutput' as const };
					const stop = new AbortController();
					const sleep = service.clock.sleep.bind(service.clock);
					let slept = 0;
					const asleep = jest
						.spyOn(service.clock, 'sleep')
						.mockImplementation(async (milliseconds) => {
							if (++slept === stopAfter) stop.abort();
							await sleep(milliseconds);
						});
					const [stopped, other] = await Promise.all([
						service.n8n.runNode(TYPE, { parameters, items, signal: stop.signal }),
						service.run(parameters, items, settings),
					]);
					asleep.mockRestore();
					const first = stopped.error
						? await service.n8n.retryNode(TYPE, stopped, { parameters, settings })
						: stopped;
					const names = askedBy(items);
					await expectOnce(one, prepared, [...reportsOf(names, first), ...reportsOf(names, other)]);
				},
			),
			{ numRuns: Math.ceil(RUNS / 5), seed: SEED },
		);
	});
});
