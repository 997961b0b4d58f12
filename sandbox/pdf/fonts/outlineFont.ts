import { deflateSync } from 'node:zlib';
import { PDFName, type PDFDict, type PDFDocument, type PDFRef } from 'pdf-lib';
import { ClusterForms } from './clusterForms';
import type { FontFace } from './fontFace';
import { REPLACEMENT, type Cluster, type DocumentFont, type SignBudget } from './glyphs';
import type { ShapedCluster, ShapedText } from './shapedText';
import { hex, toUnicode } from './toUnicode';

/** Codes of one byte; 0 is left out, because some readers take it for the end of a text. */
const CODES = 255;

/** Nothing before a line end changes the form of what comes after it. */
const SEPARATOR = '\n';
/**
 * Words that are shaped alone. What begins with a mark would be set over the line end. A mark that is not on a letter, as
 * in no Hindi word, gets a dotted circle, unless the one before it is fifteen syllables away: HarfBuzz counts them in
 * four bits.
 */
const ALONE =
	/^[\p{M}\p{Cf}\u0e33]|(?=[\u0900-\u0903\u093a-\u093c\u093e-\u094f\u0951-\u0957\u0962\u0963])(?<![\u0904-\u0939\u0958-\u0961\u0972-\u097f]|[\u093e-\u094c](?=[\u0901-\u0903]))/u;

/** Words repeat; so many of them are kept as they were shaped. */
const MOST_WORDS = 2_000;

type LiteralObject = Parameters<PDFDocument['context']['stream']>[1];

interface Part {
	ref: PDFRef;
	clusters: ShapedCluster[];
}

/** Letters that are shaped together, and what becomes of them. */
interface Word {
	text: string;
	clusters: Cluster[];
}

class Shaped {
	readonly words = new Map<string, Cluster[]>();
	readonly forms = new ClusterForms();
}

/**
 * The clusters that one document takes from a font, embedded as outlines (a Type 3 font). Each code stands for a whole
 * cluster and for the text that it was drawn for, so that what is copied out of the document is what was entered, also
 * where a script changes the order or the number of its signs.
 */
export class OutlineFont implements DocumentFont {
	private readonly parts: Part[] = [];
	private compressed = true;
	/** What was shaped from left to right, and what from right to left. */
	private readonly shaped = [new Shaped(), new Shaped()] as const;
	private readonly outlines = new Map<number, PDFRef>();
	private readonly simples = new Map<string, Cluster>();

	constructor(
		private readonly document: PDFDocument,
		private readonly face: FontFace,
		private readonly budget: SignBudget,
		readonly script?: string,
	) {}

	has(codePoint: number): boolean {
		return this.face.has(codePoint);
	}

	simple(character: string): Cluster {
		let cluster = this.simples.get(character);
		if (!cluster) {
			const glyph = this.face.glyphOf(character.codePointAt(0) ?? 0);
			cluster = this.added({ text: character, glyphs: [glyph] });
			if (!cluster.missing) this.simples.set(character, cluster);
		}
		return cluster;
	}

	shapeAll(texts: readonly string[], rightToLeft: boolean): Cluster[][] | undefined {
		if (!this.script || this.budget.left <= 0) return undefined;
		const words = this.roomForWords(rightToLeft);
		const fresh: Word[] = [];
		const all = texts.map((text) => {
			const known = words.get(text);
			if (known) return known;
			const clusters: Cluster[] = [];
			words.set(text, clusters);
			fresh.push({ text, clusters });
			return clusters;
		});
		this.shapeTogether(fresh, rightToLeft);
		return all;
	}

	shape(text: string, rightToLeft: boolean): Cluster[] {
		const known = this.shaped[rightToLeft ? 1 : 0].words.get(text);
		if (known) return known;
		// Shaping costs most; without it a word that is new may be missing although its letters are not.
		if (this.budget.left <= 0) return [{ text, width: 0, missing: true }];
		const clusters: Cluster[] = [];
		this.shapeAlone({ text, clusters }, rightToLeft);
		this.roomForWords(rightToLeft).set(text, clusters);
		return clusters;
	}

	private roomForWords(rightToLeft: boolean): Map<string, Cluster[]> {
		const { words } = this.shaped[rightToLeft ? 1 : 0];
		if (words.size > MOST_WORDS) words.clear();
		return words;
	}

	/** One call for each of a thousand words takes much longer than one call for all, with a line end between them. */
	private shapeTogether(words: readonly Word[], rightToLeft: boolean): void {
		if (words.length === 0) return;
		const together = words.map(({ text }) => text).filter((text) => !ALONE.test(text));
		const shaped = this.face.shape(together.join(SEPARATOR), rightToLeft, this.script);
		let end = -1;
		let apart = true;
		for (const word of words) {
			const { text, clusters } = word;
			if (apart && !ALONE.test(text)) {
				end += 1 + text.length;
				let more = shaped.next();
				for (; more && shaped.end <= end; more = shaped.next()) clusters.push(this.clusterAt(shaped, rightToLeft));
				apart = more ? shaped.start === end && shaped.end === end + 1 : shaped.end === end;
				if (apart) continue;
			}
			// Nothing is known to grow together across a line end. If it does, each of the other words is shaped alone.
			this.shapeAlone(word, rightToLeft);
		}
	}

