import fc from 'fast-check';
import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { asTool } from '../../../harness/n8nCore/toolCalls';
import { startLateProxy, type LateProxy, type Loss } from '../../../harness/lateProxy';
import { SEED, sized } from '../../../harness/nightly';
import { N8n, type NodeRun } from '../../../harness/n8nCore/n8n';
import { ESign } from '../../../nodes/ESign/ESign.node';
import { CHANGING, type ChangingOperation, type Prepared } from './changingOperations';
import { FaultyService, TYPE } from './faultyService';

const RUNS = sized(20, 500);

/** Of these nothing but the operation knows whether its effect has come: the others ask for a state. */
const CREATING = Object.keys(CHANGING).filter((name) => !['document: send', 'document: cancel'].includes(name));

let service: FaultyService;
let proxy: LateProxy;
let n8n: N8n;

/** What becomes of the next creating requests, and of the next looks for them. */
let losses: Array<Loss | undefined> = [];
let lostLooks: Array<Loss | undefined> = [];
/** The request that makes something, as the operation under test makes it. */
let creates: (method: string, path: string) => boolean;

beforeAll(async () => {
	service = await FaultyService.open({ attempts: 3 });
	proxy = await startLateProxy(
		() => service.sandbox.url,
		service.clock,
		(method, path) => {
			const endpoint = path.replace(/^\/v1/, '').replace(/\?.*/, '');
			if (creates(method, endpoint)) return losses.shift();
			return method === 'GET' ? lostLooks.shift() : undefined;
		},
	);
	n8n = new N8n({ [TYPE]: new ESign() }, { baseUrl: `${proxy.url}/v1`, apiKey: service.credential.apiKey });
});
afterAll(async () => {
	await proxy.close();
	await service.close();
});

/** Any way to lose an answer, with an effect that never comes, or up to a minute later. */
const loss: fc.Arbitrary<Loss> = fc.record(
	{
		how: fc.constantFrom('reset' as const, 502 as const, 503 as const, 504 as const),
		afterMs: fc.integer({ min: 0, max: 30_000 }),
		effectMs: fc.integer({ min: 0, max: 60_000 }),
	},
	{ requiredKeys: ['how', 'afterMs'] },
);

const course = fc.record({
	operation: fc.constantFrom(...CREATING),
	names: fc.array(fc.constantFrom('One', 'Two', 'The same'), { minLength: 1, maxLength: 4 }),
	losses: fc.array(fc.option(loss, { nil: undefined }), { minLength: 1, maxLength: 6 }),
	lostLooks: fc.array(fc.option(loss, { nil: undefined, freq: 3 }), { maxLength: 12 }),
	how: fc.constantFrom(
		'once' as const,
		'Continue On Fail' as const,
		'Retry On Fail' as const,
		'both' as const,
		'tool' as const,
	),
});

type Course = typeof course extends fc.Arbitrary<infer C> ? C : never;

const idOf = (json: IDataObject = {}) => String(json.id ?? json.document_id);

type Report = { name: string; id?: string; error?: string };

/** Runs the items as n8n does, and gives what is said of each. */
async function run({ how, operation }: Course, { parameters, items }: Prepared): Promise<Report[]> {
	const retry = { retryOnFail: true, maxTries: 3, waitBetweenTries: 1 };
	// A tool gets no files.
	if (how === 'tool' && !operation.startsWith('document: create')) {
		const asked = JSON.stringify(parameters).replace(/\$json\.(\w+)/g, "$fromAI('$1')");
		const call = asTool(n8n, TYPE, { parameters: JSON.parse(asked) as INodeParameters, settings: retry });
		const reports: Report[] = [];
		for (const { json } of items) {
			const answer = await call(json).then(
				(said) => ({ id: idOf((said as IDataObject[])[0]) }),
				(error: Error & { description?: string }) => ({ error: `${error.message} ${String(error.description)}` }),
			);
			reports.push({ name: String(json.name), ...answer });
		}
		return reports;
	}
	const settings = {
		...(['Retry On Fail', 'both', 'tool'].includes(how) && retry),
		...(['Continue On Fail', 'both'].includes(how) && { onError: 'continueRegularOutput' as const }),
	};
	return reportsOf(namesOf(items), await n8n.runNode(TYPE, { parameters, items, settings }));
}

