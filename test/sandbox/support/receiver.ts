import type { IncomingHttpHeaders } from 'node:http';
import { startScripted, type ScriptedService } from '../../client/support/scriptedService';

export interface Received {
	headers: IncomingHttpHeaders;
	body: string;
	payload: {
		id: string;
		event: string;
		mode: string;
		document: Record<string, unknown>;
		recipient?: Record<string, string>;
	};
}

/** An HTTP server that takes deliveries and answers as it is set to. */
export class Receiver {
	readonly received: Received[] = [];
	/** Status and body of the next answers; null never answers. */
	answer: { status: number; body: string } | null = { status: 200, body: 'ok' };
	private server!: ScriptedService;

	/** A new one for each of the tests around this call. */
	static forTests(): () => Receiver {
		let receiver: Receiver;
		beforeEach(async () => {
			receiver = await Receiver.open();
		});
		afterEach(() => receiver.close());
		return () => receiver;
	}

	static async open(): Promise<Receiver> {
		const receiver = new Receiver();
		receiver.server = await startScripted(({ headers, body }, response) => {
			receiver.received.push({ headers, body, payload: JSON.parse(body) as Received['payload'] });
			if (!receiver.answer) return;
			const { status, body: text } = receiver.answer;
			response.writeHead(status, status === 302 ? { location: '/elsewhere' } : {}).end(text);
		});
		return receiver;
	}

	get url(): string {
		return `${this.server.origin}/hook`;
	}

	get events(): string[] {
		return this.received.map(({ payload }) => payload.event);
	}

	async close(): Promise<void> {
		await this.server.close();
	}
}
