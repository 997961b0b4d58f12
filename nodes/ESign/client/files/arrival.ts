/** What is used of a Node.js `Readable`. The module `stream` may not be imported, not even for its types. */
export interface Body extends AsyncIterable<Buffer> {
	push(chunk: unknown, encoding?: string): boolean;
	destroy(error?: Error): unknown;
	on(event: 'error' | 'close', listener: (error?: Error) => void): unknown;
	readonly readableLength: number;
	readonly readableEnded: boolean;
	/** Of an answer that is not unpacked on its way: whether all of it has come. */
	readonly complete?: boolean;
}

export interface Limits {
	/** The largest body, in bytes. */
	mostBytes: number;
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
export class Arrival {
	private arrived: number;
	private readonly broken: Promise<never>;
	/** Fails what reads the body, and ends the connection. */
	private breakOff: (error: Error) => void = () => undefined;
	private isOver = false;
	/** All of it has come; the reader may take as long as it needs. */
	private hasEnded = false;

	constructor(
		private readonly body: Body,
		private readonly limits: Limits,
		private readonly signal: AbortSignal | undefined,
	) {
		this.arrived = body.readableLength;
		this.countPushes();
		// Without a listener of ours, an error before the reader has its own would end n8n's process.
		this.broken = new Promise<never>((_, reject) => {
			this.breakOff = (error) => {
				// First, and by itself: what `destroy` makes of an error depends on the kind of body.
				reject(error);
				body.destroy();
			};
			body.on('error', (error) => reject(error ?? new Error('The body broke off')));
			body.on('close', () => {
				if (!body.readableEnded) reject(new Error('The body broke off'));
			});
		});
		this.broken.catch(() => undefined);
		signal?.addEventListener('abort', this.giveUp);
		if (signal?.aborted) this.giveUp();
		this.watchProgress();
	}

	/** How many bytes have come. */
	get size(): number {
		return this.arrived;
	}

	/** True if all that was sent has come. A body that is unpacked on its way fails by itself when it is cut short. */
	get isWhole(): boolean {
		return this.body.complete !== false;
	}

	/** The result of whoever reads the body; fails as soon as the body does. The body is gone afterwards. */
	async during<Result>(reading: Promise<Result>): Promise<Result> {
		try {
			return await Promise.race([reading, this.broken]);
		} finally {
			this.end();
		}
	}

	/** Whatever is still to come is not wanted. */
	end(): void {
		this.isOver = true;
		this.signal?.removeEventListener('abort', this.giveUp);
		this.body.destroy();
	}

	private readonly giveUp = (): void => {
		this.breakOff(new BodyRefused('the execution was cancelled'));
	};

	/** Everything a `Readable` gives out went through `push`; a listener for its data would change when it flows. */
	private countPushes(): void {
		const { body, limits } = this;
		const push = body.push.bind(body);
		body.push = (chunk, encoding) => {
			if (Buffer.isBuffer(chunk)) this.arrived += chunk.length;
			if (chunk === null) this.hasEnded = true;
			if (this.arrived <= limits.mostBytes) return push(chunk, encoding);
			this.breakOff(new BodyRefused(`the file has more than ${Math.floor(limits.mostBytes / 1024 / 1024)} MB`));
			return false;
		};
	}

	private watchProgress(): void {
		const before = this.arrived;
		AbortSignal.timeout(this.limits.stallMs).addEventListener('abort', () => {
			if (this.isOver || this.hasEnded || this.body.complete || this.body.readableEnded) return;
			// What has come and waits is up to the reader, not to the connection.
			const came = this.arrived - before;
			const isMoving = came * 1_000 >= LEAST_BYTES_PER_SECOND * this.limits.stallMs || this.body.readableLength > 0;
			if (isMoving) return this.watchProgress();
			this.breakOff(new TooSlow(came === 0 ? 'the file stopped coming' : 'the file came at less than 1 kB a second'));
		});
	}
}

/** The first so many bytes of a body, for the words of an error. */
export async function beginningOf(body: Body, most: number): Promise<Buffer> {
	const chunks: Buffer[] = [];
	let size = 0;
	for await (const chunk of body) {
		chunks.push(chunk);
		size += chunk.length;
		if (size >= most) break;
	}
	return Buffer.concat(chunks);
}
