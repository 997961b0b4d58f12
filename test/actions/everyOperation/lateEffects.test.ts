import fc from 'fast-check';
import type { IDataObject, INodeExecutionData, INodeParameters } from 'n8n-workflow';
import { asTool } from '../../../harness/n8nCore/toolCalls';
import { startLateProxy, type LateProxy, type Loss } from '../../../harness/lateProxy';
import { SEED, sized } from '../../../harness/nightly';
import { N8n, type NodeRun } from '../../../harness/n8nCore/n8n';
import { ESign } from '../../../nodes/ESign/ESign.node';
import { ROLES, PEOPLE } from '../../client/support/scenarios';
import { byId, contract } from '../support/workbench';
import { FaultyService, TYPE } from './faultyService';

const RUNS = sized(20, 500);

/** A creating call: its request on the wire, how a user makes it, and what of it is at the service. */
interface Creating {
	method: 'POST';
	path: RegExp;
	prepare(names: string[]): Promise<{ parameters: INodeParameters; items: INodeExecutionData[] }>;
	/** What there is by name, each with its id. */
	/** A spare draft harms nobody: there may be more of them than were asked for. */
	effects(): Promise<Array<{ name: string; id: string; isDraft?: boolean }>>;
}

let service: FaultyService;
let proxy: LateProxy;
let n8n: N8n;

/** What becomes of the next creating requests, and of the next looks for them. */
let losses: Array<Loss | undefined> = [];
let lostLooks: Array<Loss | undefined> = [];
let creating: Creating;

beforeAll(async () => {
	service = await FaultyService.open({ attempts: 3 });
	proxy = await startLateProxy(
		() => service.sandbox.url,
		service.clock,
		(method, path) => {
			const endpoint = path.replace(/^\/v1/, '').replace(/\?.*/, '');
			if (method === creating.method && creating.path.test(endpoint)) return losses.shift();
			return method === 'GET' ? lostLooks.shift() : undefined;
		},
	);
	n8n = new N8n({ [TYPE]: new ESign() }, { baseUrl: `${proxy.url}/v1`, apiKey: service.credential.apiKey });
});
afterAll(async () => {
	await proxy.close();
	await service.close();
});

const named = (names: string[], more: IDataObject = {}) => names.map((name) => ({ json: { name, ...more } }));

const documentsByTitle = async () =>
	(await service.direct.list('/documents?limit=100')).map(({ id, title, status }) => ({
		id,
		name: String(title),
		isDraft: status === 'draft',
	}));

/** The documents whose people are reminded, with the names of their items. */
const reminders = new Map<string, string>();

const DRAFT: Creating = {
	method: 'POST',
	path: /^\/documents$/,
	prepare: async (names) => ({
		parameters: {
			resource: 'document',
			operation: 'create',
			recipientsInput: 'json',
			recipientsJson: JSON.stringify(PEOPLE),
			fieldsInput: 'none',
			title: '={{ $json.name }}',
		},
		items: await Promise.all(named(names).map(async (item) => ({ ...item, binary: { data: await contract() } }))),
	}),
	effects: documentsByTitle,
};

