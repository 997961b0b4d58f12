import type { Responder } from '../../../nodes/ESign/messages/responder';

/** A response of n8n's web server, as far as the trigger sees it. */
export class WebResponse implements Responder {
	statusCode = 200;
	writableFinished = false;
	headersSent = false;
	readonly headers: Record<string, string> = {};
	destroyed = false;
	readonly sent: string[] = [];
	private readonly onClose: Array<() => void> = [];

	status(code: number) {
		this.statusCode = code;
		return { send: (body: unknown) => this.end(body) };
	}

	setHeader(name: string, value: string) {
		this.headers[name] = value;
	}

	once(_event: 'close', listener: () => void) {
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
