import type { IDataObject } from 'n8n-workflow';
import { forEachOf } from '../../../harness/serviceClient';
import { newMessage, seal } from '../../../nodes/ESign/transport';
import { WaitStage } from '../../actions/support/waitStage';
import { byId } from '../../actions/support/workbench';
import { deliver } from '../support/deliveries';
import { clock } from '../support/n8nInstance';

const stage = WaitStage.ofThisFile();

it('an execution goes on at the hourly look although the webhook of the trigger cannot be put back', async () => {
	await stage.n8n.publish();
	const document = await stage.send('Contract');
	const { id } = await stage.n8n.wait({ documentId: byId(document.id) });
	const { data } = await stage.service.api<{ data: Array<{ id: string }> }>('GET', '/webhooks');
	for (const endpoint of data) await stage.service.api('DELETE', `/webhooks/${endpoint.id}`);
	for (let place = 0; place < 5; place++) {
		await stage.service.api('POST', '/webhooks', {
			url: `https://elsewhere.example/${place}`,
			events: ['document.completed'],
		});
	}
	await stage.sign(document);
	await stage.n8n.trigger.hourPasses();
	expect((await stage.goneOn(id)).items).toMatchObject([{ json: { status: 'completed' } }]);
});

it('an event ends the pause before the next call of an execution that could not ask the service', async () => {
	await stage.n8n.publish();
	const documents = [await stage.send('One'), await stage.send('Two')] as const;
	const items = documents.map((document) => ({ json: { id: document.id } }));
	const { id } = await stage.n8n.wait({ documentId: byId('={{ $json.id }}') }, items);
	await stage.sandbox.control.fault({
		method: 'GET',
		path: '/documents/*',
		when: 'before',
		kind: 'status',
		status: 403,
		times: 1000,
	});
	await stage.sign(documents[0]);
	// Nine calls, the last two minutes after the one before: the next one is five minutes away.
	await stage.eventually('nine calls', () => (stage.n8n.calls.length === 9 ? true : undefined));
	await stage.sandbox.control.clearFaults();
	const calls = stage.n8n.calls.length;
	await stage.sign(documents[1]);
	await clock.pass(20_000);
	expect((await stage.goneOn(id)).items).toMatchObject([
		{ json: { status: 'completed' } },
		{ json: { status: 'completed' } },
	]);
	// Another may follow, which looks whether n8n has let it go on.
	expect(stage.n8n.calls.slice(calls).filter(({ status }) => status === 200)).toHaveLength(1);
});

it('the hourly look does not read through all newer documents for an old one', async () => {
	await stage.n8n.publish();
	const document = await stage.send('Old');
	await stage.n8n.wait({ documentId: byId(document.id) });
	const template = await stage.service.api<{ data: Array<{ id: string; roles: Array<{ role: string }> }> }>(
		'GET',
		'/templates',
	);
	const [{ id, roles } = { id: '', roles: [] }] = template.data;
	const recipients = roles.map(({ role }) => ({ role, name: role, email: `${role.toLowerCase()}@example.com` }));
	await forEachOf(250, 5, async () => await stage.service.api('POST', `/templates/${id}/send`, { recipients }));
	const before = (await stage.sandbox.control.requests()).length;
	await stage.n8n.trigger.hourPasses();
	await clock.pass(1_000);
	const requests = (await stage.sandbox.control.requests())
		.slice(before)
		.map(({ method, path }) => `${method} ${path}`);
	expect(requests.filter((path) => path.includes('/documents')).length).toBeLessThanOrEqual(2);
});

it('an execution that waits for long is not crowded out by those that have gone on, in queue mode', async () => {
	stage.n8n.trigger.inQueueMode = true;
	const workflow = await stage.n8n.publish();
	const document = await stage.send('Long');
	const { id } = await stage.n8n.wait({ documentId: byId(document.id) });
	const stored = () => workflow.staticData[`node:${workflow.node.name}`] as IDataObject;
	const [, endpoint] = Object.entries(stored()).find(([key]) => key.startsWith('endpoint:')) ?? [];
	const { owner } = endpoint as { owner: string };

	for (let hour = 0; hour < 4; hour++) {
		const at = Date.now() + 1_000 + hour;
		const over = Array.from({ length: 600 }, (_, number) => `${hour}-${number}`);
		const members = Object.fromEntries(
			over.map((one) => [`wait:${one}`, { id: one, key: one, url: 'over', documents: [], until: at + 86_400_000, at }]),
		);
		await deliver(
			stage.n8n.trigger.productionUrl(workflow),
			JSON.stringify({ sealed: seal(newMessage({ owner, members }), stage.sharedKey()) }),
			{},
		);
		await stage.n8n.trigger.hourPasses();
	}
	expect(Object.keys(stored())).toContain(`wait:${id}`);
	expect(Object.keys(stored()).length).toBeLessThan(1_000);
});
