import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { client } from '../../../nodes/ESign/client';
import { deliverSigned, payloadOf } from '../support/deliveries';
import { clock, N8nInstance } from '../support/n8nInstance';
import { endpointOf, sceneForEachTest, type Scene, type StoredWorkflow } from '../support/scene';
import { silentServer } from '../support/silentServer';

const scene = sceneForEachTest();

let n8n: Scene['n8n'];
let service: Scene['service'];
let sandbox: Scene['sandbox'];
let logged: Scene['logged'];

beforeEach(() => {
	({ n8n, service, sandbox, logged } = scene());
});

const add = (parameters: INodeParameters = {}) => scene().add(parameters);

const requestsDuring = async (work: () => Promise<unknown>) => await scene().requestsDuring(work);

async function urls(): Promise<string[]> {
	return (await service.endpoints()).map(({ url }) => url);
}

describe('Activating', () => {
	it('registers one endpoint with the URL and the events of the trigger, which then fires', async () => {
		const workflow = add();
		await n8n.activate(workflow);
		const [endpoint, ...others] = await service.endpoints();
		expect(others).toEqual([]);
		expect(endpoint).toMatchObject({
			id: endpointOf(workflow).id,
			url: n8n.productionUrl(workflow),
			events: ['document.sent', 'document.completed'],
			mode: 'TEST',
		});
		const { id } = await service.complete();
		expect(n8n.itemsOf(workflow).map(({ json }) => [json.event, (json.document as IDataObject).id])).toEqual([
			['document.sent', id],
			['document.completed', id],
		]);
	});

	it('again, at a start, costs one request, and one more to look for missed events', async () => {
		const workflow = add();
		const quiet = add({ options: { replayMissed: false } });
		await n8n.activate(workflow);
		await n8n.activate(quiet);
		const { id } = endpointOf(workflow);
		expect(await requestsDuring(async () => await n8n.activate(workflow, 'init'))).toEqual([
			'GET /webhooks',
			`GET /webhooks/${id}/deliveries`,
		]);
		expect(await requestsDuring(async () => await n8n.activate(quiet, 'init'))).toEqual(['GET /webhooks']);
		expect(endpointOf(workflow).id).toBe(id);
	});

	it.each([
		['no event', { events: [] }, /No event is selected/],
		['an unknown event', { events: ['document.sent', 'document.shredded'] }, /document\.shredded/],
	])('is refused before any request with %s, also at a start', async (_what, parameters, message) => {
		const requests = await requestsDuring(async () => {
			for (const mode of ['activate', 'init'] as const) {
				await expect(n8n.activate(add(parameters), mode)).rejects.toThrow(message);
			}
		});
		expect(requests).toEqual([]);
	});

	it('is refused before any request where n8n has no https address', async () => {
		const workflow = add();
		jest.spyOn(n8n, 'publicUrl', 'get').mockReturnValue('http://n8n.example.com');
		const requests = await requestsDuring(async () => {
			await expect(n8n.activate(workflow)).rejects.toThrow(/https URLs only.*http:\/\/n8n\.example\.com/);
		});
		expect(requests).toEqual([]);
	});

	it('fails when the service does not say what it has, and makes no twin once it does', async () => {
		const workflow = add();
		await n8n.activate(workflow);
		const down = { method: 'GET', path: '/webhooks', when: 'before', kind: 'status', status: 503, times: 50 } as const;
		await sandbox.control.fault(down);
		await expect(n8n.activate(workflow, 'update')).rejects.toThrow(/could not list the webhook endpoints/i);
		await sandbox.control.clearFaults();
		await n8n.activate(workflow);
		expect(await urls()).toEqual([n8n.productionUrl(workflow)]);
	});
});

