import type { INodeParameters } from 'n8n-workflow';
import { startSandbox, type Sandbox, type SandboxOptions } from '../../../sandbox';
import { clock } from '../support/n8nInstance';
import { Scene, type StoredWorkflow } from '../support/scene';

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

	it('none arrives when the user switched replaying off', async () => {
		await begin();
		const { workflow } = await activeWorkflow({ replayMissed: false });
		await n8n.kill();
		await missWhileDown(2);
		await n8n.start();
		await sandbox.control.advance(0);
		expect(documentsOf(workflow)).toEqual([]);
	});

	it('what arrived before is not replayed with them', async () => {
		await begin();
		const { workflow } = await activeWorkflow();
		const { id } = await service.send();
		await n8n.kill();
		const missed = await missWhileDown(1);
		await n8n.start();
		await sandbox.control.advance(0);
		expect(documentsOf(workflow)).toEqual([id, ...missed]);
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
	it('whose replay cannot be asked for ends the round, and the trigger tries again until all have arrived', async () => {
		await begin();
		const { workflow } = await activeWorkflow();
		await n8n.kill();
		const missed = await missWhileDown(2);
		const path = '/webhooks/*/deliveries/*/replay';
		await sandbox.control.fault({ method: 'POST', path, when: 'before', kind: 'status', status: 404, times: 1 });
		await n8n.start();
		await sandbox.control.advance(0);
		expect(documentsOf(workflow)).toEqual(missed);
		expect(logged.join('\n')).toMatch(/error: eSign: the webhook could not be checked: /);
	});

	it('whose replay does not arrive ends the round, and is replayed after the others in the next one', async () => {
		await begin();
		const { workflow } = await activeWorkflow();
		await n8n.kill();
		const [first, second] = await missWhileDown(2);
		n8n.beforeAnswer = async () => {
			throw new Error('The database is down');
		};
		await n8n.start();
		await sandbox.control.advance(60);
		expect(documentsOf(workflow)).toEqual([]);
		expect(await replays()).toBe(1);
		n8n.beforeAnswer = async () => undefined;
		await n8n.hourPasses();
		await sandbox.control.advance(0);
		expect(documentsOf(workflow)).toEqual([second, first]);
	});

	it('that never arrives does not have the endpoint switched off, however many hours pass', async () => {
		await begin();
		const { endpointId } = await activeWorkflow();
		await n8n.kill();
		const [missed] = await missWhileDown(1);
		n8n.beforeAnswer = async () => {
			throw new Error('The database is down');
		};
		await n8n.start();
		for (let hours = 0; hours < 10; hours++) {
			await sandbox.control.advance(60);
			await n8n.hourPasses();
		}
		expect(await service.endpoints()).toMatchObject([{ id: endpointId, status: 'ACTIVE' }]);
		expect(logged.at(-1)).toMatch(new RegExp(`no event is replayed until a delivery arrives.*${missed}`));
	});

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

	it('is replayed as before once a delivery has arrived', async () => {
		await begin();
		const { workflow } = await activeWorkflow();
		await n8n.kill();
		const [first, ...others] = await missWhileDown(5);
		n8n.beforeAnswer = async () => {
			throw new Error('The database is down');
		};
		await n8n.start();
		await sandbox.control.advance(60);
		await n8n.hourPasses();
		expect(await replays()).toBe(1);
		n8n.beforeAnswer = async () => undefined;
		const { id } = await service.send();
		await n8n.hourPasses();
		await sandbox.control.advance(0);
		expect(documentsOf(workflow)).toEqual([id, ...others, first]);
	});

	it('is replayed where n8n cannot reach itself, if the last delivery arrived, and not if it failed', async () => {
		await begin();
		const { workflow, endpointId } = await activeWorkflow();
		await n8n.cutOff();
		const missed = await missWhileDown(2);
		await n8n.reconnect();
		n8n.beforeRequest = async (request) => {
			if (!request.headers['x-esign-signature']) throw new Error('No way from inside to the public address');
		};
		await n8n.hourPasses();
		expect(documentsOf(workflow)).toEqual([]);
		const { id } = await service.send();
		await n8n.hourPasses();
		await sandbox.control.advance(0);
		expect(documentsOf(workflow)).toEqual([id, ...missed]);
		expect(await service.endpoints()).toMatchObject([{ id: endpointId, status: 'ACTIVE' }]);
	});

	it('is not replayed before n8n answers at its own address, and then at once', async () => {
		await begin();
		const { workflow } = await activeWorkflow();
		await n8n.kill();
		const missed = await missWhileDown(2);
		n8n.waitsForLook = false;
		await n8n.start();
		await n8n.cutOff();
		await clock.pass(20_000);
		expect(await replays()).toBe(0);
		await n8n.reconnect();
		await n8n.looked();
		expect(documentsOf(workflow)).toEqual(missed);
	});

	it('is not replayed at an hourly look while n8n’s public address is down', async () => {
		await begin();
		const { workflow } = await activeWorkflow();
		await service.send();
		await n8n.cutOff();
		const missed = await missWhileDown(1);
		await n8n.hourPasses();
		expect(await replays()).toBe(0);
		await n8n.reconnect();
		await n8n.hourPasses();
		expect(documentsOf(workflow).slice(1)).toEqual(missed);
	});

	it('behind a hundred newer attempts is not named by the log, and n8n’s log says for which time that is so', async () => {
		await begin();
		const { workflow, endpointId } = await activeWorkflow();
		await n8n.kill();
		const [hidden] = await missWhileDown(1);
		await n8n.start();
		for (let n = 0; n < 101; n++) await service.send();
		const log = await service.deliveries(endpointId);
		const begins = log.map(({ created_at }) => created_at).sort()[0];
		await n8n.kill();
		logged.length = 0;
		await n8n.start();
		expect(documentsOf(workflow)).toContain(hidden);
		expect(logged.filter((line) => line.startsWith('warn'))).toEqual([
			expect.stringContaining(`the delivery log shows the last 100 attempts only, since ${begins}`),
		]);
		await n8n.hourPasses();
		expect(logged.filter((line) => line.startsWith('warn'))).toHaveLength(1);
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

describe('A delivery log that cannot be read', () => {
	it('does not keep the trigger from starting, and is read again soon', async () => {
		await begin();
		const { workflow } = await activeWorkflow();
		await n8n.kill();
		const missed = await missWhileDown(1);
		const path = '/webhooks/*/deliveries';
		await sandbox.control.fault({ method: 'GET', path, when: 'before', kind: 'status', status: 404, times: 1 });
		await n8n.start();
		expect(logged.join('\n')).toMatch(/error: eSign: the webhook could not be checked: /);
		expect(documentsOf(workflow)).toEqual(missed);
	});
});

describe('A start while the service is out of reach', () => {
	const unreachable = { method: 'GET', path: '/webhooks', when: 'before', kind: 'drop', times: 1_000 } as const;

	it('fetches the missed events once it answers again', async () => {
		await begin();
		const { workflow } = await activeWorkflow();
		await n8n.kill();
		const missed = await missWhileDown(2);
		await sandbox.control.fault(unreachable);
		n8n.waitsForLook = false;
		await n8n.start();
		expect(documentsOf(workflow)).toEqual([]);
		await sandbox.control.clearFaults();
		await n8n.looked();
		expect(documentsOf(workflow)).toEqual(missed);
	});

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

describe('An endpoint that was switched off after twenty failures', () => {
	it('is put back, and the log names every event that never arrived and the span to reconcile', async () => {
		await begin();
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
		await begin();
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

describe('An answer that takes longer than the ten seconds that the service waits', () => {
	it.each([
		['started', [false, true], 1, async () => undefined],
		[
			'could not be started',
			[false, false, true],
			1,
			async () => {
				throw new Error('The database is down');
			},
		],
	])('leads to one execution when the workflow %s in the end', async (_what, expected, executions, outcome) => {
		// The service's time passes where the test says so: a third attempt would come eight seconds after the second.
		const begun = Date.now();
		await begin({ rateLimit: 0, clock: { now: () => begun } });
		const { workflow, endpointId } = await activeWorkflow();
		let release: () => void = () => undefined;
		n8n.beforeAnswer = async () => {
			await new Promise<void>((resolve) => (release = resolve));
			n8n.beforeAnswer = async () => undefined;
			await outcome();
		};
		const sending = service.send();
		while (n8n.pending === 0) await new Promise((resolve) => setTimeout(resolve, 10));
		await sandbox.control.advance(11);
		// The second attempt: nobody waits for the answer to the first one any more, and nobody knows it yet.
		await sandbox.control.advance(6);
		expect(n8n.itemsOf(workflow)).toEqual([]);
		release();
		await sending;
		await sandbox.control.advance(30);
		const log = await service.deliveries(endpointId);
		expect(log.sort((a, b) => a.attempt - b.attempt).map(({ succeeded }) => succeeded)).toEqual(expected);
		expect(n8n.itemsOf(workflow)).toHaveLength(executions);
	});
});
