import { clock, storedOf, type StoredWorkflow } from '../support/n8nInstance';
import { Scene } from '../support/scene';

const scene = new Scene();

it('who listens for a test event beside the active workflow gets it too, and leaves the production endpoint alone', async () => {
	const { n8n, service } = scene;
	const { workflow, endpointId } = await scene.activeWorkflow();
	await n8n.listen(workflow);
	// Again, as after a crash: what was left behind serves.
	await n8n.listen(workflow);
	expect(await service.endpoints()).toHaveLength(2);
	await scene.send();
	expect(n8n.executions.map(({ test }) => test).sort()).toEqual([false, true]);
	await n8n.stopListening(workflow);
	expect(await service.endpoints()).toMatchObject([{ id: endpointId }]);
	expect(Object.keys(storedOf(workflow, 'endpoint'))).toEqual([endpointId]);
});

it('an event that never arrives does not have the endpoint switched off, however often n8n is started again', async () => {
	const { n8n, sandbox } = scene;
	const { endpointId } = await scene.activeWorkflow();
	await n8n.kill();
	const missed = [
		await scene.send(),
		await scene.send(),
		await scene.send(),
		await scene.send(),
		await scene.send(),
	];
	await sandbox.control.advance(60);
	n8n.beforeAnswer = async () => {
		throw new Error('The database is down');
	};
	for (let starts = 0; starts < 6; starts++) {
		await n8n.start();
		await sandbox.control.advance(60);
		await n8n.kill();
	}
	expect(await scene.service.endpoints()).toMatchObject([{ id: endpointId, status: 'ACTIVE' }]);
	n8n.beforeAnswer = async () => undefined;
	await n8n.start();
	const ran = n8n.executions.map(({ item }) => (item.json.document as { id: string }).id);
	expect(ran.sort()).toEqual(missed.map(({ id }) => id).sort());
});

it('failures of several short outages do not add up to twenty, at which the endpoint goes off', async () => {
	const { n8n, service, sandbox } = scene;
	const { endpointId } = await scene.activeWorkflow();
	for (let night = 1; night <= 3; night++) {
		await n8n.kill();
		for (let event = 0; event < 3; event++) await service.send('Missed', ['ada@example.com']);
		await sandbox.control.advance(60);
		await n8n.start();
		await sandbox.control.advance(0);
		expect(n8n.executions).toHaveLength(3 * night);
	}
	expect(await service.endpoints()).toMatchObject([{ id: endpointId, status: 'ACTIVE' }]);
});

it('an outage that begins and ends unseen leaves the endpoint off for three minutes at most, and all of it runs', async () => {
	const { n8n, service, sandbox, logged } = scene;
	const { endpointId } = await scene.activeWorkflow();
	n8n.cutOff();
	for (let event = 0; event < 10; event++) await service.send('Missed', ['ada@example.com']);
	await sandbox.control.advance(60);
	expect(await service.endpoints()).toMatchObject([{ id: endpointId, status: 'DISABLED' }]);
	await n8n.reconnect();
	for (let minute = 1; minute <= 2; minute++) await n8n.minutePasses();
	expect(await service.endpoints()).toMatchObject([{ status: 'ACTIVE' }]);
	await scene.send();
	expect(n8n.executions).toHaveLength(11);
	expect(logged.join()).not.toContain('was not run');
});

it('what an endpoint that was switched off has missed runs also where n8n is not reached right after its start', async () => {
	const { n8n, service, sandbox, logged } = scene;
	await scene.activeWorkflow();
	await n8n.kill();
	for (let event = 0; event < 10; event++) await service.send('Missed', ['ada@example.com']);
	await sandbox.control.advance(60);
	n8n.waitsForLook = false;
	await n8n.start();
	n8n.cutOff();
	await n8n.looked();
	await n8n.reconnect();
	for (let minute = 1; minute <= 2; minute++) await n8n.minutePasses();
	expect(n8n.executions.length).toBeGreaterThanOrEqual(7);
	expect(await service.endpoints()).toMatchObject([{ status: 'ACTIVE' }]);
	expect(logged.join()).not.toContain('was not run');
});

it('an event that was answered before n8n had it, and n8n was killed, runs after the next start', async () => {
	const { n8n, service, sandbox } = scene;
	const { endpointId } = await scene.activeWorkflow();
	n8n.beforeAnswer = async () => await new Promise(() => undefined);
	const sending = scene.send();
	while (n8n.pending === 0) await new Promise((resolve) => setTimeout(resolve, 5));
	await clock.pass(8_000);
	await sending;
	expect(await service.deliveries(endpointId)).toMatchObject([{ succeeded: true }]);
	await n8n.kill();
	n8n.beforeAnswer = async () => undefined;
	await sandbox.control.advance(60);
	await n8n.start();
	expect(n8n.executions).toHaveLength(1);
});

it('a missed event that another process answered for before n8n had it, and n8n failed there, runs later', async () => {
	const { n8n, sandbox } = scene;
	await scene.activeWorkflow();
	await n8n.kill();
	await scene.send();
	await sandbox.control.advance(60);
	n8n.inQueueMode = true;
	n8n.waitsForLook = false;
	let fail: () => void = () => undefined;
	n8n.beforeAnswer = async () =>
		await new Promise((_, reject) => (fail = () => reject(new Error('Redis is away'))));
	await n8n.start();
	const looked = n8n.looked();
	while (n8n.pending === 0) await new Promise((resolve) => setTimeout(resolve, 5));
	await clock.pass(8_000);
	await looked;
	n8n.beforeAnswer = async () => undefined;
	fail();
	for (let minute = 0; minute < 2; minute++) await n8n.minutePasses();
	expect(n8n.executions).toHaveLength(1);
});

describe('What was answered before n8n had it, and n8n failed after its endpoint was replaced, runs', () => {
	/** An event is answered early at an endpoint that is replaced then; n8n fails after that. */
	async function failAfter(replace: (workflow: StoredWorkflow) => Promise<void>) {
		const { n8n, service } = scene;
		const { workflow, endpointId } = await scene.activeWorkflow();
		let fail: () => void = () => undefined;
		n8n.beforeAnswer = async () =>
			await new Promise((_, reject) => (fail = () => reject(new Error('Redis is away'))));
		const sending = scene.send();
		while (n8n.pending === 0) await new Promise((resolve) => setTimeout(resolve, 5));
		await clock.pass(8_000);
		await sending;
		workflow.node.parameters.events = ['document.sent'];
		await replace(workflow);
		const listed = await service.endpoints();
		expect(listed).toMatchObject([{ events: ['document.sent'], status: 'ACTIVE' }]);
		expect(listed.map(({ id }) => id)).not.toContain(endpointId);
		n8n.beforeAnswer = async () => undefined;
		fail();
		for (let minute = 0; minute < 2; minute++) await n8n.minutePasses();
		expect(n8n.executions).toHaveLength(1);
		expect(scene.logged.join()).not.toContain('was not run');
	}

	it.each([
		['one process', false],
		['queue mode', true],
	])('by an unpublishing and a publishing, in %s', async (_mode, inQueueMode) => {
		const { n8n } = scene;
		n8n.inQueueMode = inQueueMode;
		await failAfter(async (workflow) => {
			// n8n 2.41 takes a trigger that was changed away before it adds it (WorkflowPublicationApplier).
			await n8n.deactivate(workflow);
			await n8n.activate(workflow, 'update');
		});
	});

	it('by a look', async () => {
		await failAfter(async (workflow) => await scene.n8n.activate(workflow, 'update'));
	});
});
