import { mayBeFound } from './candidates';
import type { DocumentFont } from './glyphs';

/** The characters that no font has. A text of nothing else would have a hundred fonts read in vain. */
export class LostCharacters {
	/** `fonts` are those in which every character is looked for: of Western text, and of emoji. */
	constructor(private readonly fonts: readonly DocumentFont[]) {}

	has(codePoint: number): boolean {
		if (mayBeFound(codePoint)) return false;
		for (const font of this.fonts) if (font.has(codePoint)) return false;
		return true;
	}
}
