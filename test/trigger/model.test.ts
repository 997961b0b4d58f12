import type { IDataObject } from 'n8n-workflow';
import { startSandbox, type Sandbox } from '../../sandbox';
import type { EventType } from '../../nodes/ESign/transport';
import { EVENT_OPTIONS } from '../../nodes/ESign/service/events';
import { captureLog } from './support/log';
import { N8nInstance } from './support/n8nInstance';
import { Random } from './support/random';
import { ServiceClient } from './support/serviceClient';

const STEPS = 300;
/** One place of five is left for a test listener. */
const MOST_ACTIVE = 4;

const copy = <T>(value: T): T => JSON.parse(JSON.stringify(value)) as T;

let sandbox: Sandbox;
let service: ServiceClient;
let n8n: N8nInstance;

type Workflow = ReturnType<N8nInstance['add']>;

beforeAll(async () => {
	sandbox = await startSandbox({ rateLimit: 0 });
	service = new ServiceClient(sandbox, sandbox.keys.test);
	n8n = new N8nInstance({ baseUrl: sandbox.url, apiKey: sandbox.keys.test });
	await n8n.start();
});

afterAll(async () => {
	await n8n.kill();
	await sandbox.close();
});

beforeEach(() => void captureLog());

afterEach(() => jest.restoreAllMocks());

/** What may happen to an n8n, each as n8n does it. Returns what it did, for the message of a failure. */
function steps(random: Random, foreign: string[]): Record<string, () => Promise<string | undefined>> {
	const all = () => [...n8n.workflows.values()];
	const active = () => all().filter((workflow) => workflow.active);
	const pick = (workflows: Workflow[]) => (workflows.length > 0 ? random.pick(workflows) : undefined);
	const someEvents = (): EventType[] => {
		const chosen = EVENT_OPTIONS.map(({ value }) => value).filter(() => random.next() < 0.5);
		return chosen.length > 0 ? chosen : ['document.sent'];
	};
	/** A change of the published version: the old one is deregistered, the new one registered. */
	const republish = async (workflow: Workflow, change: () => void) => {
		if (workflow.active) await n8n.deactivate(workflow);
		change();
		await n8n.activate(workflow, 'update');
	};
	const backups = new Map<string, IDataObject>();

	return {
		async activate() {
			const workflow = pick(all().filter((candidate) => !candidate.active));
			if (!workflow || active().length >= MOST_ACTIVE) return undefined;
			await n8n.activate(workflow);
			return workflow.id;
		},
		async deactivate() {
			const workflow = pick(active());
			if (!workflow) return undefined;
			await n8n.deactivate(workflow);
			return workflow.id;
		},
		async create() {
			return all().length < 8 ? n8n.add({ events: someEvents() }).id : undefined;
		},
		async copy() {
			const original = pick(all());
			if (!original || all().length >= 8) return undefined;
			const carried = random.next() < 0.5 ? copy(original.staticData) : {};
			return `${original.id} to ${n8n.add(copy(original.node.parameters), { staticData: carried }).id}`;
		},
		async reimport() {
			const original = pick(all());
			if (!original) return undefined;
			const wasActive = original.active;
			// Half of the time the original is deregistered first; otherwise it vanishes, as with a database that is replaced.
			if (wasActive && random.next() < 0.5) await n8n.deactivate(original);
			n8n.workflows.delete(original.id);
			const imported = n8n.add(original.node.parameters, {
				node: original.node,
				staticData: copy(original.staticData),
			});
			if (wasActive) await n8n.activate(imported);
			return `${original.id} as ${imported.id}`;
		},
		async remove() {
			const workflow = pick(all());
			if (!workflow) return undefined;
			if (workflow.active) await n8n.deactivate(workflow);
			n8n.workflows.delete(workflow.id);
			return workflow.id;
		},
		async rename() {
			const workflow = pick(active());
			if (!workflow) return undefined;
			await republish(workflow, () => (workflow.node.name = `eSign Trigger ${random.below(100)}`));
			return `${workflow.id} to ${workflow.node.name}`;
		},
		async changeEvents() {
			const workflow = pick(active());
			if (!workflow) return undefined;
			await republish(workflow, () => (workflow.node.parameters = { events: someEvents() }));
			return workflow.id;
		},
		async changeEventsBehindItsBack() {
			const workflow = pick(active());
			if (!workflow) return undefined;
			workflow.node.parameters = { events: someEvents() };
			await n8n.kill();
			await n8n.start();
			return workflow.id;
		},
		async changeUrl() {
			await n8n.kill();
			n8n.publicPath = random.pick(['', '/a', '/b/c']);
			await n8n.start();
			return n8n.publicPath;
		},
		async restart() {
			await n8n.kill();
			await n8n.start();
			return '';
		},
		async backUp() {
			const workflow = pick(active());
			if (workflow) backups.set(workflow.id, copy(workflow.staticData));
			return workflow?.id;
		},
		async restore() {
			const workflow = pick(active().filter(({ id }) => backups.has(id)));
			if (!workflow) return undefined;
			await n8n.kill();
			workflow.staticData = copy(backups.get(workflow.id) ?? {});
			await n8n.start();
			return workflow.id;
		},
		async loseStaticData() {
			const workflow = pick(active());
			if (!workflow) return undefined;
			await n8n.kill();
			workflow.staticData = {};
			await n8n.start();
			return workflow.id;
		},
		async listen() {
			const workflow = pick(all());
			if (!workflow) return undefined;
			await n8n.listen(workflow);
			await n8n.stopListening(workflow);
			return workflow.id;
		},
		async deleteAtTheService() {
			const endpoint = pick(active());
			const [found] = (await service.endpoints()).filter(({ url }) => endpoint && url === n8n.productionUrl(endpoint));
			if (!found) return undefined;
			await service.deleteEndpoint(found.id);
			await n8n.kill();
			await n8n.start();
			return found.url;
		},
		async deleteWhileRunning() {
			const workflow = pick(active());
			const [found] = (await service.endpoints()).filter(({ url }) => workflow && url === n8n.productionUrl(workflow));
			if (!found) return undefined;
			await service.deleteEndpoint(found.id);
			// The first hour of a trigger is passed over.
			await n8n.hourPasses();
			return found.url;
		},
		async addForeign() {
			if (foreign.length > 0 || active().length >= MOST_ACTIVE) return undefined;
			const { id } = await service.addEndpoint('https://example.com/somebody-else');
			foreign.push(id);
			return id;
		},
		async removeForeign() {
			const id = foreign.pop();
			if (id) await service.deleteEndpoint(id);
			return id;
		},
	};
}

