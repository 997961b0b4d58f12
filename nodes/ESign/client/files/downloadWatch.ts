/** What is used of a Node.js `Readable`. The module `stream` may not be imported, not even for its types. */
export interface Body extends AsyncIterable<Buffer> {
	destroy(): unknown;
	on(event: 'error', listener: () => void): unknown;
}

/** A quarter of what the slowest telephone line brings. Whatever comes more slowly does not end within hours. */
const LEAST_BYTES_PER_SECOND = 1_024;

/** Too little of a body has come for too long. */
export class TooSlow extends Error {}

/** A body that was given up here; nothing was wrong with the connection. */
export class BodyRefused extends Error {}

/** Watches a body while somebody else reads it: counts what comes, and gives it up when it stalls or does not end. */
export class DownloadWatch {
	/** How many bytes have come. */
	size = 0;

	/** Why the body failed, if it did. */
	failure: Error | undefined;

	/** What `destroy` makes of an error, and when, depends on the kind of body: this says it at once. */
	private readonly givenUp: Promise<never>;

	private giveUp: (failure: Error) => void = () => undefined;

	private isOver = false;

	/** Somebody wants the next bytes. While nobody does, it is not the connection that is slow. */
	private isAwaited = false;

	/**
	 * @param maxBytes of the largest body
	 * @param stallMs a body that comes too slowly for so long is given up
	 */
	constructor(
		private readonly body: Body,
		private readonly maxBytes: number,
		private readonly stallMs: number,
	) {
		// An error before somebody reads would end n8n's process.
		body.on('error', () => undefined);
		this.givenUp = new Promise<never>((_, reject) => {
			this.giveUp = (failure) => {
				this.failure ??= failure;
				reject(failure);
				body.destroy();
			};
		});
		this.givenUp.catch(() => undefined);
		this.watchProgress();
	}

	/** The body, for whoever reads it. It is gone afterwards. */
	async *chunks(): AsyncGenerator<Buffer> {
		try {
			const chunks = this.body[Symbol.asyncIterator]();
			for (;;) {
				this.isAwaited = true;
				const { done, value: chunk } = await Promise.race([chunks.next(), this.givenUp]);
				this.isAwaited = false;
				if (done) return;
				this.size += chunk.length;
				if (this.size > this.maxBytes) {
					throw new BodyRefused(`the file has more than ${Math.floor(this.maxBytes / 1024 / 1024)} MB`);
				}
				yield chunk;
			}
		} catch (error) {
			throw (this.failure ??= error as Error);
		} finally {
			this.end();
		}
	}

	/** Whatever is still to come is not wanted. */
	end(): void {
		this.isOver = true;
		this.body.destroy();
	}

	private watchProgress(): void {
		const before = this.size;
		AbortSignal.timeout(this.stallMs).addEventListener('abort', () => {
			if (this.isOver || this.failure) return;
			const came = this.size - before;
			if (!this.isAwaited || came * 1_000 >= LEAST_BYTES_PER_SECOND * this.stallMs) return this.watchProgress();
			this.giveUp(new TooSlow(came === 0 ? 'the file stopped coming' : 'the file came at less than 1 kB a second'));
		});
	}
}
