import { deflateSync } from 'node:zlib';
import { PDFHexString, PDFName, type PDFDict, type PDFDocument, type PDFRef } from 'pdf-lib';
import type { FontFace, ShapedCluster, ShapedGlyph } from './fontFace';
import { REPLACEMENT, type Cluster, type DocumentFont, type SignBudget } from './glyphs';

/** Codes of one byte; 0 is left out, because some readers take it for the end of a text. */
const CODES = 255;

/** Words repeat; so many of them are kept as they were shaped. */
const MOST_WORDS = 20_000;

type LiteralObject = Parameters<PDFDocument['context']['stream']>[1];

interface Part {
	ref: PDFRef;
	clusters: ShapedCluster[];
}

class Shaped {
	readonly words = new Map<string, Cluster[]>();
	/** What each cluster of letters looks like, which depends on what stands beside it. */
	readonly forms = new Map<string, Array<{ glyphs: readonly ShapedGlyph[]; cluster: Cluster }>>();
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
		private readonly oneScript = false,
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

	prepare(texts: readonly string[], rightToLeft: boolean): void {
		if (!this.oneScript || this.budget.left <= 0) return;
		const { words } = this.shaped[rightToLeft ? 1 : 0];
		const fresh = new Set<string>();
		for (const text of texts) if (!words.has(text)) fresh.add(text);
		if (fresh.size === 0) return;
		const all = [...fresh];
		this.face.shapeAll(all, rightToLeft).forEach((shaped, index) => {
			this.keep(all[index] ?? '', shaped, rightToLeft);
		});
	}

	shape(text: string, rightToLeft: boolean): Cluster[] {
		const known = this.shaped[rightToLeft ? 1 : 0].words.get(text);
		if (known) return known;
		// Shaping costs most; without it a word that is new may be missing although its letters are not.
		if (this.budget.left <= 0) return [{ text, width: 0, missing: true }];
		return this.keep(text, this.face.shape(text, rightToLeft), rightToLeft);
	}

	private keep(text: string, shaped: readonly ShapedCluster[], rightToLeft: boolean): Cluster[] {
		const { words } = this.shaped[rightToLeft ? 1 : 0];
		if (words.size > MOST_WORDS) words.clear();
		const clusters = shaped.map((cluster) => this.cluster(cluster, rightToLeft));
		words.set(text, clusters);
		return clusters;
	}

	private cluster(shaped: ShapedCluster, rightToLeft: boolean): Cluster {
		const { text, glyphs } = shaped;
		const { forms } = this.shaped[rightToLeft ? 1 : 0];
		let known = forms.get(text);
		if (!known) forms.set(text, (known = []));
		for (const form of known) if (sameGlyphs(form.glyphs, glyphs)) return form.cluster;
		// Readers turn around what stands in right-to-left text, letter by letter: marks come before their letter.
		const copied = rightToLeft ? [...text].reverse().join('') : text;
		const cluster = { ...this.added({ text: copied, glyphs }), text };
		if (!cluster.missing) known.push({ glyphs, cluster });
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

function sameGlyphs(some: readonly ShapedGlyph[], others: readonly ShapedGlyph[]): boolean {
	if (some.length !== others.length) return false;
	for (let index = 0; index < some.length; index++) {
		const [one, other] = [some[index], others[index]];
		if (one?.id !== other?.id || one?.advance !== other?.advance) return false;
		if (one?.x !== other?.x || one?.y !== other?.y) return false;
	}
	return true;
}

function advanceOf({ glyphs }: ShapedCluster): number {
	return glyphs.reduce((sum, { advance }) => sum + advance, 0);
}

function hex(code: number): string {
	return code.toString(16).padStart(2, '0');
}

const CMAP_HEAD = `/CIDInit /ProcSet findresource begin
12 dict begin
begincmap
/CIDSystemInfo << /Registry (Adobe) /Ordering (UCS) /Supplement 0 >> def
/CMapName /Adobe-Identity-UCS def
/CMapType 2 def
1 begincodespacerange
<00><ff>
endcodespacerange`;

const CMAP_TAIL = `endcmap
CMapName currentdict /CMap defineresource pop
end
end`;

const MOST_LINES = 100;

function toUnicode(texts: string[]): string {
	const lines = texts.map((text, index) => {
		return `<${hex(index + 1)}> ${PDFHexString.fromText(text)
			.toString()
			.replace(/^<FEFF/i, '<')}`;
	});
	const blocks: string[] = [];
	for (let from = 0; from < lines.length; from += MOST_LINES) {
		const block = lines.slice(from, from + MOST_LINES);
		blocks.push(`${block.length} beginbfchar\n${block.join('\n')}\nendbfchar`);
	}
	return [CMAP_HEAD, ...blocks, CMAP_TAIL].join('\n');
}
