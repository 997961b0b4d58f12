import fc from 'fast-check';
import type { INodeExecutionData, INodeParameters } from 'n8n-workflow';
import { startLateProxy, type LateProxy, type Loss } from '../../../harness/lateProxy';
import type { NodeRun } from '../../../harness/n8nCore/n8n';
import { FaultyService, TYPE } from '../everyOperation/faultyService';
import { byId, contract } from '../support/workbench';

/** More of them with `CORRECTIONS=1000 npx jest test/actions/once/correctedSchedules.test.ts`. */
const RUNS = Number(process.env.CORRECTIONS ?? 60);

const SEED = Number(process.env.CORRECTIONS_SEED ?? 20261122);

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

const oneTry = fc.record({
	title: fc.constantFrom('A', 'B', '={{ "T " + $now.toMillis() + Math.random() }}'),
	person: fc.constantFrom(...(Object.keys(PEOPLE) as Array<keyof typeof PEOPLE>)),
	create: lost(3),
	look: lost(6),
	step: lost(4),
	refused: fc.constantFrom(undefined, 'PUT /documents/*/fields', 'POST /documents/*/send', 'POST /documents'),
	retryOnFail: fc.boolean(),
});

const schedule = fc.record({
	operation: fc.constantFrom<Operation>('a draft', 'a document that is sent', 'a document from a template'),
	way: fc.constantFrom('a variable', 'the node'),
	/** All equal. */
	items: fc.integer({ min: 1, max: 3 }),
	tries: fc.array(oneTry, { minLength: 2, maxLength: 4 }),
});

type Schedule = typeof schedule extends fc.Arbitrary<infer S> ? S : never;

async function parametersOf({ operation, way }: Schedule, { title, person }: Schedule['tries'][number]) {
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
					operation: 'create',
					...others,
					recipientsJson: `=${JSON.stringify([given])}`,
					fieldsInput: 'automatic',
					send: operation === 'a document that is sent',
				};
	return parameters;
}

async function runTry(
	one: Schedule,
	number: number,
	failed: NodeRun | undefined,
	items: INodeExecutionData[],
): Promise<NodeRun> {
	const asked = one.tries[number] as Schedule['tries'][number];
	const parameters = await parametersOf(one, asked);
	const settings = asked.retryOnFail ? { retryOnFail: true, maxTries: 2, waitBetweenTries: 1 } : {};
	losses = { create: [...asked.create], look: [...asked.look], step: [...asked.step] };
	if (asked.refused !== undefined) {
		const [method, path] = asked.refused.split(' ') as ['POST', string];
		await service.sandbox.control.fault({ method, path, when: 'before', kind: 'status', status: 403, times: 1 });
	}
	const run = failed
		? await service.n8n.retryNode(TYPE, failed, { parameters, settings })
		: await service.run({ parameters, settings, items });
	losses = NOTHING_LOST();
	await service.sandbox.control.clearFaults();
	return run;
}

const seen = { succeeded: 0, told: 0 };

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
		const asked = one.tries[number] as Schedule['tries'][number];
		const documents = (await service.direct.list('/documents?limit=100')) as Array<Record<string, unknown>>;
		const ids = run.items.map(({ json }) => json.id);
		expect(new Set(ids).size).toBe(one.items);
		const made = documents.find(({ id }) => id === ids[0]) as Record<string, unknown>;
		const isDraft = one.operation === 'a draft';
		// The document says what is asked for now, and so does the output.
		expect(made.status).toBe(isDraft ? 'draft' : 'in_progress');
		if (asked.title.length === 1) expect(made.title).toBe(asked.title);
		const { email } = PEOPLE[asked.person];
		for (const document of [made, run.items[0]?.json]) {
			expect(document?.title).toBe(made.title);
			expect((document?.recipients as Array<{ email: string }>)[0]?.email).toBe(email);
		}
		// Everything else that was made was named, and only a correction makes a second.
		const others = documents.filter(({ id }) => !ids.includes(id as string)).map(({ id }) => String(id));
		// Of several items some were done before the correction, which is a new request for them.
		if (one.items === 1) for (const id of others) expect(said.join('\n')).toContain(id);
		seen.succeeded += 1;
		if (others.length > 0) seen.told += 1;
		const asks = one.tries.slice(0, number + 1).map(({ title, person }) => `${title} ${person}`);
		if (new Set(asks).size === 1) expect(others).toEqual([]);
		return;
	}
}

it(
	'Whatever is lost, late, refused and corrected: a success says what is asked for now, and hides no document',
	async () => {
		await fc.assert(fc.asyncProperty(schedule, expectHonest), { numRuns: RUNS, seed: SEED });
		expect(seen.succeeded).toBeGreaterThan(RUNS / 4);
		expect(seen.told).toBeGreaterThan(0);
	},
	RUNS * 5_000,
);
