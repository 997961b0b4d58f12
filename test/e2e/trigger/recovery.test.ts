import { createServer, request as send, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { NIGHTLY } from '../../support/nightly';
import { startGateway, type Gateway } from '../../support/gateway';
import { until } from '../../support/processes/until';
import { forEachOf } from '../../support/serviceClient';
import { eventsOf, Runs } from '../support/runs';
import { setStage, STAGE_TIMEOUT_MS, type Stage } from '../support/stage';

/** Of three attempts each: more than twenty failures, so that the old endpoint is switched off. */
const EVENTS = 8;

const SIGNALS = NIGHTLY ? ['SIGKILL', 'SIGTERM'] : ['SIGKILL'];

describe.each(SIGNALS)('A trigger that was away and has moved, and %s', (signal) => {
	let stage: Stage;
	let before: Gateway;
	let after: Gateway;

	beforeAll(async () => {
		stage = await setStage({
			toN8n: async (n8n) => {
				after = await startGateway(n8n);
				return (before = await startGateway(n8n));
			},
		});
	}, STAGE_TIMEOUT_MS);
	afterAll(async () => {
		await stage?.close();
		await after?.close();
	});

	it('in the middle of the recovery: it runs all that it missed, each once, without a replay', async () => {
		const { n8n, service, sandbox } = stage;
		const runs = await Runs.ofTrigger(stage, { events: ['document.sent'] });
		await runs.publish();
		await n8n.kill();
		before.set('down');
		const documents: string[] = [];
		await forEachOf(EVENTS, EVENTS, async (n) => {
			documents.push((await service.send(`Away ${n}`, [`p${n}@example.com`])).id);
		});
		await sandbox.control.advance(60);

		Object.assign(n8n['settings'].env, { WEBHOOK_URL: after.url });
		await n8n.start();
		const hasBegun = async () => n8n.logs.includes('was run from the delivery log') || undefined;
		await until('the recovery to begin', hasBegun, 240_000);
		if (signal === 'SIGKILL') await n8n.kill();
		else await n8n.stop();
		await n8n.start();

		const ran = async () => eventsOf(await runs.settled(0)).map(({ document }) => document.id);
		const isCrashed = ({ status }: { status: string }) => status === 'crashed';
		await until(
			'every event to have run',
			async () => {
				const crashed = (await runs.list()).filter(isCrashed).length;
				return (await ran()).length + crashed >= EVENTS || undefined;
			},
			240_000,
		);
		const ids = await ran();
		expect(new Set(ids).size).toBe(ids.length);
		expect(documents).toEqual(expect.arrayContaining(ids));
		const requests = await sandbox.control.requests();
		expect(requests.filter(({ path }) => path.endsWith('/replay'))).toEqual([]);
		await runs.end();
	}, 900_000);
});

/** A forward proxy that refuses what goes to one port. */
async function startForwardProxy(isRefused: (url: URL) => boolean): Promise<Server> {
	const server = createServer((incoming, outgoing) => {
		const url = new URL(incoming.url ?? '', 'http://127.0.0.1');
		if (isRefused(url)) return void outgoing.writeHead(403).end('Forbidden');
		const { method, headers } = incoming;
		const passed = send(url, { method, headers }, (answer) => {
			outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
			answer.pipe(outgoing);
		});
		passed.on('error', () => outgoing.destroy());
		incoming.pipe(passed);
	});
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	return server;
}

describe('An n8n behind a proxy that lets through everything but its own port', () => {
	let stage: Stage;
	let proxy: Server;

	beforeAll(async () => {
		const ownPort = () => new URL(stage?.n8n.url ?? 'http://127.0.0.1:1').port;
		proxy = await startForwardProxy(({ port }) => port === ownPort());
		const { port } = proxy.address() as AddressInfo;
		stage = await setStage({ env: { HTTP_PROXY: `http://127.0.0.1:${port}` } });
	}, STAGE_TIMEOUT_MS);
	afterAll(async () => {
		await stage?.close();
		proxy?.close();
	});

	it('says that its endpoint is gone, and has another one within three minutes, once an event has arrived', async () => {
		const { n8n, service } = stage;
		const runs = await Runs.ofTrigger(stage, { events: ['document.sent'] });
		await runs.publish();
		const [endpoint] = await service.endpoints();
		await service.deleteEndpoint(endpoint?.id ?? '');
		const says = async () => n8n.logs.includes('is registered again once n8n answers') || undefined;
		await until('the log to say so', says, 120_000);

		// The next activation registers another one, which an event proves.
		await runs.end();
		await runs.publish();
		await service.send('Proof', ['ada@example.com']);
		await runs.settled(1);
		const [other] = await service.endpoints();
		await service.deleteEndpoint(other?.id ?? '');
		const isBack = async () => (await service.endpoints())[0];
		expect(await until('another endpoint', isBack, 180_000)).toMatchObject({ status: 'ACTIVE' });
		await service.send('After', ['ada@example.com']);
		expect(eventsOf(await runs.settled(2))).toHaveLength(2);
		await runs.end();
	}, 600_000);
});
