import { forEachOf } from '../../../harness/serviceClient';
import { newMessage, seal } from '../../../nodes/ESign/waiting/message';
import { storedWaits, WaitStage } from '../../actions/support/waitStage';
import { byId } from '../../actions/support/workbench';
import { deliver } from '../support/deliveries';
import { clock, storedOf } from '../support/n8nInstance';

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
	const [{ owner } = {}] = Object.values(storedOf(workflow, 'endpoint'));

	for (let hour = 0; hour < 4; hour++) {
		const at = Date.now() + 1_000 + hour;
		const over = Array.from({ length: 600 }, (_, number) => `${hour}-${number}`);
		const until = at + 86_400_000;
		const waits = over.map((one) => ({ id: one, key: one, resume: '', documents: [], isOver: true, until, at }));
		await deliver(
			stage.n8n.trigger.productionUrl(workflow),
			JSON.stringify({ sealed: seal(newMessage({ owner: String(owner), state: { wait: waits } }), stage.sharedKey()) }),
			{},
		);
		await stage.n8n.trigger.hourPasses();
	}
	expect(Object.keys(storedWaits(workflow))).toContain(id);
	expect(Object.keys(storedWaits(workflow)).length).toBeLessThan(1_000);
});
