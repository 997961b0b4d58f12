import type { INodeParameters } from 'n8n-workflow';
import { startSandbox, type SandboxOptions } from '../../../sandbox';
import type * as FastTime from '../support/fastTime';
import { Scene, type StoredWorkflow } from '../support/scene';

jest.mock('n8n-workflow', () => ({
	...jest.requireActual<object>('n8n-workflow'),
	sleep: jest.requireActual<typeof FastTime>('../support/fastTime').fastSleep,
}));

let scene: Scene;
let n8n: Scene['n8n'];
let service: Scene['service'];
let sandbox: Scene['sandbox'];
let logged: Scene['logged'];

async function begin(options: SandboxOptions): Promise<void> {
	sandbox = await startSandbox(options);
	// The limit is per key: the node has one of its own.
	const { key } = await sandbox.control.createKey({ mode: 'TEST' });
	scene = await Scene.set(sandbox, key);
	({ n8n, service, logged } = scene);
}

afterEach(async () => {
	await scene.end();
	await sandbox.close();
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

/** What goes on in the background gets its turns; counted, as the clock here runs ahead. */
async function turnsUntil(isThrough: () => boolean): Promise<void> {
	for (let n = 0; n < 100 && !isThrough(); n++) await new Promise((resolve) => setTimeout(resolve, 50));
}

const replays = async () => (await sandbox.control.requests()).filter(({ path }) => path.endsWith('/replay')).length;

describe('After n8n was down while six events fell due', () => {
	it('all six arrive at the next start, once each, oldest first, and none at the start after that', async () => {
		await begin({ rateLimit: 0 });
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

	it('none arrives when the user switched replaying off', async () => {
		await begin({ rateLimit: 0 });
		const { workflow } = await activeWorkflow({ replayMissed: false });
		await n8n.kill();
		await missWhileDown(2);
		await n8n.start();
		await sandbox.control.advance(0);
		expect(documentsOf(workflow)).toEqual([]);
	});

	it('what arrived before is not replayed with them', async () => {
		await begin({ rateLimit: 0 });
		const { workflow } = await activeWorkflow();
		const { id } = await service.send();
		await n8n.kill();
		const missed = await missWhileDown(1);
		await n8n.start();
		await sandbox.control.advance(0);
		expect(documentsOf(workflow)).toEqual([id, ...missed]);
	});

	it('the replays keep to the rate limit: no request is refused', async () => {
		await begin({ rateLimit: 4, rateWindow: 20 });
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
	it('whose replay cannot be asked for is replayed at the next start, and the others now', async () => {
		await begin({ rateLimit: 0 });
		const { workflow } = await activeWorkflow();
		await n8n.kill();
		const [first, second] = await missWhileDown(2);
		const path = '/webhooks/*/deliveries/*/replay';
		await sandbox.control.fault({ method: 'POST', path, when: 'before', kind: 'status', status: 404, times: 1 });
		await n8n.start();
		await sandbox.control.advance(0);
		expect(documentsOf(workflow)).toEqual([second]);
		expect(logged.join('\n')).toMatch(
			/warn: eSign: a missed event could not be replayed, and will be at the next start/,
		);
		await n8n.kill();
		await n8n.start();
		await sandbox.control.advance(0);
		expect(documentsOf(workflow)).toEqual([second, first]);
	});

	it('whose replay failed as well is replayed at the next start', async () => {
		await begin({ rateLimit: 0 });
		const { workflow } = await activeWorkflow();
		await n8n.kill();
		const missed = await missWhileDown(1);
		n8n.beforeAnswer = async () => {
			throw new Error('The database is down');
		};
		await n8n.start();
		await sandbox.control.advance(60);
		expect(documentsOf(workflow)).toEqual([]);
		n8n.beforeAnswer = async () => undefined;
		await n8n.kill();
		await n8n.start();
		await sandbox.control.advance(0);
		expect(documentsOf(workflow)).toEqual(missed);
	});

	it('that was accepted in truth, only its answer got lost, is not replayed', async () => {
		await begin({ rateLimit: 0 });
		const { workflow, endpointId } = await activeWorkflow();
		n8n.beforeAnswer = async () => await n8n.kill();
		const { id } = await service.send();
		await sandbox.control.advance(60);
		n8n.beforeAnswer = async () => undefined;
		expect((await service.deliveries(endpointId)).map(({ succeeded }) => succeeded)).toEqual([false, false, false]);
		await n8n.start();
		await sandbox.control.advance(0);
		expect(await replays()).toBe(0);
		expect(documentsOf(workflow)).toEqual([id]);
	});
});

describe('A delivery log that cannot be read', () => {
	it('does not keep the trigger from starting', async () => {
		await begin({ rateLimit: 0 });
		const { workflow } = await activeWorkflow();
		const path = '/webhooks/*/deliveries';
		await sandbox.control.fault({ method: 'GET', path, when: 'before', kind: 'status', status: 404, times: 1 });
		await n8n.kill();
		await n8n.start();
		expect(logged.join('\n')).toMatch(/warn: eSign: the delivery log of webhook whk_\w+ could not be read/);
		await service.send();
		expect(n8n.itemsOf(workflow)).toHaveLength(1);
	});
});

describe('A start while the service is out of reach', () => {
	it('fetches the missed events once it answers again', async () => {
		await begin({ rateLimit: 0 });
		const { workflow } = await activeWorkflow();
		await n8n.kill();
		const missed = await missWhileDown(2);
		await sandbox.control.fault({ method: 'GET', path: '/webhooks', when: 'before', kind: 'drop', times: 6 });
		await n8n.start();
		expect(documentsOf(workflow)).toEqual([]);
		await turnsUntil(() => n8n.itemsOf(workflow).length >= 2);
		expect(documentsOf(workflow)).toEqual(missed);
	});

	it('puts an endpoint back that turns out to have been switched off, once it answers again', async () => {
		await begin({ rateLimit: 0 });
		const { workflow, endpointId } = await activeWorkflow();
		await n8n.kill();
		await missWhileDown(10);
		const lost = (await service.deliveries(endpointId)).filter(({ succeeded }) => !succeeded);
		await sandbox.control.fault({ method: 'GET', path: '/webhooks', when: 'before', kind: 'drop', times: 6 });
		logged.length = 0;
		await n8n.start();
		expect(await service.endpoints()).toMatchObject([{ id: endpointId, status: 'DISABLED' }]);
		await turnsUntil(() => logged.some((line) => line.includes('is registered')));
		const endpoints = await service.endpoints();
		expect(endpoints).toMatchObject([{ url: n8n.productionUrl(workflow), status: 'ACTIVE' }]);
		expect(endpoints[0]?.id).not.toBe(endpointId);
		const warnings = logged.filter((line) => line.startsWith('warn')).join('\n');
		for (const { event_id } of lost) expect(warnings).toContain(event_id);
		const { id } = await service.send();
		expect(documentsOf(workflow)).toEqual([id]);
	});
});

describe('An endpoint that was switched off after twenty failures', () => {
	it('is put back, and the log names every event that never arrived and the span to reconcile', async () => {
		await begin({ rateLimit: 0 });
		const { workflow, endpointId } = await activeWorkflow();
		const { id } = await service.send();
		const [lastArrived] = await service.deliveries(endpointId);
		await n8n.kill();
		await missWhileDown(10);
		const [disabled] = await service.endpoints();
		expect(disabled).toMatchObject({ id: endpointId, status: 'DISABLED' });
		const lost = (await service.deliveries(endpointId)).filter(({ succeeded }) => !succeeded);
		expect(lost).toHaveLength(20);

		await n8n.start();
		const [endpoint, ...others] = await service.endpoints();
		expect(others).toEqual([]);
		expect(endpoint).toMatchObject({ url: n8n.productionUrl(workflow), status: 'ACTIVE' });
		expect(endpoint?.id).not.toBe(endpointId);
		const warnings = logged.filter((line) => line.startsWith('warn')).join('\n');
		for (const { event_id, document_id } of lost) expect(warnings).toContain(`${event_id} of document ${document_id}`);
		expect(warnings).toContain(`changed between ${lastArrived?.created_at} and `);
		expect(warnings).not.toContain(id);

		const after = await service.send();
		expect(documentsOf(workflow)).toEqual([id, after.id]);
	});
});

describe('An endpoint that was switched off, when the workflow is deactivated', () => {
	it('is deleted after the log names every event that never arrived and the span to reconcile', async () => {
		await begin({ rateLimit: 0 });
		const { workflow, endpointId } = await activeWorkflow();
		await n8n.kill();
		await missWhileDown(10);
		const lost = (await service.deliveries(endpointId)).filter(({ succeeded }) => !succeeded);
		await n8n.deactivate(workflow);
		expect(await service.endpoints()).toEqual([]);
		const warnings = logged.filter((line) => line.startsWith('warn')).join('\n');
		expect(lost).toHaveLength(20);
		for (const { event_id, document_id } of lost) expect(warnings).toContain(`${event_id} of document ${document_id}`);
		expect(warnings).toContain('changed between ');
	});
});

describe('A retry that follows an answer of more than ten seconds', () => {
	it('starts nothing new', async () => {
		await begin({ rateLimit: 0 });
		const { workflow, endpointId } = await activeWorkflow();
		let release: () => void = () => undefined;
		n8n.beforeAnswer = async () => await new Promise<void>((resolve) => (release = resolve));
		const sending = service.send();
		for (let n = 0; n < 200 && n8n.pending === 0; n++) await new Promise((resolve) => setTimeout(resolve, 10));
		await sandbox.control.advance(11);
		await sandbox.control.advance(6);
		release();
		await sending;
		await sandbox.control.advance(30);
		expect((await service.deliveries(endpointId)).map(({ attempt, succeeded }) => [attempt, succeeded]).sort()).toEqual(
			[
				[1, false],
				[2, true],
			],
		);
		expect(n8n.itemsOf(workflow)).toHaveLength(1);
	});
});
