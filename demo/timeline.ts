/** Prints what happens, each line with the seconds since the start. */
export class Timeline {
	private readonly started = Date.now();

	constructor(private readonly write: (text: string) => void) {}

	/** Something has happened; the details stand below it, one per line. */
	step(text: string, details: string[] = []): void {
		const seconds = ((Date.now() - this.started) / 1000).toFixed(1).padStart(6);
		this.write(`${seconds} s  ${text}\n`);
		for (const detail of details) this.write(`          ${detail}\n`);
	}
}
