import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { scheduleFor } from '../../../nodes/ESign/trigger/endpoint/watch';
import { storedOf } from '../support/n8nInstance';
import { endpointOf, sceneForEachTest, type StoredWorkflow } from '../support/scene';

const scene = sceneForEachTest();

/** An active workflow whose trigger has looked once. */
async function running(parameters: INodeParameters = {}) {
	const active = await scene().activeWorkflow(parameters);
	scene().logged.length = 0;
	return active;
}

/** Documents go out while nothing reaches n8n; the service gives up on their events. */
async function missWhileCutOff(count: number): Promise<string[]> {
	const { n8n, service, sandbox } = scene();
	const ids: string[] = [];
	await n8n.cutOff();
	for (let n = 0; n < count; n++) {
		ids.push((await service.send()).id);
		await sandbox.control.advance(1);
	}
	await sandbox.control.advance(60);
	await n8n.reconnect();
	return ids;
}

/** The one endpoint at the service, which has to be active, ours, and the one that n8n holds. */
async function expectInPlace(workflow: StoredWorkflow): Promise<string> {
	const { n8n, service } = scene();
	const endpoints = await service.endpoints();
	expect(endpoints).toMatchObject([
		{ id: endpointOf(workflow).id, url: n8n.productionUrl(workflow), status: 'ACTIVE' },
	]);
	const before = n8n.itemsOf(workflow).length;
	await service.send();
	expect(n8n.itemsOf(workflow)).toHaveLength(before + 1);
	return endpointOf(workflow).id;
}

const errors = () => scene().logged.filter((line) => line.startsWith('error'));

describe('While n8n runs on, an endpoint', () => {
	it('that the service switched off is put back within the hour, and the log tells what to reconcile', async () => {
		const { n8n, service, logged } = scene();
		const { workflow, endpointId } = await running();
		await missWhileCutOff(10);
		expect(await service.endpoints()).toMatchObject([{ id: endpointId, status: 'DISABLED' }]);
		const lost = await service.deliveries(endpointId);
		await n8n.hourPasses();

		expect(await expectInPlace(workflow)).not.toBe(endpointId);
		const warnings = logged.filter((line) => line.startsWith('warn')).join('\n');
		expect(warnings).toContain(`webhook ${endpointId} is to be replaced: the service had switched it off`);
		for (const { event_id } of lost) expect(warnings).toContain(event_id);
		expect(warnings).toMatch(/changed between .* "Reconcile missed events"/);
		expect(logged.join('\n')).not.toContain(endpointOf(workflow).secret);
	});

	it('that somebody deleted is put back, and a second time as well', async () => {
		const { n8n, service } = scene();
		const { workflow } = await running();
		for (let times = 0; times < 2; times++) {
			await service.deleteEndpoint(endpointOf(workflow).id);
			await n8n.hourPasses();
			await expectInPlace(workflow);
		}
	});

	it('that somebody deleted is put back, and the log tells for which time events may be lost', async () => {
		const { n8n, service, logged } = scene();
		const { workflow, endpointId } = await running();
		await service.send();
		await n8n.hourPasses();
		const [lastRead] = await service.deliveries(endpointId);
		await service.deleteEndpoint(endpointId);
		await n8n.hourPasses();
		expect(logged.filter((line) => line.startsWith('warn'))).toEqual([
			expect.stringMatching(
				new RegExp(`webhook ${endpointId} is gone: .* changed between ${lastRead?.created_at} and .*Reconcile`),
			),
		]);
		await expectInPlace(workflow);
	});

	it('that somebody deleted while n8n was down is put back, and the log tells the time since it was made', async () => {
		const { n8n, service, logged } = scene();
		const { workflow, endpointId } = await running();
		const madeAt = new Date(Number(storedOf(workflow, 'endpoint')[endpointId]?.at)).toISOString();
		await n8n.kill();
		await service.deleteEndpoint(endpointId);
		await n8n.start();
		const lines = logged.filter((line) => /webhook \S+ is gone/.test(line));
		expect(lines).toEqual([expect.stringContaining(`changed between ${madeAt} and `)]);
		await expectInPlace(workflow);
	});

	it('that an old copy of the static data names and that was deleted with the trigger is not said to be gone', async () => {
		const { n8n, logged } = scene();
		const { workflow, endpointId } = await running();
		const old = structuredClone(workflow.staticData);
		await n8n.deactivate(workflow);
		await n8n.activate(workflow);
		expect(endpointOf(workflow).id).not.toBe(endpointId);
		Object.assign(workflow.staticData.global as IDataObject, old.global);
		await n8n.hourPasses();
		expect(logged.filter((line) => /is gone/.test(line))).toEqual([]);
	});

	it('is put back when all five places are taken, its own by the one that was switched off', async () => {
		const { n8n, service } = scene();
		const { workflow } = await running();
		await missWhileCutOff(10);
		for (const n of [1, 2, 3, 4]) await service.addEndpoint(`https://example.com/${n}`, ['document.expired']);
		await n8n.hourPasses();
		const ours = (await service.endpoints()).filter(({ url }) => url === n8n.productionUrl(workflow));
		expect(ours).toMatchObject([{ id: endpointOf(workflow).id, status: 'ACTIVE' }]);
	});

	it('that was put back is deleted with the trigger, and found in place at the next start', async () => {
		const { n8n, service } = scene();
		const { workflow } = await running();
		await service.deleteEndpoint(endpointOf(workflow).id);
		await n8n.hourPasses();
		const id = await expectInPlace(workflow);
		await n8n.kill();
		await n8n.start();
		expect(await expectInPlace(workflow)).toBe(id);
		await n8n.deactivate(workflow);
		expect(await service.endpoints()).toEqual([]);
	});

	it('whose secret nobody knows is replaced', async () => {
		const { n8n, service } = scene();
		const { workflow } = await running();
		await service.deleteEndpoint(endpointOf(workflow).id);
		const { id } = await service.addEndpoint(n8n.productionUrl(workflow), ['document.sent', 'document.completed']);
		await n8n.hourPasses();
		expect(await expectInPlace(workflow)).not.toBe(id);
	});

	it('is known again where an old copy of the static data was put back, and to the next process too', async () => {
		const { n8n } = scene();
		const { workflow } = await running();
		workflow.staticData = {};
		await n8n.hourPasses();
		const id = await expectInPlace(workflow);
		await n8n.kill();
		await n8n.start();
		expect(await expectInPlace(workflow)).toBe(id);
	});
});

