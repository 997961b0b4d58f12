import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { forward, type Passed } from './forward';

/** How the answer to a request is lost, and what becomes of the request. */
export interface Loss {
	/**
	 * The connection breaks, a proxy answers in the place of the service (200 with {}), or the
	 * service refuses (402, 429).
	 */
	how: 'reset' | 200 | 402 | 404 | 429 | 500 | 502 | 503 | 504;
	/** How long the client waits for it, in milliseconds of the clock. */
	afterMs: number;
	/** How long after that the service carries the request out; left out, never. */
	effectMs?: number;
}

const REFUSAL = JSON.stringify({
	error: { code: 'api_not_enabled', message: 'No', requiredPlan: 'BUSINESS' },
});

export interface LateProxy {
	url: string;
	/** Carries out everything that is still to come. */
	settle(): Promise<void>;
	/** Waits for the answers to all that was passed on. */
	answered(): Promise<void>;
	close(): Promise<void>;
}

type Held = { at: number; send: () => Promise<void> };

/** The time by which answers are lost and effects come. */
export interface LateClock {
	now(): number;
	sleep(milliseconds: number): Promise<void>;
	/** Does something at a time, before anybody can see a later one. */
	at(time: number, work: () => Promise<void>): void;
}

/**
 * A stretch of network on which answers are lost while the service is still at work on the request.
 * Requests that are to be carried out late are kept back, and passed on at their time.
 *
 * @param lossOf asked for each request; undefined lets it pass
 */
export async function startLateProxy(
	target: () => string,
	clock: LateClock,
	lossOf: (method: string, path: string, body: string) => Loss | undefined,
): Promise<LateProxy> {
	let held: Held[] = [];
	const underWay = new Set<Promise<void>>();
	let carriedOut: Promise<void> = Promise.resolve();

	/**
	 * What was passed on before is answered first, and whoever asks while something due is carried
	 * out waits for that.
	 */
	const carryOut = async (until: number): Promise<void> => {
		carriedOut = carriedOut.then(async () => {
			await Promise.allSettled(underWay);
			const due = held.filter(({ at }) => at <= until).sort((one, other) => one.at - other.at);
			held = held.filter(({ at }) => at > until);
			for (const { send } of due) await send();
		});
		await carriedOut;
	};

	const passOn = async (request: Passed, outgoing: ServerResponse): Promise<void> => {
		const passed = forward(target(), request).then(
			({ status, headers, body }) => void outgoing.writeHead(status, headers).end(body),
			() => void outgoing.destroy(),
		);
		underWay.add(passed);
		await passed.finally(() => underWay.delete(passed));
	};

	const server = createServer((incoming, outgoing) => {
		void (async () => {
			const { method = 'GET', url: path = '/', headers } = incoming;
			const body = await buffer(incoming);
			await carryOut(clock.now());
			const loss = lossOf(method, path, body.toString('utf8'));
			if (!loss) return await passOn({ method, path, headers, body }, outgoing);
			if (loss.effectMs !== undefined) {
				const send = async () => void (await forward(target(), { method, path, headers, body }));
				const at = clock.now() + loss.afterMs + loss.effectMs;
				held.push({ at, send });
				clock.at(at, async () => await carryOut(at));
			}
			await clock.sleep(loss.afterMs);
			if (loss.how === 'reset') {
				outgoing.destroy();
				return;
			}
			// It goes by the clock of the service: a proxy that does not is another test's.
			outgoing.setHeader('date', new Date(clock.now()).toUTCString());
			if (loss.how === 429) outgoing.setHeader('retry-after', '1');
			if (loss.how === 200 || loss.how === 402)
				outgoing
					.writeHead(loss.how, { 'content-type': 'application/json' })
					.end(loss.how === 402 ? REFUSAL : '{}');
			else outgoing.writeHead(loss.how).end();
		})();
	});
	// Whoever stands still for seconds finds the connection open, as with the service.
	server.keepAliveTimeout = 72_000;
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	return {
		url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
		settle: async () => await carryOut(Infinity),
		answered: async () => await carryOut(clock.now()),
		close: async () => {
			server.closeAllConnections();
			await new Promise((resolve) => server.close(resolve));
		},
	};
}