describe('At a start, an endpoint that has drifted is replaced:', () => {
	it('a changed public URL', async () => {
		const workflow = add();
		await n8n.activate(workflow);
		const before = n8n.productionUrl(workflow);
		n8n.publicPath = '/moved';
		await n8n.activate(workflow, 'init');
		// Another n8n, made of a copy of the database, may be at the old one.
		expect((await urls()).sort()).toEqual([before, n8n.productionUrl(workflow)].sort());
		await service.send();
		expect(n8n.itemsOf(workflow)).toHaveLength(1);
	});

	it('a secret that was lost, as by a crash right after the registration', async () => {
		const workflow = add();
		await n8n.activate(workflow);
		await n8n.kill();
		workflow.staticData = {};
		await n8n.start();
		expect(await urls()).toEqual([n8n.productionUrl(workflow)]);
		await service.send();
		expect(n8n.itemsOf(workflow)).toHaveLength(1);
		expect(logged.join('\n')).toMatch(/is to be replaced: its signing secret is lost/);
	});

	it('one that cannot be deleted is deleted at the next start', async () => {
		const workflow = add();
		await n8n.activate(workflow);
		workflow.node.parameters = { events: ['recipient.viewed'] };
		await sandbox.control.fault({
			method: 'DELETE',
			path: '/webhooks/*',
			when: 'before',
			kind: 'status',
			status: 500,
			times: 1_000,
		});
		await n8n.activate(workflow, 'init');
		expect(await urls()).toHaveLength(2);
		await sandbox.control.clearFaults();
		await n8n.activate(workflow, 'init');
		expect(await urls()).toEqual([n8n.productionUrl(workflow)]);
	});
});

describe('At a start with the service out of reach', () => {
	const down = { method: '*', path: '/webhooks', when: 'before', kind: 'status', status: 503, times: 1_000 } as const;

	beforeEach(() => void (n8n.waitsForLook = false));

	it('an endpoint that fits is taken to be there, and the trigger goes on', async () => {
		const workflow = add();
		await n8n.activate(workflow);
		await sandbox.control.fault(down);
		await n8n.activate(workflow, 'init');
		await sandbox.control.clearFaults();
		await service.send();
		expect(n8n.itemsOf(workflow)).toHaveLength(1);
		expect(logged.join('\n')).toMatch(/error: eSign: the webhook could not be checked/);
	});

	it.each([
		[
			'has to be replaced',
			async (workflow: StoredWorkflow) => void (workflow.node.parameters.events = ['document.sent']),
		],
		['is not known', async (workflow: StoredWorkflow) => void (workflow.staticData = {})],
	])('an endpoint that %s is replaced as soon as the service answers', async (_what, change) => {
		const workflow = add();
		await n8n.activate(workflow);
		await n8n.kill();
		await change(workflow);
		await sandbox.control.fault(down);
		await n8n.start();
		await sandbox.control.clearFaults();
		await n8n.looked();
		const { id, url } = endpointOf(workflow);
		expect(await service.endpoints()).toMatchObject([{ id, url, events: workflow.node.parameters.events }]);
		await service.send();
		expect(n8n.itemsOf(workflow)).toHaveLength(1);
	});
});

describe('A service that refuses the key', () => {
	const refusal = { method: '*', path: '/webhooks', when: 'before', kind: 'status', times: 1_000 } as const;

	beforeEach(() => void (n8n.waitsForLook = false));

	it.each(['init', 'leadershipChange'] as const)(
		'for a while does not end the trigger at a start (%s), which makes its endpoint once it may',
		async (mode) => {
			const workflow = add();
			await sandbox.control.fault({ ...refusal, status: mode === 'init' ? 401 : 402 });
			await n8n.activate(workflow, mode);
			await clock.pass(60_000);
			expect(logged.join('\n')).toMatch(/error: eSign: the webhook could not be checked/);
			await sandbox.control.clearFaults();
			await n8n.looked();
			expect(await service.endpoints()).toMatchObject([{ url: n8n.productionUrl(workflow), status: 'ACTIVE' }]);
			await service.send();
			expect(n8n.itemsOf(workflow)).toHaveLength(1);
		},
	);

	it.each(['activate', 'update'] as const)('is told to the person who activates the workflow (%s)', async (mode) => {
		const workflow = add();
		await sandbox.control.fault({ ...refusal, status: 403 });
		await expect(n8n.activate(workflow, mode)).rejects.toMatchObject({ httpCode: '403' });
		expect(workflow.active).toBe(false);
	});
});