function reportsOf(names: string[], { items: output, error }: NodeRun): Report[] {
	if (error) {
		const failed = Number(error.context?.itemIndex);
		const said = `${error.message} ${String(error.description)}`;
		// The items before it are done, as the next try would find; those after it have not begun.
		return names.slice(0, failed + 1).map((name, index) => ({ name, error: index === failed ? said : 'done' }));
	}
	return output.map(({ json, pairedItem }): Report => {
		const name = names[(pairedItem as { item: number }).item] as string;
		return json.error === undefined
			? { name, id: idOf(json) }
			: { name, error: `${String(json.error)} ${String(json.description)}` };
	});
}

const isPossible = (said: string) =>
	/may or may not|could do it twice|is not known|The draft doc_\w+ was created|still a draft|is out, but its embed links/.test(
		said,
	);

const namesOf = (items: Prepared['items']) => items.map(({ json }) => String(json.name));

/** Makes everything ready for a course, and lets things go wrong from now on. */
async function begin(one: Course): Promise<Prepared> {
	await service.sandbox.control.reset();
	const operation = CHANGING[one.operation] as ChangingOperation;
	const [wanted, pattern] = operation.request;
	const matches = new RegExp(`^${pattern.replaceAll('*', '[^/]+')}$`);
	creates = (method, path) => method === wanted && matches.test(path);
	losses = [];
	lostLooks = [];
	const prepared = await operation.prepare(service, one.names);
	losses = [...one.losses];
	lostLooks = [...one.lostLooks];
	return prepared;
}

/** Compares what is said of the items with what is at the service once everything late has come. */
async function expectOnce({ items, effects: read }: Prepared, reports: Report[]): Promise<void> {
	losses = [];
	await proxy.settle();
	const effects = await read();
	const ids = reports.flatMap(({ id }) => (id === undefined ? [] : [id]));
	expect(new Set(ids).size).toBe(ids.length);
	for (const id of ids) expect(effects.map((effect) => effect.id)).toContain(id);
	for (const name of new Set(namesOf(items))) {
		const ofName = reports.filter((report) => report.name === name);
		const done = ofName.filter(({ error }) => error === undefined || error === 'done').length;
		const possible = ofName.filter(({ error }) => error !== undefined && isPossible(error)).length;
		const there = effects.filter((effect) => effect.name === name);
		// A spare draft harms nobody: there may be more of them than were asked for.
		const out = there.filter(({ state }) => state !== 'draft').length;
		const wrong = there.length < done || out > done + possible;
		expect({ name, there, ofName, wrong }).toMatchObject({ wrong: false });
	}
}

describe('An effect that comes up to a minute after its answer was lost', () => {
	it('happens once, and no success hides one', async () => {
		await fc.assert(
			fc.asyncProperty(course, async (one) => {
				const prepared = await begin(one);
				await expectOnce(prepared, await run(one, prepared));
			}),
			{ numRuns: RUNS, seed: SEED },
		);
	});

	it('happens once in two executions at the same time, one of which is stopped and retried', async () => {
		await fc.assert(
			fc.asyncProperty(course, fc.integer({ min: 1, max: 400 }), async (one, stopAfter) => {
				// A person who retries a reminder in doubt wants it again, and a webhook of each would be one too many.
				fc.pre(!['document: remind', 'webhook: create'].includes(one.operation));
				const prepared = await begin(one);
				const { parameters, items } = prepared;
				const settings = { onError: 'continueRegularOutput' as const };
				const stop = new AbortController();
				const sleep = service.clock.sleep.bind(service.clock);
				let slept = 0;
				const asleep = jest.spyOn(service.clock, 'sleep').mockImplementation(async (milliseconds) => {
					if (++slept === stopAfter) stop.abort();
					await sleep(milliseconds);
				});
				const [stopped, other] = await Promise.all([
					n8n.runNode(TYPE, { parameters, items, signal: stop.signal }),
					n8n.runNode(TYPE, { parameters, items, settings }),
				]);
				asleep.mockRestore();
				const first = stopped.error ? await n8n.retryNode(TYPE, stopped, { parameters, settings }) : stopped;
				const names = namesOf(items);
				await expectOnce(prepared, [...reportsOf(names, first), ...reportsOf(names, other)]);
			}),
			{ numRuns: Math.ceil(RUNS / 3), seed: SEED },
		);
	});
});
