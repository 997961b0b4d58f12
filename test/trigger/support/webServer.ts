import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';

/** A request and response with what n8n's own web server adds to them. */
export type WebRequest = IncomingMessage & {
	rawBody?: Buffer;
	body: unknown;
	readRawBody: () => Promise<void>;
};
export type WebResponse = ServerResponse & {
	status(code: number): WebResponse;
	send(body: unknown): WebResponse;
	json(body: unknown): WebResponse;
};

export type Handler = (request: WebRequest, response: WebResponse) => Promise<void>;

/**
 * Content types that n8n reads before the node runs; the body of any other is left to
 * `readRawBody`.
 */
const READ_BEFOREHAND = /^(application\/json|text\/plain)/;

/**
 * An HTTP server on a port of 127.0.0.1 that hands requests on as n8n's does, with the raw body
 * kept.
 */
export class WebServer {
	private isUp = false;
	private readonly server = createServer(
		(request, response) => void this.respond(request, response),
	);

	constructor(private readonly handle: Handler) {
		// On a busy machine a client takes up a connection later than the five seconds after which it
		// would be closed.
		this.server.keepAliveTimeout = 60_000;
		this.server.on('connection', (socket) => void (this.isUp || socket.destroy()));
	}

	get url(): string {
		return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
	}

	async start(): Promise<void> {
		this.isUp = true;
		if (!this.server.listening)
			await new Promise<void>((resolve) => this.server.listen(0, '127.0.0.1', resolve));
	}

	/**
	 * Breaks every connection, as a server that is not there would, and keeps the port until a later
	 * `start`.
	 */
	stop(): void {
		this.isUp = false;
		this.server.closeAllConnections();
	}

	async close(): Promise<void> {
		this.stop();
		await new Promise((resolve) => this.server.close(resolve));
	}

	private async respond(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
		const response: WebResponse = Object.assign(outgoing, {
			status(code: number) {
				outgoing.statusCode = code;
				return response;
			},
			send(body: unknown) {
				if (typeof body !== 'string') return response.json(body);
				outgoing.end(body);
				return response;
			},
			json(body: unknown) {
				outgoing.setHeader('content-type', 'application/json').end(JSON.stringify(body));
				return response;
			},
		});
		const request: WebRequest = Object.assign(incoming, {
			body: {} as unknown,
			async readRawBody() {
				request.rawBody ??= await buffer(incoming);
			},
		});
		try {
			if (READ_BEFOREHAND.test(incoming.headers['content-type'] ?? '')) await request.readRawBody();
			await this.handle(request, response);
		} catch (error) {
			// As n8n does, also where the node has answered by itself and hears what n8n makes of it.
			if (!outgoing.headersSent || Object.hasOwn(outgoing, 'end'))
				response.status(500).send(String(error));
		}
	}
}