describe('A node that was renamed', () => {
	it('keeps its endpoint, also when n8n is killed right after', async () => {
		const workflow = add();
		await n8n.activate(workflow);
		const { id } = endpointOf(workflow);
		n8n.waitsForLook = false;
		workflow.node.name = 'Signed contracts';
		await n8n.activate(workflow, 'update');
		await n8n.kill();
		await n8n.start();
		expect(await service.endpoints()).toMatchObject([{ id }]);
		expect(endpointOf(workflow).id).toBe(id);
		await service.send();
		expect(n8n.itemsOf(workflow)).toHaveLength(1);
	});
});

describe('With a service that accepts connections and never answers', () => {
	it('every hook ends in time: the activation by a person fails, a start goes on, and the end goes through', async () => {
		const { port, close } = await silentServer();
		const silent = new N8nInstance({ baseUrl: `http://127.0.0.1:${port}/v1`, apiKey: 'sk_test_silent' });
		silent.waitsForLook = false;
		Object.assign(client.settings, { requestTimeoutMs: 100 });
		await silent.start();
		try {
			const workflow = silent.add({ events: ['document.sent'] });
			const seconds = async (work: Promise<unknown>) => {
				const begin = clock.now();
				await work;
				return (clock.now() - begin) / 1_000;
			};
			const failing = expect(silent.activate(workflow)).rejects.toThrow(/list the webhook endpoints/);
			expect(await seconds(failing)).toBeLessThan(45);
			expect(await seconds(silent.activate(workflow, 'init'))).toBeLessThan(45);
			expect(workflow.active).toBe(true);
			expect(await seconds(silent.deactivate(workflow))).toBeLessThan(45);
		} finally {
			Object.assign(client.settings, { requestTimeoutMs: 30_000 });
			await silent.kill();
			await close();
		}
	});
});

describe('Listening for a test event beside the active workflow', () => {
	it('gives the event to both, and leaves the production endpoint alone', async () => {
		const workflow = add();
		await n8n.activate(workflow);
		const { id } = endpointOf(workflow);
		await n8n.listen(workflow);
		expect(await urls()).toHaveLength(2);
		await service.send();
		expect(n8n.executions.map(({ test }) => test).sort()).toEqual([false, true]);
		await n8n.stopListening(workflow);
		expect((await service.endpoints()).map((endpoint) => endpoint.id)).toEqual([id]);
		expect(endpointOf(workflow).id).toBe(id);
	});

	it('gives the same event to every listening, however soon it is replayed', async () => {
		const workflow = add();
		for (let n = 1; n <= 2; n++) {
			await n8n.listen(workflow);
			const endpoint = n8n.testEndpointOf(workflow);
			await deliverSigned(endpoint.url, payloadOf('document.sent', { id: 'evt_replayed' }), endpoint);
			await n8n.stopListening(workflow);
			expect(n8n.itemsOf(workflow)).toHaveLength(n);
		}
	});

	it('again after a crash replaces the listener that was left behind', async () => {
		const workflow = add();
		await n8n.listen(workflow);
		await n8n.listen(workflow);
		expect(await urls()).toHaveLength(1);
		await n8n.stopListening(workflow);
		expect(await urls()).toEqual([]);
	});
});

