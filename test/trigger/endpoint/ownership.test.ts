import type { IDataObject } from 'n8n-workflow';
import { deliverSigned, payloadOf } from '../support/deliveries';
import { N8nInstance } from '../support/n8nInstance';
import { endpointOf, sceneForEachTest, type Scene, type StoredWorkflow } from '../support/scene';

const scene = sceneForEachTest();

let n8n: Scene['n8n'];
let service: Scene['service'];
let sandbox: Scene['sandbox'];
let logged: Scene['logged'];

beforeEach(() => {
	({ n8n, service, sandbox, logged } = scene());
});

const add = () => scene().add();

async function urls(): Promise<string[]> {
	return (await service.endpoints()).map(({ url }) => url);
}

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
		expect(await scene().requestsDuring(async () => await n8n.deactivate(workflow))).toEqual([
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
