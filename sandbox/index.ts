import type { AddressInfo } from 'node:net';
import { createService } from './acts/createService';
import { Timeline, type Clock } from './state/clock';
import { Control } from './controls/client';
import { addKey } from './controls/keys';
import { serveControls } from './controls/serveControls';
import { seed } from './controls/seed';
import { serveDownloads } from './documents/files/serveDownloads';
import { DownloadUrls } from './documents/files/downloadUrls';
import { Faults } from './http/faults';
import { Cursors } from './routes/cursors';
import { RateLimiter } from './http/rateLimit';
import { RequestLog } from './http/requestLog';
import { serveRoutes } from './http/serveRoutes';
import { createServer, type Guards } from './http/server';
import { registerPages } from './pages';
import { allRoutes } from './routes';
import { randomText } from './state/ids';
import { State } from './state/state';
import { DeliveryQueue } from './webhooks/deliveries';
import { WebhookEvents } from './webhooks/events';

export type { Clock } from './state/clock';
export type { Control } from './controls/client';
export type { SandboxService } from './acts/service';

export interface SandboxOptions {
	/** 0, the default, takes any free port. */
	port?: number;
	/** Requests per window and key; default 10, 0 for no limit. */
	rateLimit?: number;
	/** Seconds; default 60. */
	rateWindow?: number;
	/** Starts without templates, embed origins and entitlements. */
	empty?: boolean;
	/** Milliseconds within which a request must have arrived in full; default 60,000. */
	requestTimeout?: number;
	/** Where the time comes from; the computer's clock unless a test holds one still. */
	clock?: Clock;
}

export interface Sandbox {
	/** `http://127.0.0.1:PORT/v1` */
	url: string;
	keys: { live: string; test: string };
	control: Control;
	close(): Promise<void>;
}

const HOST = '127.0.0.1';
const KEY_LENGTH = 32;

/** Starts a copy of the service, on this machine only, with everything in memory. */
export async function startSandbox(options: SandboxOptions = {}): Promise<Sandbox> {
	const state = new State();
	const timeline = new Timeline(options.clock);
	const queue = new DeliveryQueue(state, timeline);
	const world = { state, timeline, events: new WebhookEvents(state, timeline, queue), origin: '' };
	const keys = {
		live: `sk_live_${randomText(KEY_LENGTH)}`,
		test: `sk_test_${randomText(KEY_LENGTH)}`,
	};
	const rules = { limit: options.rateLimit ?? 10, windowSeconds: options.rateWindow ?? 60 };
	const guards: Guards = {
		limiter: new RateLimiter(rules, timeline),
		log: new RequestLog(),
		faults: new Faults(),
	};

	const reset = () => {
		state.clear();
		timeline.reset();
		guards.limiter.clear();
		guards.log.clear();
		guards.faults.clear();
		addKey(world, keys.live, 'LIVE');
		addKey(world, keys.test, 'TEST');
		if (!options.empty) seed(world);
	};
	reset();

	const service = createService(world, queue, () => ({ ...keys }));
	const downloads = new DownloadUrls(world);
	const routes = allRoutes(world, { cursors: new Cursors(), downloads, queue });
	const app = createServer(world, guards, options.requestTimeout);
	const serverUrl = () => `${world.origin}/v1`;
	await app.register(serveRoutes(routes, serverUrl), { prefix: '/v1' });
	await app.register(serveControls(world, service, guards, reset), { prefix: '/_sandbox' });
	await app.register(serveDownloads(downloads));
	registerPages(app, service);
	await app.listen({ host: HOST, port: options.port ?? 0 });
	world.origin = `http://${HOST}:${(app.server.address() as AddressInfo).port}`;
	return {
		url: serverUrl(),
		keys,
		control: new Control(world.origin),
		close: async () => {
			timeline.close();
			await app.close();
		},
	};
}
