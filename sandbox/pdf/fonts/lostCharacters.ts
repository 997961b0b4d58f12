import { mayBeFound } from './candidates';
import type { DocumentFont } from './glyphs';

const FOUND = 1;
const LOST = 2;

/** The characters that no font has. A text of nothing else would have a hundred fonts read in vain. */
export class LostCharacters {
	private readonly answers = new Uint8Array(0x110000);

	/** `fonts` are those in which every character is looked for: of Western text, and of emoji. */
	constructor(private readonly fonts: readonly DocumentFont[]) {}

	has(codePoint: number): boolean {
		let answer = this.answers[codePoint];
		if (!answer) {
			const found = mayBeFound(codePoint) || this.fonts.some((font) => font.has(codePoint));
			this.answers[codePoint] = answer = found ? FOUND : LOST;
		}
		return answer === LOST;
	}
}
