import type { IDataObject } from 'n8n-workflow';
import { knownEndpoint } from '../support/n8nInstance';
import { Scene } from '../support/scene';

const scene = new Scene();

/** Documents go out, a second apart, while nobody listens; the service gives up on their events. */
async function missWhileDown(count: number): Promise<string[]> {
	const ids: string[] = [];
	for (let n = 0; n < count; n++) {
		ids.push((await scene.send()).id);
		await scene.sandbox.control.advance(1);
	}
	await scene.sandbox.control.advance(60);
	return ids;
}

it('an activation registers one endpoint with the URL and the events of the trigger, which then fires', async () => {
	const { n8n, service } = scene;
	const { workflow, endpointId } = await scene.activeWorkflow();
	const events = ['document.sent', 'document.completed'];
	const registered = { id: endpointId, url: n8n.productionUrl(workflow), events, mode: 'TEST', status: 'ACTIVE' };
	expect(await service.endpoints()).toMatchObject([registered]);
	const document = await scene.send();
	await scene.sign(document);
	expect(n8n.itemsOf(workflow).map(({ json }) => [json.event, (json.document as IDataObject).id])).toEqual(
		events.map((event) => [event, document.id]),
	);
});

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
	expect(knownEndpoint(workflow).id).toBe(endpointId);
});

it('events missed while n8n was down all arrive at the next start, once each, oldest first, and none at the start after', async () => {
	const { n8n, sandbox } = scene;
	const { workflow } = await scene.activeWorkflow();
	await n8n.kill();
	const missed = await missWhileDown(6);
	for (let starts = 0; starts < 2; starts++) {
		await n8n.start();
		await sandbox.control.advance(0);
		expect(scene.documentsOf(workflow)).toEqual(missed);
		await n8n.kill();
	}
	const replays = (await sandbox.control.requests()).filter(({ path }) => path.endsWith('/replay'));
	expect(replays).toHaveLength(6);
});

it('an event that never arrives does not have the endpoint switched off, however often n8n is started again', async () => {
	const { n8n, sandbox } = scene;
	const { endpointId } = await scene.activeWorkflow();
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
	expect(await scene.service.endpoints()).toMatchObject([{ id: endpointId, status: 'ACTIVE' }]);
	const refused = scene.logged.filter((line) => line.includes('no event is replayed until a delivery arrives'));
	expect(refused).toHaveLength(5);
	for (const document of missed) expect(refused.at(-1)).toContain(document);
});

it('a start without the service puts an endpoint back that turns out to have been switched off, once it answers', async () => {
	const { n8n, sandbox, service, logged } = scene;
	const { workflow, endpointId } = await scene.activeWorkflow();
	await n8n.kill();
	await missWhileDown(10);
	const lost = await service.deliveries(endpointId);
	await sandbox.control.fault({ method: 'GET', path: '/webhooks', when: 'before', kind: 'drop', times: 1_000 });
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
	const { id } = await scene.send();
	expect(scene.documentsOf(workflow)).toEqual([id]);
});

it('an endpoint that somebody deletes is put back within the hour, found at the next start, and goes with the trigger', async () => {
	const { n8n, service } = scene;
	const { workflow, endpointId } = await scene.activeWorkflow();
	await service.deleteEndpoint(endpointId);
	await n8n.hourPasses();
	const { id } = knownEndpoint(workflow);
	expect(await service.endpoints()).toMatchObject([{ id, url: n8n.productionUrl(workflow), status: 'ACTIVE' }]);
	await n8n.kill();
	await n8n.start();
	expect(await service.endpoints()).toMatchObject([{ id }]);
	const document = await scene.send();
	expect(scene.documentsOf(workflow)).toEqual([document.id]);
	await n8n.deactivate(workflow);
	expect(await service.endpoints()).toEqual([]);
});
