import fc from 'fast-check';
import type { INodeExecutionData, INodeParameters } from 'n8n-workflow';
import { startLateProxy, type LateProxy, type Loss } from '../../../harness/lateProxy';
import type { NodeRun } from '../../../harness/n8nCore/n8n';
import { FaultyService, TYPE } from '../everyOperation/faultyService';
import { byId, contract } from '../support/workbench';

/** More of them with `CORRECTIONS=1000 npx jest test/actions/once/correctedSchedules.test.ts`. */
const RUNS = Number(process.env.CORRECTIONS ?? 60);

const SEED = Number(process.env.CORRECTIONS_SEED ?? 2);

let service: FaultyService;
let proxy: LateProxy;

/** What becomes of the next requests of a kind. */
let losses: Record<'create' | 'look' | 'step', Array<Loss | undefined>>;

const NOTHING_LOST = () => ({ create: [], look: [], step: [] });

beforeAll(async () => {
	service = await FaultyService.open({ attempts: 2 });
	proxy = await startLateProxy(
		() => service.sandbox.url,
		service.clock,
		(method, path) => {
			if (method === 'POST' && /\/(documents|templates\/[^/]+\/send)$/.test(path)) return losses.create.shift();
			if (method === 'GET') return losses.look.shift();
			return /\/documents\/[^/]+\//.test(path) ? losses.step.shift() : undefined;
		},
	);
	service.n8n.credentials.use({ ...service.credential, baseUrl: `${proxy.url}/v1` });
});
afterAll(async () => {
	await proxy.close();
	await service.close();
});

const PEOPLE = {
	Ada: { name: 'Ada', email: 'ada@example.com' },
	'Ada, mistyped': { name: 'Ada', email: 'ada@exmaple.com' },
	Bo: { name: 'Bo', email: 'bo@example.com' },
};

type Operation = 'a draft' | 'a document that is sent' | 'a document from a template';

const loss = fc.record(
	{
		how: fc.constantFrom('reset' as const, 502 as const, 504 as const),
		afterMs: fc.integer({ min: 0, max: 30_000 }),
		effectMs: fc.integer({ min: 0, max: 60_000 }),
	},
	{ requiredKeys: ['how', 'afterMs'] },
);

const lost = (maxLength: number) => fc.array(fc.option(loss, { nil: undefined, freq: 3 }), { maxLength });

const asked = fc.record({
	title: fc.constantFrom('A', 'B', '={{ "T " + $now.toMillis() + Math.random() }}'),
	person: fc.constantFrom(...(Object.keys(PEOPLE) as Array<keyof typeof PEOPLE>)),
});

const oneTry = fc.record({
	/** Which of those that the schedule corrects to and fro. */
	asks: fc.nat({ max: 1 }),
	create: lost(4),
	look: lost(6),
	step: lost(4),
	/** What ends the try: a creating request that is refused, or in doubt for good. Items before it are done. */
	end: fc.constantFrom<'refused' | 'in doubt' | 'nothing'>('refused', 'in doubt', 'nothing'),
	/** After so many creating requests. */
	after: fc.nat({ max: 2 }),
	refused: fc.constantFrom(undefined, undefined, 'PUT /documents/*/fields', 'POST /documents/*/send'),
	retryOnFail: fc.constantFrom(false, false, false, true),
});

/** How the first try ends. */
const END = ['refused', 'in doubt'] as const;

const schedule = fc.record({
	operation: fc.constantFrom<Operation>('a draft', 'a document that is sent', 'a document from a template'),
	way: fc.constantFrom('a variable', 'the node'),
	/** All equal. */
	items: fc.constantFrom(3, 2, 1),
	asked: fc.tuple(asked, asked),
	/** Nothing is corrected before a try has failed. */
	tries: fc
		.tuple(oneTry, fc.array(oneTry, { minLength: 2, maxLength: 5 }))
		.map(([first, others]) => [{ ...first, end: END[first.asks] ?? first.end, retryOnFail: false }, ...others]),
});

type Schedule = typeof schedule extends fc.Arbitrary<infer S> ? S : never;
type Asked = Schedule['asked'][number];

/** What is asked for at a try. */
function askedAt({ asked: both, tries }: Schedule, number: number): Asked {
	return both[tries[number]?.asks ?? 0] as Asked;
}

async function parametersOf({ operation, way }: Schedule, { title, person }: Asked) {
	const inNode = way === 'the node';
	const recipient = PEOPLE[person];
	const isExpression = title.startsWith('=');
	Object.assign(service.n8n.variables, { title: isExpression ? 'T' : title, ...recipient });
	const given = {
		name: inNode ? recipient.name : '{{ $vars.name }}',
		email: inNode ? recipient.email : '{{ $vars.email }}',
	};
	const others = { recipientsInput: 'json', title: inNode || isExpression ? title : '={{ $vars.title }}' };
	const parameters: INodeParameters =
		operation === 'a document from a template'
			? {
					resource: 'template',
					operation: 'send',
					templateId: byId(await service.direct.template('Mutual NDA')),
					recipientsInput: 'json',
					recipientsJson: `=${JSON.stringify([
						{ role: 'Client', ...given },
						{ role: 'Company', name: 'Cem', email: 'cem@example.com' },
					])}`,
					additionalFields: { title: others.title },
				}
			: {
					resource: 'document',
					operation: operation === 'a document that is sent' ? 'createAndSend' : 'create',
					...others,
					recipientsJson: `=${JSON.stringify([given])}`,
					fieldsInput: 'automatic',
				};
	return parameters;
}

