import type { INodeParameters } from 'n8n-workflow';
import { startSandbox, type Sandbox, type SandboxOptions } from '../../../sandbox';
import { clock } from '../support/n8nInstance';
import { endpointOf, Scene, type StoredWorkflow } from '../support/scene';

let scene: Scene;
let n8n: Scene['n8n'];
let service: Scene['service'];
let sandbox: Scene['sandbox'];
let logged: Scene['logged'];

/** Of the tests that need no other: it has no limit. */
let shared: Sandbox;

beforeAll(async () => void (shared = await startSandbox({ rateLimit: 0 })));
afterAll(async () => await shared.close());

/** @param options of a sandbox of its own */
async function begin(options?: SandboxOptions): Promise<void> {
	sandbox = options ? await startSandbox(options) : shared;
	await sandbox.control.reset();
	// The limit is per key: the node has one of its own.
	const { key } = await sandbox.control.createKey({ mode: 'TEST' });
	scene = await Scene.set(sandbox, key);
	({ n8n, service, logged } = scene);
}

afterEach(async () => {
	await scene.end();
	if (sandbox !== shared) await sandbox.close();
});

const activeWorkflow = async (options: INodeParameters = {}) => await scene.activeWorkflow({ options });

const documentsOf = (workflow: StoredWorkflow) => scene.documentsOf(workflow);

/** Documents go out, a few seconds apart, while nobody listens; the service gives up on their events. */
async function missWhileDown(count: number, seconds = 1): Promise<string[]> {
	const ids: string[] = [];
	for (let n = 0; n < count; n++) {
		ids.push((await service.send()).id);
		await sandbox.control.advance(seconds);
	}
	await sandbox.control.advance(60);
	return ids;
}

const replays = async () => (await sandbox.control.requests()).filter(({ path }) => path.endsWith('/replay')).length;

describe('After n8n was down while six events fell due', () => {
	it('all six arrive at the next start, once each, oldest first, and none at the start after that', async () => {
		await begin();
		const { workflow } = await activeWorkflow();
		await n8n.kill();
		const missed = await missWhileDown(6);
		await n8n.start();
		await sandbox.control.advance(0);
		expect(documentsOf(workflow)).toEqual(missed);
		expect(logged.filter((line) => /info: eSign: asked for a replay of a missed event/.test(line))).toHaveLength(6);

		await n8n.kill();
		await n8n.start();
		await sandbox.control.advance(0);
		expect(await replays()).toBe(6);
		expect(documentsOf(workflow)).toEqual(missed);
	});

	it('the replays keep to the rate limit: no request is refused', async () => {
		await begin({ rateLimit: 4, rateWindow: 20, clock });
		const { workflow } = await activeWorkflow();
		await n8n.kill();
		// Every send of the test takes three of the four requests of a window.
		const missed = await missWhileDown(6, 20);
		await n8n.start();
		await sandbox.control.advance(0);
		expect(documentsOf(workflow)).toEqual(missed);
		expect((await sandbox.control.requests()).filter(({ status }) => status === 429)).toEqual([]);
	});
});

describe('A missed event', () => {
	it('that never arrives does not have the endpoint switched off, however often n8n is started again', async () => {
		await begin();
		const { endpointId } = await activeWorkflow();
		await n8n.kill();
		const missed = await missWhileDown(5);
		n8n.beforeAnswer = async () => {
			throw new Error('The database is down');
		};
		for (let starts = 0; starts < 6; starts++) {
			await n8n.start();
			await sandbox.control.advance(60);
			await n8n.kill();
		}
		expect(await service.endpoints()).toMatchObject([{ id: endpointId, status: 'ACTIVE' }]);
		const refused = logged.filter((line) => line.includes('no event is replayed until a delivery arrives'));
		expect(refused).toHaveLength(5);
		for (const document of missed) expect(refused.at(-1)).toContain(document);
	});

	it('that was accepted in truth, only its answer got lost, is not replayed', async () => {
		await begin();
		const { workflow, endpointId } = await activeWorkflow();
		n8n.beforeAnswer = async () => await n8n.cutOff();
		const { id } = await service.send();
		await sandbox.control.advance(60);
		n8n.beforeAnswer = async () => undefined;
		expect((await service.deliveries(endpointId)).map(({ succeeded }) => succeeded)).toEqual([false, false, false]);
		await n8n.reconnect();
		await n8n.hourPasses();
		await sandbox.control.advance(0);
		expect(await replays()).toBe(0);
		expect(documentsOf(workflow)).toEqual([id]);
	});
});

