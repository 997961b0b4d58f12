import { clock } from '../support/n8nInstance';
import { Scene } from '../support/scene';

const scene = new Scene({ rateLimit: 10, clock });

const statuses = async () => {
	await scene.sandbox.control.advance(60);
	return (await scene.service.endpoints()).map(({ status }) => status);
};

it('five triggers of one key, all switched off at once and unseen, are back within three minutes for sixteen requests', async () => {
	const { n8n, service, sandbox } = scene;
	n8n.waitsForLook = false;
	for (let n = 0; n < 5; n++) await n8n.activate(n8n.add({ events: ['document.sent'] }));
	await n8n.looked();
	// The list has just been read, and is the next time in a minute and a half.
	const isListed = async () =>
		(await scene.requestsDuring(async () => await n8n.minutePasses())).length > 0;
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
	while (requests.length === 0)
		requests.push(...(await scene.requestsDuring(async () => await n8n.minutePasses())));
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

it.each([1, 5])(
	'five triggers whose n8n has moved, and whose endpoints at the old address have missed %d events, all get another',
	async (events) => {
		const { n8n, service, sandbox } = scene;
		n8n.waitsForLook = false;
		// A minute of the limit for each, by both clocks.
		for (let n = 0; n < 5; n++) {
			await Promise.all([clock.pass(60_000), sandbox.control.advance(60)]);
			await n8n.activate(n8n.add({ events: ['document.sent'] }));
		}
		await n8n.looked();
		await n8n.kill();
		for (let event = 0; event < events; event++) {
			await service.send('Missed', ['ada@example.com']);
			await sandbox.control.advance(60);
		}
		// One place is free: whoever takes it leaves the old endpoint behind, which is then in the way
		// of another.
		await service.deleteEndpoint((await service.endpoints())[0]?.id ?? '');
		await n8n.move();
		await scene.refuse('/webhooks', 403, 10);
		await n8n.start();
		await n8n.looked();
		await sandbox.control.clearFaults();
		const isBack = async () => {
			const listed = await service.endpoints();
			return n8n.active.every((one) => listed.some(({ url }) => url === n8n.productionUrl(one)));
		};
		for (let minute = 0; minute < 5; minute++) {
			await sandbox.control.advance(60);
			await n8n.minutePasses();
		}
		expect([await isBack(), await statuses()]).toEqual([true, Array(5).fill('ACTIVE')]);
	},
);
