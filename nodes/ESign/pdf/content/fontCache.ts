import { readFont, type Font } from '../fonts';
import type { Objects } from '../objects/objects';
import { ifReadable } from '../objects/source';
import { Reference, type Value } from '../objects/values';

/** A contract has some ten fonts. */
const MOST_FONTS = 200;

/** The fonts that were used last, so that each page does not read them again. */
export class FontCache {
	private readonly fonts = new Map<unknown, Font | undefined>();

	constructor(private readonly objects: Objects) {}

	/** @returns false for a font that has to be read first; undefined if it cannot be read */
	known(value: Value | undefined): Font | undefined | false {
		const font = this.fonts.get(keyOf(value));
		return font ?? (this.fonts.has(keyOf(value)) ? undefined : false);
	}

	async read(value: Value | undefined): Promise<Font | undefined> {
		const font = await ifReadable(async () => await readFont(this.objects, value));
		const [oldest] = this.fonts.keys();
		if (this.fonts.size >= MOST_FONTS) this.fonts.delete(oldest);
		this.fonts.set(keyOf(value), font);
		return font;
	}
}

/** A dictionary that is written in place is its own key. */
function keyOf(value: Value | undefined): unknown {
	return value instanceof Reference ? value.number : value;
}
