import LineBreaker from 'linebreak';
import type { PDFRef } from 'pdf-lib';
import type { Cluster } from '../fonts/glyphs';
import type { Direction } from './direction';

/** Clusters that are shown one after the other. */
export interface Piece {
	font: PDFRef;
	/** From left to right, in hexadecimal. */
	codes: string;
	/** Where it begins and ends on the line, in ems. */
	x: number;
	end: number;
}

/** One line of a text as it was entered, measured once: breaking it into lines only adds and compares. */
export class Paragraph {
	/** The width of everything before cluster `i`, in ems. */
	private readonly widths: Float64Array;
	/** Where in the text cluster `i` begins. */
	private readonly starts: Int32Array;
	/** The last place up to cluster `i` at which a line may end. */
	private readonly breaks: Int32Array;

	constructor(
		text: string,
		private readonly clusters: readonly Cluster[],
		private readonly direction: Direction | undefined,
	) {
		this.widths = new Float64Array(clusters.length + 1);
		this.starts = new Int32Array(clusters.length + 1);
		let width = 0;
		let start = 0;
		let index = 0;
		for (const cluster of clusters) {
			index++;
			this.widths[index] = width += cluster.width;
			this.starts[index] = start += cluster.text.length;
		}
		this.breaks = lastBreaks(text, this.starts);
	}

	get length(): number {
		return this.clusters.length;
	}

	/** Begins on the right, and so stands on the right. */
	get rightToLeft(): boolean {
		return this.direction?.rightToLeft ?? false;
	}

	widthOf(from: number, to: number): number {
		return (this.widths[to] ?? 0) - (this.widths[from] ?? 0);
	}

	/** The widest word, in ems. */
	get widestWord(): number {
		let widest = 0;
		for (let from = 0; from < this.length;) {
			let to = from + 1;
			while (to < this.length && this.breaks[to] !== to) to++;
			widest = Math.max(widest, this.widthOf(from, this.withoutBlanks(from, to)));
			from = to;
		}
		return widest;
	}

	/** How far a line that begins at `from` reaches: to the last break that fits, or into a word that fits no line. */
	lineEnd(from: number, width: number): number {
		let low = from;
		let high = this.length;
		while (low < high) {
			const middle = (low + high + 1) >> 1;
			if (this.widthOf(from, middle) <= width + 1e-9) low = middle;
			else high = middle - 1;
		}
		// Blanks at the end of a line may hang over it.
		while (low < this.length && this.isBlank(low)) low++;
		if (low === this.length) return low;
		const at = this.breaks[low] ?? 0;
		return at > from ? at : Math.max(low, from + 1);
	}

	/** Where the part from `from` to `to` ends when blanks at its end are not counted. */
	withoutBlanks(from: number, to: number): number {
		let end = to;
		while (end > from && this.isBlank(end - 1)) end--;
		return end;
	}

	/**
	 * The clusters of a line, grouped into pieces of one font that read in one direction, in the order in which they are
	 * read.
	 */
	pieces(from: number, to: number): Piece[] {
		const places = this.direction ? this.places(from, to) : undefined;
		const pieces: Piece[] = [];
		let piece: Piece | undefined;
		let last = { level: 0, blank: false };
		for (let index = from; index < to; index++) {
			const { text, glyph, width } = this.clusters[index] ?? { text: '', width: 0 };
			if (!glyph) continue;
			const level = this.direction?.levelAt(this.starts[index] ?? 0) ?? 0;
			const turned = level % 2 === 1;
			// Words that are read from right to left are pieces of their own, so that they can come in reading order.
			const blank = turned && text === ' ';
			const x = places?.[index - from] ?? this.widthOf(from, index);
			if (piece?.font === glyph.font && last.level === level && last.blank === blank) {
				piece.codes = turned ? glyph.code + piece.codes : piece.codes + glyph.code;
				if (turned) piece.x = x;
				else piece.end = x + width;
			} else {
				pieces.push((piece = { font: glyph.font, codes: glyph.code, x, end: x + width }));
				last = { level, blank };
			}
		}
		return pieces;
	}

	/** Where each cluster of a line stands. */
	private places(from: number, to: number): Float64Array {
		const order = new Int32Array(to - from);
		for (let index = from; index < to; index++) order[index - from] = index;
		const start = this.starts[from] ?? 0;
		const turned = this.direction?.turned(start, this.starts[to] ?? start) ?? [];
		for (const [first = 0, last = 0] of turned) {
			order.subarray(this.clusterAt(first) - from, this.clusterAt(last) + 1 - from).reverse();
		}
		const places = new Float64Array(to - from);
		let x = 0;
		for (const index of order) {
			places[index - from] = x;
			x += this.widthOf(index, index + 1);
		}
		return places;
	}

	private clusterAt(offset: number): number {
		let low = 0;
		let high = this.length - 1;
		while (low < high) {
			const middle = (low + high + 1) >> 1;
			if ((this.starts[middle] ?? 0) <= offset) low = middle;
			else high = middle - 1;
		}
		return low;
	}

	private isBlank(index: number): boolean {
		return this.clusters[index]?.text === ' ';
	}
}

/** Thai, Lao and Khmer are written without blanks between words, which only a dictionary knows. */
const UNSPACED = /[\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}]/u;
const byWord = new Intl.Segmenter('th', { granularity: 'word' });

function lastBreaks(text: string, starts: Int32Array): Int32Array {
	if (starts.length <= 2) return Int32Array.of(0, starts.length - 1);
	const mayBreak = new Uint8Array(text.length + 1);
	const breaker = new LineBreaker(text);
	for (let at = breaker.nextBreak(); at; at = breaker.nextBreak()) mayBreak[at.position] = 1;
	if (UNSPACED.test(text)) {
		for (const { index, segment } of byWord.segment(text)) {
			if (UNSPACED.test(segment[0] ?? '') && UNSPACED.test(text[index - 1] ?? '')) mayBreak[index] = 1;
		}
	}
	const breaks = new Int32Array(starts.length);
	for (let index = 1; index < starts.length; index++) {
		breaks[index] = mayBreak[starts[index] ?? 0] ? index : (breaks[index - 1] ?? 0);
	}
	return breaks;
}
