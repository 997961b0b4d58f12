import type { IDataObject } from 'n8n-workflow';
import { isObject } from '../isObject';

/** What is used of a Node.js `Readable`. The module `stream` may not be imported, not even for its types. */
export interface Body extends AsyncIterable<Buffer> {
	on(event: 'error', listener: () => void): unknown;
}

/** A quarter of what the slowest telephone line brings. Whatever comes more slowly does not end within hours. */
const LEAST_BYTES_PER_SECOND = 1_024;

/** An error body is short. */
const MAX_ERROR_BYTES = 64 * 1024;

/** The body of an answer while it comes: what is read of it is counted, and one that stalls is given up. */
export class Incoming {
	/** How many bytes have come. */
	size = 0;

	/** Why the body failed, if it did. */
	failure: Error | undefined;

	/** Somebody wants the next bytes. While nobody does, it is not the connection that is slow. */
	private isAwaited = false;

	/**
	 * @param stallMs a body that comes too slowly for so long is given up
	 * @param over ends the connection; its reason says in words why the body was given up
	 */
	constructor(
		private readonly body: Body,
		private readonly stallMs: number,
		private readonly over: AbortController,
	) {
		// An error before somebody reads would end n8n's process.
		body.on('error', () => undefined);
		this.watchProgress();
	}

	/**
	 * The body, for whoever reads it. It is gone afterwards.
	 *
	 * @param refused the error of a body that is longer
	 */
	async *chunks(maxBytes: number, refused: () => Error): AsyncGenerator<Buffer> {
		try {
			this.isAwaited = true;
			for await (const chunk of this.body) {
				this.isAwaited = false;
				this.size += chunk.length;
				if (this.size > maxBytes) throw refused();
				yield chunk;
				this.isAwaited = true;
			}
		} catch (error) {
			throw (this.failure = error as Error);
		}
	}

	/** What the body of an error says; undefined where that cannot be read. */
	async json(): Promise<IDataObject | undefined> {
		const chunks: Buffer[] = [];
		try {
			for await (const chunk of this.chunks(MAX_ERROR_BYTES, () => new Error('Too long'))) chunks.push(chunk);
			const body: unknown = JSON.parse(Buffer.concat(chunks).toString('utf8'));
			return isObject(body) ? body : undefined;
		} catch {
			return undefined;
		}
	}

	private watchProgress(): void {
		const before = this.size;
		AbortSignal.timeout(this.stallMs).addEventListener('abort', () => {
			if (this.over.signal.aborted) return;
			const came = this.size - before;
			if (!this.isAwaited || came * 1_000 >= LEAST_BYTES_PER_SECOND * this.stallMs) return this.watchProgress();
			this.over.abort(came === 0 ? 'the file stopped coming' : 'the file came at less than 1 kB a second');
		});
	}
}
