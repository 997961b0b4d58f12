/** A set of characters that answers a million questions in no time. */
export class CodePoints {
	private readonly present: Uint8Array;

	constructor(codePoints: ArrayLike<number>) {
		let highest = 0;
		for (let index = 0; index < codePoints.length; index++) highest = Math.max(highest, codePoints[index] ?? 0);
		this.present = new Uint8Array(highest + 1);
		for (let index = 0; index < codePoints.length; index++) this.present[codePoints[index] ?? 0] = 1;
	}

	has(codePoint: number): boolean {
		return this.present[codePoint] === 1;
	}
}
