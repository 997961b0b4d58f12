import http from 'node:http';
import type { AddressInfo } from 'node:net';

export interface Received {
	headers: http.IncomingHttpHeaders;
	body: string;
	payload: {
		id: string;
		event: string;
		mode: string;
		document: Record<string, unknown>;
		recipient?: Record<string, string>;
	};
}

/** An HTTP server that takes deliveries and answers as it is told. */
export class Receiver {
	readonly received: Received[] = [];
	/** Status and body of the next answers; null never answers. */
	answer: { status: number; body: string } | null = { status: 200, body: 'ok' };

	private constructor(private readonly server: http.Server) {
		server.on('request', (request: http.IncomingMessage, response: http.ServerResponse) => {
			const chunks: Buffer[] = [];
			request.on('data', (chunk: Buffer) => chunks.push(chunk));
			request.on('end', () => {
				const body = Buffer.concat(chunks).toString('utf8');
				this.received.push({ headers: request.headers, body, payload: JSON.parse(body) as Received['payload'] });
				if (!this.answer) return;
				const { status, body: text } = this.answer;
				response.writeHead(status, status === 302 ? { location: '/elsewhere' } : {}).end(text);
			});
		});
	}

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
		const server = http.createServer();
		// Deliveries come over a connection that is kept, however long a busy machine takes between two.
		server.keepAliveTimeout = 72_000;
		await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
		return new Receiver(server);
	}

	get url(): string {
		return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}/hook`;
	}

	get events(): string[] {
		return this.received.map(({ payload }) => payload.event);
	}

	close(): void {
		this.server.closeAllConnections();
		this.server.close();
	}
}
