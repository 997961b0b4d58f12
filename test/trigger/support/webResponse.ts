import { client } from '../../../nodes/ESign/client';
import type { Responder } from '../../../nodes/ESign/trigger/delivery/responder';

/** A response of n8n's web server, as far as the trigger sees it. */
export class WebResponse implements Responder {
	statusCode = 200;
	writableFinished = false;
	headersSent = false;
	destroyed = false;
	readonly sent: string[] = [];
	private readonly onClose: Array<() => void> = [];

	status(code: number) {
		this.statusCode = code;
		return { send: (body: string) => this.end(body) };
	}

	once(_event: 'finish' | 'close', listener: () => void) {
		this.onClose.push(listener);
	}

	end = (...given: unknown[]): unknown => {
		this.sent.push(`${this.statusCode} ${String(given[0])}`);
		this.headersSent = this.writableFinished = true;
		this.close();
		return this;
	};

	close() {
		this.destroyed = true;
		for (const listener of this.onClose.splice(0)) listener();
	}
}

/** Makes what sleeps by the client's clock sleep until it is let go. @returns what lets the newest sleeper go */
export function stopClock(): () => void {
	let time = 0;
	let wake = () => {};
	const sleep = async (ms: number, signal?: AbortSignal) =>
		await new Promise<void>((resolve) => {
			wake = () => {
				time += ms;
				resolve();
			};
			signal?.addEventListener('abort', () => resolve());
		});
	Object.assign(client.settings, { clock: { now: () => time, sleep } });
	return () => wake();
}