function lossesOf({
	create,
	look,
	step,
	end,
	after,
}: Omit<Schedule['tries'][number], 'refused' | 'retryOnFail'>): typeof losses {
	const [before, rest] = [Array.from({ length: after }, (_, index) => create[index]), create.slice(after)];
	if (end === 'refused')
		return { create: [...before, { how: 402, afterMs: 1 }, ...rest], look: [...look], step: [...step] };
	if (end === 'nothing') return { create: [...create], look: [...look], step: [...step] };
	const lookIsLost: Loss = { how: 503, afterMs: 1 };
	return {
		create: [...before, { how: 'reset', afterMs: 1, effectMs: 10 }, ...rest],
		look: Array.from({ length: 6 }, () => lookIsLost),
		step: [...step],
	};
}

async function runTry(
	one: Schedule,
	number: number,
	failed: NodeRun | undefined,
	items: INodeExecutionData[],
): Promise<NodeRun> {
	const { retryOnFail, refused, ...losing } = one.tries[number] as Schedule['tries'][number];
	const parameters = await parametersOf(one, askedAt(one, number));
	const settings = retryOnFail ? { retryOnFail: true, maxTries: 2, waitBetweenTries: 1 } : {};
	losses = lossesOf(losing);
	if (refused !== undefined) {
		const [method, path] = refused.split(' ') as ['POST', string];
		await service.sandbox.control.fault({ method, path, when: 'before', kind: 'status', status: 403, times: 1 });
	}
	const run = failed
		? await service.n8n.retryNode(TYPE, failed, { parameters, settings })
		: await service.run({ parameters, settings, items });
	losses = NOTHING_LOST();
	await service.sandbox.control.clearFaults();
	return run;
}

const seen = { succeeded: 0, told: 0, kept: 0 };

const addressOf = ({ recipients }: Record<string, unknown>) => (recipients as Array<{ email: string }>)[0]?.email;

async function expectHonest(one: Schedule): Promise<void> {
	await service.sandbox.control.reset();
	losses = NOTHING_LOST();
	const binary = { data: await contract() };
	const items = Array.from({ length: one.items }, () => ({ json: {}, binary }));
	const said: string[] = [];
	let failed: NodeRun | undefined;
	for (const number of one.tries.keys()) {
		const run = await runTry(one, number, failed, items);
		if (run.error) {
			said.push(`${run.error.message} ${String(run.error.description)}`);
			failed = run;
			continue;
		}
		await proxy.settle();
		const { title, person } = askedAt(one, number);
		const documents = (await service.direct.list('/documents?limit=100')) as Array<Record<string, unknown>>;
		const ids = run.items.map(({ json }) => json.id);
		expect(new Set(ids).size).toBe(one.items);
		const { email } = PEOPLE[person];
		for (const { json } of run.items) {
			const made = documents.find(({ id }) => id === json.id) as Record<string, unknown>;
			expect(made.status).toBe(one.operation === 'a draft' ? 'draft' : 'in_progress');
			expect([json.title, addressOf(json)]).toEqual([made.title, addressOf(made)]);
			// The document says what is asked for now, or was named as carried out before that was asked for.
			const isAsked = (title.length > 1 || made.title === title) && addressOf(made) === email;
			if (!isAsked) {
				expect(said.join('\n')).toMatch(new RegExp(`carried out \\(.*${String(made.id)}`));
				seen.kept += 1;
			}
		}
		// Everything else that was made was named, and only a correction makes a second.
		const others = documents.filter(({ id }) => !ids.includes(id as string)).map(({ id }) => String(id));
		for (const id of others) expect(said.join('\n')).toContain(id);
		seen.succeeded += 1;
		if (others.length > 0) seen.told += 1;
		const asks = one.tries.slice(0, number + 1).map((_, index) => askedAt(one, index));
		if (new Set(asks.map((ask) => `${ask.title} ${ask.person}`)).size === 1) expect(others).toEqual([]);
		return;
	}
}

it(
	'Whatever is lost, late, refused and corrected: a success says what is asked for now or was named, and hides no document',
	async () => {
		await fc.assert(fc.asyncProperty(schedule, expectHonest), { numRuns: RUNS, seed: SEED });
		expect(seen.succeeded).toBeGreaterThan(RUNS / 4);
		expect(seen.told).toBeGreaterThan(0);
		expect(seen.kept).toBeGreaterThan(0);
	},
	RUNS * 5_000,
);