describe('Whatever happens to n8n, in any order', () => {
	it.each([1])(
		'the service has exactly the endpoints that active triggers need (seed %d)',
		async (seed) => {
			const random = new Random(seed);
			const foreign: string[] = [];
			const possible = steps(random, foreign);
			const names = Object.keys(possible);
			const story: string[] = [];
			for (let taken = 0; taken < STEPS;) {
				const name = random.pick(names);
				if (foreign.length > 0 && name === 'activate' && n8n.active.length >= MOST_ACTIVE - 1) continue;
				const what = await possible[name]?.();
				if (what === undefined) continue;
				taken++;
				story.push(`${name} ${what}`);

				const endpoints = (await service.endpoints()).filter(({ id }) => !foreign.includes(id));
				const found = endpoints
					.map(({ url, events, status }) => `${url} ${events.slice().sort().join()} ${status}`)
					.sort();
				const needed = n8n.active.map(
					(workflow) =>
						`${n8n.productionUrl(workflow)} ${(workflow.node.parameters.events as string[]).slice().sort().join()} ACTIVE`,
				);
				expect({ found, after: story.slice(-5) }).toEqual({ found: needed.sort(), after: story.slice(-5) });
			}
			const before = n8n.executions.length;
			for (const workflow of n8n.active) workflow.node.parameters = { events: ['document.sent'] };
			await n8n.kill();
			await n8n.start();
			await service.send();
			expect(n8n.executions.length - before).toBe(n8n.active.length);
			for (const workflow of [...n8n.workflows.values()]) {
				if (workflow.active) await n8n.deactivate(workflow);
				n8n.workflows.delete(workflow.id);
			}
			expect((await service.endpoints()).map(({ id }) => id)).toEqual(foreign);
			for (const id of foreign) await service.deleteEndpoint(id);
		},
		120_000,
	);
});