describe('A start while the service is out of reach', () => {
	const unreachable = { method: 'GET', path: '/webhooks', when: 'before', kind: 'drop', times: 1_000 } as const;

	it('puts an endpoint back that turns out to have been switched off, once it answers again', async () => {
		await begin();
		const { workflow, endpointId } = await activeWorkflow();
		await n8n.kill();
		await missWhileDown(10);
		const lost = (await service.deliveries(endpointId)).filter(({ succeeded }) => !succeeded);
		await sandbox.control.fault(unreachable);
		logged.length = 0;
		n8n.waitsForLook = false;
		await n8n.start();
		await sandbox.control.clearFaults();
		expect(await service.endpoints()).toMatchObject([{ id: endpointId, status: 'DISABLED' }]);
		await n8n.looked();
		const endpoints = await service.endpoints();
		expect(endpoints).toMatchObject([{ url: n8n.productionUrl(workflow), status: 'ACTIVE' }]);
		expect(endpoints[0]?.id).not.toBe(endpointId);
		const warnings = logged.filter((line) => line.startsWith('warn')).join('\n');
		for (const { event_id } of lost) expect(warnings).toContain(event_id);
		const { id } = await service.send();
		expect(documentsOf(workflow)).toEqual([id]);
	});
});

describe('The hourly look', () => {
	const refusal = { path: '/webhooks', when: 'before', kind: 'status', status: 401, times: 1 } as const;

	/** An endpoint that somebody deletes is put back, and known to n8n. */
	async function expectPutBack(workflow: StoredWorkflow): Promise<void> {
		await service.deleteEndpoint(endpointOf(workflow).id);
		await n8n.hourPasses();
		const { id } = endpointOf(workflow);
		expect(await service.endpoints()).toMatchObject([{ id, url: n8n.productionUrl(workflow), status: 'ACTIVE' }]);
		const document = await service.send();
		expect(documentsOf(workflow)).toContain(document.id);
	}

	it('puts an endpoint back as often as it is deleted, and that one is found at the next start and goes with the trigger', async () => {
		await begin();
		const { workflow } = await activeWorkflow();
		for (let times = 0; times < 2; times++) await expectPutBack(workflow);
		const { id } = endpointOf(workflow);
		await n8n.kill();
		await n8n.start();
		expect(await service.endpoints()).toMatchObject([{ id }]);
		await n8n.deactivate(workflow);
		expect(await service.endpoints()).toEqual([]);
	});

	it('has n8n save again what an old copy of the static data had lost', async () => {
		await begin();
		const { workflow, endpointId } = await activeWorkflow();
		workflow.staticData = {};
		await n8n.hourPasses();
		expect(endpointOf(workflow).id).toBe(endpointId);
	});

	it('comes although a test listener has failed, and was stopped before it had begun', async () => {
		await begin();
		const { workflow } = await activeWorkflow();
		await sandbox.control.fault({ ...refusal, method: 'POST' });
		await expect(n8n.listen(workflow)).rejects.toThrow();
		await n8n.stopListening(workflow);
		await expectPutBack(workflow);
	});

	it('comes although the first try of the activation has failed', async () => {
		await begin();
		const workflow = scene.add();
		await sandbox.control.fault({ ...refusal, method: 'GET' });
		n8n.triesToActivate = 2;
		await n8n.activate(workflow);
		await expectPutBack(workflow);
	});
});
