import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { buffer } from 'node:stream/consumers';

/** A request and response with what n8n's own web server adds to them. */
export type WebRequest = IncomingMessage & { rawBody?: Buffer; body: unknown; readRawBody: () => Promise<void> };
export type WebResponse = ServerResponse & {
	status(code: number): WebResponse;
	send(body: string): WebResponse;
	json(body: unknown): WebResponse;
};

export type Handler = (request: WebRequest, response: WebResponse) => Promise<void>;

/** Content types that n8n reads before the node runs; the body of any other is left to `readRawBody`. */
const READ_BEFOREHAND = /^(application\/json|text\/plain)/;

/** How many ports a process takes for itself, below those that the system gives out. */
const BLOCK = 1_000;

/** The last port given out in this process, which loads this module anew for each test file. */
const LAST = Symbol.for('test.webServer.lastPort');
const shared = globalThis as { [LAST]?: number };

/** While a server is stopped, no other takes the port that it comes back to: whoever listens on the first of a block has all of it. */
async function takeBlock(): Promise<number> {
	// fetch refuses 10080, and no port above it.
	for (let first = 11_000; first < 30_000; first += BLOCK) {
		const guard = createServer();
		if (await listens(guard, first)) {
			guard.unref();
			return first;
		}
	}
	throw new Error('Every block of ports is taken');
}

/** An HTTP server on a free port of 127.0.0.1 that hands requests on as n8n's does, with the raw body kept. */
export class WebServer {
	private server?: Server;

	private port: number | undefined;

	constructor(private readonly handle: Handler) {}

	get url(): string {
		return `http://127.0.0.1:${this.port ?? 0}`;
	}

	async start(): Promise<void> {
		if (this.server) return;
		const server = createServer((request, response) => void this.respond(request, response));
		this.server = server;
		// On a busy machine a client takes up a connection later than the five seconds after which it would be closed.
		server.keepAliveTimeout = 60_000;
		while (this.port === undefined) {
			const last = (shared[LAST] ??= await takeBlock());
			const port = last % BLOCK === BLOCK - 1 ? last - BLOCK + 2 : last + 1;
			shared[LAST] = port;
			if (await listens(server, port)) this.port = port;
		}
		if (!server.listening && !(await listens(server, this.port))) throw new Error(`Port ${this.port} is taken`);
	}

	/** Stops listening and drops what is open; a later `start` takes the same port again. */
	async stop(): Promise<void> {
		const { server } = this;
		if (!server) return;
		this.server = undefined;
		const closed = new Promise((resolve) => server.close(resolve));
		server.closeAllConnections();
		await closed;
	}

	private async respond(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
		const response: WebResponse = Object.assign(outgoing, {
			status(code: number) {
				outgoing.statusCode = code;
				return response;
			},
			send(body: string) {
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
			if (!outgoing.headersSent || Object.hasOwn(outgoing, 'end')) response.status(500).send(String(error));
		}
	}
}

/** False where the port is another's. */
async function listens(server: Server, port: number): Promise<boolean> {
	return await new Promise((resolve) => {
		const isTaken = () => resolve(false);
		server.once('error', isTaken).listen(port, '127.0.0.1', () => {
			server.off('error', isTaken);
			resolve(true);
		});
	});
}
