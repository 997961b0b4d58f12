import type { GlyphInfo, GlyphPosition } from 'harfbuzzjs' with { 'resolution-mode': 'import' };

/** A glyph where HarfBuzz puts it; lengths in the units of the font. */
export interface ShapedGlyph {
	id: number;
	/** How far the pen moves on. */
	advance: number;
	x: number;
	y: number;
}

/** The smallest piece of text that has glyphs of its own: a letter with its marks, a conjunct, a ligature. */
export interface ShapedCluster {
	text: string;
	/** From left to right. */
	glyphs: ShapedGlyph[];
}

const NONE = -1;
const ORIGIN: GlyphPosition = { xAdvance: 0, yAdvance: 0, xOffset: 0, yOffset: 0 };

/** Keeps to the 31 bits in which a number is found fastest. */
function mixed(hash: number, value: number): number {
	return (Math.imul(hash, 31) + value) & 0x3fffffff;
}

/**
 * What HarfBuzz made of a text, one cluster after the other, in the order in which they are read. It stands at one
 * cluster at a time: a document has a million of them, and most look like one that came before.
 */
export class ShapedText {
	/** The part of the text that the cluster stands for. */
	start = 0;
	end = 0;
	/** Its glyphs, both ends included. */
	private first = 0;
	private last = -1;

	/** HarfBuzz gives the glyphs from left to right, and so the clusters in order, or all of them backwards. */
	constructor(
		private readonly text: string,
		private readonly infos: readonly GlyphInfo[],
		private readonly positions: readonly GlyphPosition[],
		private readonly rightToLeft: boolean,
	) {
		if (rightToLeft) this.first = infos.length;
	}

	/** Goes to the next cluster; false after the last one. */
	next(): boolean {
		const step = this.rightToLeft ? -1 : 1;
		const begin = this.rightToLeft ? this.first - 1 : this.last + 1;
		const cluster = this.placeOf(begin);
		if (cluster === NONE) return false;
		let after = begin + step;
		while (this.placeOf(after) === cluster) after += step;
		this.first = this.rightToLeft ? after + 1 : begin;
		this.last = this.rightToLeft ? begin : after - 1;
		this.start = this.end;
		const end = this.placeOf(after);
		this.end = end === NONE ? this.text.length : end;
		return true;
	}

	/** Where in the text a glyph belongs. */
	private placeOf(index: number): number {
		return index >= 0 && index < this.infos.length ? (this.infos[index]?.cluster ?? NONE) : NONE;
	}

	/** The same number for clusters that read and look the same, and seldom for two others. */
	get hash(): number {
		let hash = this.last - this.first;
		for (let index = this.start; index < this.end; index++) hash = mixed(hash, this.text.charCodeAt(index));
		for (let index = this.first; index <= this.last; index++) {
			const position = this.positions[index] ?? ORIGIN;
			hash = mixed(mixed(hash, this.infos[index]?.codepoint ?? 0), position.xAdvance);
			hash = mixed(mixed(hash, position.xOffset), position.yOffset);
		}
		return hash;
	}

	/** Whether the cluster reads and looks the same as this one. */
	equals({ text, glyphs }: ShapedCluster): boolean {
		if (glyphs.length !== this.last + 1 - this.first) return false;
		if (text.length !== this.end - this.start || !this.text.startsWith(text, this.start)) return false;
		for (let index = 0; index < glyphs.length; index++) {
			const glyph = glyphs[index];
			const { xAdvance, xOffset, yOffset } = this.positions[this.first + index] ?? ORIGIN;
			if (glyph?.id !== this.infos[this.first + index]?.codepoint || glyph?.advance !== xAdvance) return false;
			if (glyph.x !== xOffset || glyph.y !== yOffset) return false;
		}
		return true;
	}

	/** The cluster as something that can be kept. */
	cluster(): ShapedCluster {
		return {
			text: this.text.slice(this.start, this.end),
			glyphs: Array.from({ length: this.last + 1 - this.first }, (_, index) => this.glyph(this.first + index)),
		};
	}

	private glyph(index: number): ShapedGlyph {
		const { xAdvance, xOffset, yOffset } = this.positions[index] ?? ORIGIN;
		return { id: this.infos[index]?.codepoint ?? 0, advance: xAdvance, x: xOffset, y: yOffset };
	}
}