	private shapeAlone({ text, clusters }: Word, rightToLeft: boolean): void {
		clusters.length = 0;
		const shaped = this.face.shape(text, rightToLeft, this.script);
		while (shaped.next()) clusters.push(this.clusterAt(shaped, rightToLeft));
	}

	private clusterAt(shaped: ShapedText, rightToLeft: boolean): Cluster {
		const { forms } = this.shaped[rightToLeft ? 1 : 0];
		const known = forms.find(shaped);
		if (known) return known;
		const { text, glyphs } = shaped.cluster();
		// Readers turn around what stands in right-to-left text, letter by letter: marks come before their letter.
		const copied = rightToLeft ? [...text].reverse().join('') : text;
		const cluster = { ...this.added({ text: copied, glyphs }), text };
		if (!cluster.missing) forms.add(shaped, cluster);
		return cluster;
	}

	private added(shaped: ShapedCluster): Cluster {
		if (this.budget.left <= 0 && shaped.text !== REPLACEMENT) return { text: shaped.text, width: 0, missing: true };
		this.budget.left--;
		let part = this.parts.at(-1);
		if (!part || part.clusters.length === CODES) {
			part = { ref: this.document.context.nextRef(), clusters: [] };
			this.parts.push(part);
		}
		part.clusters.push(shaped);
		const glyph = { font: part.ref, code: hex(part.clusters.length) };
		return { text: shaped.text, width: advanceOf(shaped) / this.face.unitsPerEm, glyph };
	}

	/** How many clusters are embedded. */
	get size(): number {
		return this.parts.reduce((sum, { clusters }) => sum + clusters.length, 0);
	}

	/** Writes the fonts that the pages refer to; call it once, after everything was drawn. */
	write(compressed: boolean): void {
		this.compressed = compressed;
		for (const part of this.parts) this.writePart(part);
	}

	private writePart({ ref, clusters }: Part): void {
		const { context } = this.document;
		const { face } = this;
		const { ascender, descender } = face.extents;
		const widths = clusters.map(advanceOf);
		const names = clusters.map((_cluster, index) => PDFName.of(`.g${index + 1}`));
		const procedures = context.obj({});
		const shared = context.obj({});
		clusters.forEach((cluster, index) => {
			const content = this.procedure(cluster, widths[index] ?? 0, shared);
			procedures.set(names[index] ?? PDFName.of('.notdef'), this.stream(content));
		});
		const font = context.obj({
			Type: 'Font',
			Subtype: 'Type3',
			FontBBox: [0, descender, Math.max(face.unitsPerEm, ...widths), ascender],
			FontMatrix: [1 / face.unitsPerEm, 0, 0, 1 / face.unitsPerEm, 0, 0],
			CharProcs: procedures,
			Encoding: { Type: 'Encoding', Differences: [1, ...names] },
			FirstChar: 1,
			LastChar: clusters.length,
			Widths: widths,
			Resources: { XObject: shared },
			ToUnicode: this.stream(toUnicode(clusters.map(({ text }) => text))),
		});
		context.assign(ref, font);
	}

	/**
	 * Draws a cluster: a single glyph by its outline, several by outlines that all clusters share. Without that, letters
	 * under ever other heaps of accents would grow without bound.
	 */
	private procedure({ glyphs }: ShapedCluster, width: number, shared: PDFDict): string {
		const whole = [0, 0, 0, 0];
		const parts: string[] = [];
		let pen = 0;
		for (const { id, advance, x, y } of glyphs) {
			const { path, box } = this.face.outlineOf(id);
			const [left, bottom, right, top] = box;
			whole[0] = Math.min(whole[0] ?? 0, pen + x + left);
			whole[1] = Math.min(whole[1] ?? 0, y + bottom);
			whole[2] = Math.max(whole[2] ?? 0, pen + x + right);
			whole[3] = Math.max(whole[3] ?? 0, y + top);
			if (glyphs.length === 1 && x === 0 && y === 0) parts.push(`${path}f`);
			else if (path !== '') {
				shared.set(PDFName.of(`g${id}`), this.sharedOutline(id));
				parts.push(`q 1 0 0 1 ${pen + x} ${y} cm /g${id} Do Q`);
			}
			pen += advance;
		}
		return `${width} 0 ${whole.join(' ')} d1\n${parts.join('\n')}`;
	}

	private sharedOutline(id: number): PDFRef {
		let outline = this.outlines.get(id);
		if (!outline) {
			const { path, box } = this.face.outlineOf(id);
			outline = this.stream(`${path}f`, { Type: 'XObject', Subtype: 'Form', BBox: [...box], Resources: {} });
			this.outlines.set(id, outline);
		}
		return outline;
	}

	private stream(content: string, about: LiteralObject = {}): PDFRef {
		const { context } = this.document;
		if (!this.compressed) return context.register(context.stream(content, about));
		return context.register(context.stream(deflateSync(content), { ...about, Filter: 'FlateDecode' }));
	}
}

function advanceOf({ glyphs }: ShapedCluster): number {
	return glyphs.reduce((sum, { advance }) => sum + advance, 0);
}