describe('An hourly check', () => {
	it.each([
		[true, ['GET /webhooks', 'GET /webhooks/ID/deliveries']],
		[false, ['GET /webhooks']],
	])('of an endpoint that is in place, with replays %s, costs %j and logs nothing', async (replayMissed, expected) => {
		const { n8n, logged } = scene();
		const { endpointId } = await running({ options: { replayMissed } });
		for (let hours = 0; hours < 2; hours++) {
			const requests = await scene().requestsDuring(async () => await n8n.hourPasses());
			expect(requests.map((request) => request.replace(endpointId, 'ID'))).toEqual(expected);
		}
		expect(logged).toEqual([]);
	});

	it('has events replayed that the service gave up, oldest first', async () => {
		const { n8n, sandbox } = scene();
		const { workflow } = await running();
		const missed = await missWhileCutOff(3);
		await n8n.hourPasses();
		await sandbox.control.advance(0);
		expect(scene().documentsOf(workflow)).toEqual(missed);
	});

	it('leaves an event to the service that the service still tries', async () => {
		const { n8n, service, sandbox } = scene();
		const { workflow } = await running();
		await n8n.cutOff();
		await service.send();
		await n8n.reconnect();
		const requests = await scene().requestsDuring(async () => await n8n.hourPasses());
		expect(requests.filter((request) => request.startsWith('POST'))).toEqual([]);
		await sandbox.control.advance(6);
		expect(n8n.itemsOf(workflow)).toHaveLength(1);
	});

	it('with the service down is logged once and left for the next hour', async () => {
		const { n8n, service, sandbox } = scene();
		const { workflow } = await running();
		await service.deleteEndpoint(endpointOf(workflow).id);
		const down = { method: '*', path: '/webhooks', when: 'before', kind: 'status', status: 503, times: 1_000 } as const;
		await sandbox.control.fault(down);
		await n8n.hourPasses();
		expect(errors()).toEqual([expect.stringMatching(/the webhook could not be checked/)]);
		await sandbox.control.clearFaults();
		await n8n.hourPasses();
		await expectInPlace(workflow);
	});

	it('that could not make the new endpoint is left for the next hour', async () => {
		const { n8n, service, sandbox } = scene();
		const { workflow } = await running();
		await missWhileCutOff(10);
		await sandbox.control.fault({
			method: 'POST',
			path: '/webhooks',
			when: 'before',
			kind: 'status',
			status: 403,
			times: 1,
		});
		await n8n.hourPasses();
		expect(errors()).toHaveLength(1);
		expect(await service.endpoints()).toMatchObject([{ status: 'DISABLED' }]);
		await n8n.hourPasses();
		await expectInPlace(workflow);
	});

	it('changes nothing while n8n cannot be reached at its own address', async () => {
		const { n8n, service } = scene();
		const { workflow, endpointId } = await running();
		await missWhileCutOff(10);
		await n8n.cutOff();
		await n8n.hourPasses();
		expect(await service.endpoints()).toMatchObject([{ id: endpointId, status: 'DISABLED' }]);
		expect(errors()).toEqual([expect.stringMatching(/gone or switched off, and is registered again once n8n answers/)]);
		await n8n.reconnect();
		await n8n.hourPasses();
		await expectInPlace(workflow);
	});

	it.each([1, 2])(
		'during which the workflow is deactivated leaves no endpoint behind (at request %d to n8n)',
		async (nth) => {
			const { n8n, service } = scene();
			const { workflow } = await running();
			await service.deleteEndpoint(endpointOf(workflow).id);
			let requests = 0;
			let deactivated: Promise<void> | undefined;
			n8n.beforeRequest = async () => {
				if (++requests === nth) await (deactivated = n8n.deactivate(workflow));
			};
			await n8n.hourPasses();
			await deactivated;
			expect(requests).toBe(nth);
			expect(errors()).toEqual([]);
			expect(await service.endpoints()).toEqual([]);
		},
	);

	it('of a trigger that was deactivated and activated again is made by the new one alone', async () => {
		const { n8n } = scene();
		const { workflow } = await running();
		await n8n.deactivate(workflow);
		await n8n.activate(workflow);
		const requests = await scene().requestsDuring(async () => await n8n.hourPasses());
		expect(requests.filter((request) => request === 'GET /webhooks')).toHaveLength(1);
	});

	it('has a second of the hour of its own', () => {
		const expressions = Array.from({ length: 50 }, (_, n) => scheduleFor(`instance/workflow-${n}/node`).hourly);
		for (const expression of expressions) expect(expression).toMatch(/^[1-5]?\d [1-5]?\d \* \* \* \*$/);
		expect(new Set(expressions).size).toBeGreaterThan(45);
	});
});

describe('A test listener', () => {
	it('that fails, or is stopped before it has begun, leaves the hourly look of the published trigger alone', async () => {
		const { n8n, service, sandbox } = scene();
		const { workflow } = await running();
		await sandbox.control.fault({
			method: 'POST',
			path: '/webhooks',
			when: 'before',
			kind: 'status',
			status: 403,
			times: 1,
		});
		await expect(n8n.listen(workflow)).rejects.toThrow();
		await n8n.stopListening(workflow);
		await service.deleteEndpoint(endpointOf(workflow).id);
		await n8n.hourPasses();
		await expectInPlace(workflow);
	});
});

describe('An activation whose first try fails', () => {
	it('has its hourly look all the same', async () => {
		const { n8n, service, sandbox } = scene();
		const workflow = scene().add();
		const failing = {
			method: 'GET',
			path: '/webhooks',
			when: 'before',
			kind: 'status',
			status: 401,
			times: 1,
		} as const;
		await sandbox.control.fault(failing);
		n8n.triesToActivate = 2;
		await n8n.activate(workflow);
		await service.deleteEndpoint(endpointOf(workflow).id);
		await n8n.hourPasses();
		await expectInPlace(workflow);
	});
});
