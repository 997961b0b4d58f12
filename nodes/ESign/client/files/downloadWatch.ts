/** What is used of a Node.js `Readable`. The module `stream` may not be imported, not even for its types. */
export interface Body extends AsyncIterable<Buffer> {
	destroy(): unknown;
	on(event: 'error', listener: () => void): unknown;
}

export interface Limits {
	/** The largest body, in bytes. */
	maxBytes: number;
	/** A body that comes too slowly for so long is given up, in milliseconds. */
	stallMs: number;
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

	constructor(
		private readonly body: Body,
		private readonly limits: Limits,
		private readonly signal: AbortSignal,
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
		signal.addEventListener('abort', this.cancel);
		if (signal.aborted) this.cancel();
		this.watchProgress();
	}

	/** The body, for whoever reads it. It is gone afterwards. */
	async *chunks(): AsyncGenerator<Buffer> {
		const { maxBytes } = this.limits;
		try {
			const chunks = this.body[Symbol.asyncIterator]();
			for (;;) {
				this.isAwaited = true;
				const { done, value: chunk } = await Promise.race([chunks.next(), this.givenUp]);
				this.isAwaited = false;
				if (done) return;
				this.size += chunk.length;
				if (this.size > maxBytes) {
					throw new BodyRefused(`the file has more than ${Math.floor(maxBytes / 1024 / 1024)} MB`);
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
		this.signal.removeEventListener('abort', this.cancel);
		this.body.destroy();
	}

	private readonly cancel = (): void => this.giveUp(new BodyRefused('the execution was cancelled'));

	private watchProgress(): void {
		const before = this.size;
		AbortSignal.timeout(this.limits.stallMs).addEventListener('abort', () => {
			if (this.isOver || this.failure) return;
			const came = this.size - before;
			if (!this.isAwaited || came * 1_000 >= LEAST_BYTES_PER_SECOND * this.limits.stallMs) return this.watchProgress();
			this.giveUp(new TooSlow(came === 0 ? 'the file stopped coming' : 'the file came at less than 1 kB a second'));
		});
	}
}
