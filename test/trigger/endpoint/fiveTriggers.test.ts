import { clock } from '../support/n8nInstance';
import { Scene } from '../support/scene';

const scene = new Scene({ rateLimit: 10, clock });

it('five triggers of one key, all switched off at once and unseen, are back within three minutes for sixteen requests', async () => {
	const { n8n, service, sandbox } = scene;
	n8n.waitsForLook = false;
	for (let n = 0; n < 5; n++) await n8n.activate(n8n.add({ events: ['document.sent'] }));
	await n8n.looked();
	const statuses = async () => {
		await sandbox.control.advance(60);
		return (await service.endpoints()).map(({ status }) => status);
	};
	// The list has just been read, and is the next time in a minute and a half.
	const isListed = async () => (await scene.requestsDuring(async () => await n8n.minutePasses())).length > 0;
	while (!(await isListed()));

	n8n.cutOff();
	for (let event = 0; event < 7; event++) {
		await sandbox.control.advance(60);
		await service.send('Missed', ['ada@example.com']);
	}
	expect(await statuses()).toEqual(Array(5).fill('DISABLED'));
	await sandbox.control.advance(60);
	await n8n.reconnect();

	const since = clock.now();
	const requests: string[] = [];
	while (requests.length === 0) requests.push(...(await scene.requestsDuring(async () => await n8n.minutePasses())));
	expect(clock.now() - since).toBeLessThan(180_000);
	expect(await statuses()).toEqual(Array(5).fill('ACTIVE'));
	const kinds = requests.map((request) => request.replace(/whk_\w+/, 'ID')).sort();
	expect(kinds).toEqual([
		...Array<string>(5).fill('DELETE /webhooks/ID'),
		'GET /webhooks',
		...Array<string>(5).fill('GET /webhooks/ID/deliveries'),
		...Array<string>(5).fill('POST /webhooks'),
	]);
});
