import { storedOf } from '../support/n8nInstance';
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
	const refused = scene.logged.filter((line) =>
		line.includes('no event is replayed until a delivery arrives'),
	);
	expect(refused).toHaveLength(5);
	for (const { id } of missed) expect(refused.at(-1)).toContain(id);
});

it('an outage that begins and ends unseen leaves the endpoint off for three minutes at most, and names what may not have run', async () => {
	const { n8n, service, sandbox, logged } = scene;
	const { endpointId } = await scene.activeWorkflow();
	n8n.cutOff();
	for (let event = 0; event < 10; event++) await service.send('Missed', ['ada@example.com']);
	await sandbox.control.advance(60);
	expect(await service.endpoints()).toMatchObject([{ id: endpointId, status: 'DISABLED' }]);
	await n8n.reconnect();
	for (let minute = 1; minute <= 2; minute++) await n8n.minutePasses();
	expect(await service.endpoints()).toMatchObject([{ status: 'ACTIVE' }]);
	expect(logged.filter((line) => line.includes('may not have run: document.sent'))).toHaveLength(
		10,
	);
	await scene.send();
	expect(n8n.executions).toHaveLength(1);
});