describe('Deactivating', () => {
	it('deletes the trigger’s own endpoint after a look at its delivery log, and no other', async () => {
		const workflow = add();
		await n8n.activate(workflow);
		const { id } = endpointOf(workflow);
		await service.addEndpoint('https://example.com/1');
		expect(await requestsDuring(async () => await n8n.deactivate(workflow))).toEqual([
			`GET /webhooks/${id}/deliveries`,
			`DELETE /webhooks/${id}`,
		]);
		expect(await urls()).toEqual(['https://example.com/1']);
	});

	it('goes through with the service down, and the next activation leaves one endpoint', async () => {
		const workflow = add();
		await n8n.activate(workflow);
		await sandbox.control.fault({ method: '*', path: '/webhooks/*', when: 'before', kind: 'drop', times: 1_000 });
		await n8n.deactivate(workflow);
		expect(logged.join('\n')).toMatch(/warn: eSign: webhook whk_\w+ could not be deleted/);
		await sandbox.control.clearFaults();
		await n8n.cutOff();
		await service.send();
		await sandbox.control.advance(60);
		await n8n.reconnect();
		await n8n.activate(workflow);
		expect(await urls()).toEqual([n8n.productionUrl(workflow)]);
		const { id } = await service.send();
		// What happened while the workflow was deactivated is not wanted.
		expect(scene().documentsOf(workflow)).toEqual([id]);
	});
});

describe('A copy of an active workflow that carries its static data', () => {
	it('leaves the original’s endpoint alone, activated and deactivated', async () => {
		const original = add();
		await n8n.activate(original);
		const twin = n8n.add(original.node.parameters, {
			staticData: JSON.parse(JSON.stringify(original.staticData)) as IDataObject,
		});
		await n8n.deactivate(twin);
		expect(await urls()).toEqual([n8n.productionUrl(original)]);
		await n8n.activate(twin);
		expect((await urls()).sort()).toEqual([n8n.productionUrl(original), n8n.productionUrl(twin)].sort());
		await service.send();
		expect([n8n.itemsOf(original).length, n8n.itemsOf(twin).length]).toEqual([1, 1]);
		await n8n.deactivate(twin);
		expect(await urls()).toEqual([n8n.productionUrl(original)]);
	});

	it('takes the endpoint over when it took the place of the original, as after an import', async () => {
		const original = add();
		await n8n.activate(original);
		const { id } = endpointOf(original);
		n8n.workflows.delete(original.id);
		const imported = n8n.add(original.node.parameters, { node: original.node, staticData: original.staticData });
		await n8n.activate(imported);
		expect((await service.endpoints()).map((endpoint) => endpoint.id)).toEqual([id]);
		await n8n.deactivate(imported);
		expect(await urls()).toEqual([]);
	});
});

describe('An n8n made of a copy of the database, at another address', () => {
	/** The copy has the same workflow, static data and encryption key. */
	async function copyOf(original: StoredWorkflow): Promise<{ n8n: N8nInstance; workflow: StoredWorkflow }> {
		const copied = new N8nInstance({ baseUrl: sandbox.url, apiKey: sandbox.keys.test });
		await copied.start();
		const workflow = copied.add(original.node.parameters, structuredClone({ ...original, active: false }));
		return { n8n: copied, workflow };
	}

	it('has an endpoint of its own, and leaves that of the original alone, activated and deactivated', async () => {
		const original = add();
		await n8n.activate(original);
		const copied = await copyOf(original);
		try {
			await copied.n8n.activate(copied.workflow, 'init');
			const both = [n8n.productionUrl(original), copied.n8n.productionUrl(copied.workflow)].sort();
			expect((await urls()).sort()).toEqual(both);
			await service.send();
			expect([n8n.itemsOf(original), copied.n8n.itemsOf(copied.workflow)].map(({ length }) => length)).toEqual([1, 1]);
			await n8n.hourPasses();
			await copied.n8n.hourPasses();
			expect((await urls()).sort()).toEqual(both);
			await copied.n8n.deactivate(copied.workflow);
			expect(await urls()).toEqual([n8n.productionUrl(original)]);
		} finally {
			await copied.n8n.kill();
		}
	});
});
