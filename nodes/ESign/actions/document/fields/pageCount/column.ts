/** Numbers are kept so many at a time. */
const CHUNK = 4_096;

/** A column of whole numbers that grows without a copy: what it was before a copy would be there until it is collected. */
export class Column {
	private readonly chunks: Uint32Array[] = [];

	get(index: number): number {
		return this.chunks[Math.floor(index / CHUNK)]?.[index % CHUNK] ?? 0;
	}

	set(index: number, value: number): void {
		const chunk = Math.floor(index / CHUNK);
		const numbers = (this.chunks[chunk] ??= new Uint32Array(CHUNK));
		numbers[index % CHUNK] = value;
	}
}