const CREATING: Record<string, Creating> = {
	'document: create': DRAFT,
	'document: create, placed and sent': {
		...DRAFT,
		prepare: async (names) => {
			const { parameters, items } = await DRAFT.prepare(names);
			return { parameters: { ...parameters, operation: 'createAndSend', fieldsInput: 'automatic' }, items };
		},
	},
	'template: send': {
		method: 'POST',
		path: /^\/templates\/[^/]+\/send$/,
		prepare: async (names) => ({
			parameters: {
				resource: 'template',
				operation: 'send',
				templateId: byId(await service.direct.template('Mutual NDA')),
				recipientsInput: 'json',
				recipientsJson: JSON.stringify(ROLES),
				additionalFields: { title: '={{ $json.name }}' },
			},
			items: named(names),
		}),
		effects: documentsByTitle,
	},
	'templateLink: create': {
		method: 'POST',
		path: /^\/templates\/[^/]+\/links$/,
		prepare: async (names) => {
			const { template, body } = await service.direct.linkBody('');
			const signers = (body.signers as IDataObject[]).map(
				({ placeholder_id: placeholderId, is_open: isOpen, ...person }) => ({ placeholderId, isOpen, ...person }),
			);
			return {
				parameters: {
					resource: 'templateLink',
					operation: 'create',
					templateId: byId(template),
					signersInput: 'json',
					signersJson: JSON.stringify(signers),
					additionalFields: { label: '={{ $json.name }}' },
				},
				items: named(names),
			};
		},
		effects: async () => {
			const links = await service.direct.list(`/templates/${await service.direct.template('Mutual NDA')}/links`);
			return links.map(({ id, label }) => ({ id, name: String(label) }));
		},
	},
	'document: remind': {
		method: 'POST',
		path: /^\/documents\/[^/]+\/remind$/,
		prepare: async (names) => {
			reminders.clear();
			const items = [];
			for (const name of names) {
				const { id } = await service.direct.sent();
				reminders.set(id, name);
				items.push({ json: { name, id } });
			}
			return {
				parameters: { resource: 'document', operation: 'remind', documentId: byId('={{ $json.id }}') },
				items,
			};
		},
		effects: async () => {
			const requests = await service.sandbox.control.requests();
			return requests.flatMap(({ path, status }) => {
				const id = /\/documents\/([^/]+)\/remind$/.exec(path)?.[1] ?? '';
				return status === 200 && reminders.has(id) ? [{ id, name: reminders.get(id) as string }] : [];
			});
		},
	},
	'webhook: create': {
		method: 'POST',
		path: /^\/webhooks$/,
		prepare: async (names) => ({
			parameters: {
				resource: 'webhook',
				operation: 'create',
				url: '={{ "https://127.0.0.1:9/" + encodeURIComponent($json.name) }}',
				events: ['document.sent'],
			},
			items: named(names),
		}),
		effects: async () =>
			(await service.direct.list('/webhooks')).map(({ id, url }) => ({
				id,
				name: decodeURIComponent(String(url).replace('https://127.0.0.1:9/', '')),
			})),
	},
};

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
	operation: fc.constantFrom(...Object.keys(CREATING)),
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
async function run(
	{ names, how, operation }: Course,
	{ parameters, items }: Awaited<ReturnType<Creating['prepare']>>,
): Promise<Report[]> {
	const retry = { retryOnFail: true, maxTries: 3, waitBetweenTries: 1 };
	// A tool gets no files.
	if (how === 'tool' && !operation.startsWith('document: create')) {
		const asked = JSON.stringify(parameters).replace(/\$json\.(\w+)/g, "$fromAI('$1')");
		const call = asTool(n8n, TYPE, { parameters: JSON.parse(asked) as INodeParameters, settings: retry });
		const reports: Report[] = [];
		for (const [index, name] of names.entries()) {
			const answer = await call(items[index]?.json ?? {}).then(
				(said) => ({ id: idOf((said as IDataObject[])[0]) }),
				(error: Error & { description?: string }) => ({ error: `${error.message} ${String(error.description)}` }),
			);
			reports.push({ name, ...answer });
		}
		return reports;
	}
	const settings = {
		...(['Retry On Fail', 'both', 'tool'].includes(how) && retry),
		...(['Continue On Fail', 'both'].includes(how) && { onError: 'continueRegularOutput' as const }),
	};
	return reportsOf(names, await n8n.runNode(TYPE, { parameters, items, settings }));
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
	/may or may not|could do it twice|The draft doc_\w+ was created|still a draft/.test(said);

/** Makes everything ready for a course, and lets things go wrong from now on. */
async function begin(one: Course): Promise<Awaited<ReturnType<Creating['prepare']>>> {
	await service.sandbox.control.reset();
	creating = CREATING[one.operation] as Creating;
	losses = [];
	lostLooks = [];
	const prepared = await creating.prepare(one.names);
	losses = [...one.losses];
	lostLooks = [...one.lostLooks];
	return prepared;
}

/** Compares what is said of the items with what is at the service once everything late has come. */
async function expectOnce(names: string[], reports: Report[]): Promise<void> {
	losses = [];
	await proxy.settle();
	const effects = await creating.effects();
	const ids = reports.flatMap(({ id }) => (id === undefined ? [] : [id]));
	expect(new Set(ids).size).toBe(ids.length);
	for (const id of ids) expect(effects.map((effect) => effect.id)).toContain(id);
	for (const name of new Set(names)) {
		const ofName = reports.filter((report) => report.name === name);
		const done = ofName.filter(({ error }) => error === undefined || error === 'done').length;
		const possible = ofName.filter(({ error }) => error !== undefined && isPossible(error)).length;
		const there = effects.filter((effect) => effect.name === name);
		const out = there.filter(({ isDraft }) => !isDraft).length;
		const wrong = there.length < done || out > done + possible;
		expect({ name, there, wrong }).toMatchObject({ wrong: false });
	}
}

describe('An effect that comes up to a minute after its answer was lost', () => {
	it('happens once, and no success hides one', async () => {
		await fc.assert(
			fc.asyncProperty(course, async (one) => await expectOnce(one.names, await run(one, await begin(one)))),
			{ numRuns: RUNS, seed: SEED },
		);
	});

	it('happens once in two executions at the same time, one of which is stopped and retried', async () => {
		await fc.assert(
			fc.asyncProperty(course, fc.integer({ min: 1, max: 400 }), async (one, stopAfter) => {
				// A person who retries a reminder in doubt wants it again, and a webhook of each would be one too many.
				fc.pre(!['document: remind', 'webhook: create'].includes(one.operation));
				const { parameters, items } = await begin(one);
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
				const reports = [...reportsOf(one.names, first), ...reportsOf(one.names, other)];
				await expectOnce(one.names, reports);
			}),
			{ numRuns: Math.ceil(RUNS / 3), seed: SEED },
		);
	});
});
