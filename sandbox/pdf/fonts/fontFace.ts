import { readFileSync } from 'node:fs';
import type * as HarfBuzz from 'harfbuzzjs' with { 'resolution-mode': 'import' };
import decompress from 'wawoff2/decompress';
import { CodePoints } from './codePoints';
import { ShapedText, type ShapedGlyph } from './shapedText';

const faces = new Map<string, Promise<FontFace>>();

/** A font file, read once per process; `weight` is that of a variable font. */
export class FontFace {
	private readonly characters: CodePoints;
	private readonly simple = new Map<number, ShapedGlyph>();
	private readonly outlines = new Map<number, Outline>();
	private readonly buffer: HarfBuzz.Buffer;
	private readonly drawing: HarfBuzz.DrawFuncs;

	private constructor(
		private readonly hb: typeof HarfBuzz,
		private readonly face: HarfBuzz.Face,
		private readonly font: HarfBuzz.Font,
	) {
		this.characters = new CodePoints(face.collectUnicodes());
		this.buffer = new hb.Buffer();
		this.drawing = drawingInto(hb);
	}

	static load(file: string, weight?: number): Promise<FontFace> {
		const key = `${file} ${weight ?? ''}`;
		const known = faces.get(key);
		if (known) return known;
		const face = FontFace.read(file, weight);
		faces.set(key, face);
		return face;
	}

	private static async read(file: string, weight?: number): Promise<FontFace> {
		const hb = await import('harfbuzzjs');
		const bytes = readFileSync(require.resolve(file));
		const face = new hb.Face(new hb.Blob(file.endsWith('.woff2') ? await decompress(bytes) : new Uint8Array(bytes)));
		const font = new hb.Font(face);
		if (weight !== undefined) font.setVariations([new hb.Variation('wght', weight)]);
		return new FontFace(hb, face, font);
	}

	get unitsPerEm(): number {
		return this.face.upem;
	}

	get extents(): { ascender: number; descender: number } {
		return this.font.hExtents();
	}

	has(codePoint: number): boolean {
		return this.characters.has(codePoint);
	}

	/** The glyph of a character that needs no shaping. */
	glyphOf(codePoint: number): ShapedGlyph {
		const known = this.simple.get(codePoint);
		if (known) return known;
		const id = this.font.nominalGlyph(codePoint) ?? 0;
		const glyph = { id, advance: this.advanceOf(id), x: 0, y: 0 };
		this.simple.set(codePoint, glyph);
		return glyph;
	}

	/** How wide the glyph is when nothing stands beside it. */
	advanceOf(id: number): number {
		return this.font.glyphHAdvance(id);
	}

	/**
	 * Shapes a text of one direction and script. HarfBuzz takes the script from the first letter, unless it is given: a
	 * number or a mark by itself has none, and would look different with a word before it.
	 */
	shape(text: string, rightToLeft: boolean, script?: string): ShapedText {
		const { hb, buffer } = this;
		buffer.reset();
		buffer.addText(text);
		if (script) buffer.setScript(script);
		buffer.guessSegmentProperties();
		buffer.setDirection(rightToLeft ? hb.Direction.RTL : hb.Direction.LTR);
		hb.shape(this.font, buffer);
		return new ShapedText(text, buffer.getGlyphInfos(), buffer.getGlyphPositions(), rightToLeft);
	}

	/** What a glyph looks like, as the operators of a PDF path, and the box around it: left, bottom, right, top. */
	outlineOf(id: number): Outline {
		let outline = this.outlines.get(id);
		if (!outline) {
			outline = new Outline();
			this.font.drawGlyph(id, this.drawing, outline);
			this.outlines.set(id, outline);
		}
		return outline;
	}
}

type Box = [left: number, bottom: number, right: number, top: number];

/** Writes the operators of a PDF path, in whole units of the font, and keeps the box around it. */
class Outline {
	path = '';
	readonly box: Box = [0, 0, 0, 0];
	private x = 0;
	private y = 0;

	to(x: number, y: number, operator: string): void {
		this.path += `${this.point(x, y)} ${operator}\n`;
		this.x = x;
		this.y = y;
	}

	/** PDF has no quadratic curves: they become cubic ones. */
	quadratic(cx: number, cy: number, x: number, y: number): void {
		const { x: fromX, y: fromY } = this;
		this.cubic((fromX + 2 * cx) / 3, (fromY + 2 * cy) / 3, (x + 2 * cx) / 3, (y + 2 * cy) / 3, x, y);
	}

	cubic(c1x: number, c1y: number, c2x: number, c2y: number, x: number, y: number): void {
		this.path += `${this.point(c1x, c1y)} ${this.point(c2x, c2y)} `;
		this.to(x, y, 'c');
	}

	close(): void {
		this.path += 'h\n';
	}

	private point(x: number, y: number): string {
		const px = Math.round(x);
		const py = Math.round(y);
		const { box } = this;
		if (px < box[0]) box[0] = px;
		if (py < box[1]) box[1] = py;
		if (px > box[2]) box[2] = px;
		if (py > box[3]) box[3] = py;
		return `${px} ${py}`;
	}
}

function drawingInto(hb: typeof HarfBuzz): HarfBuzz.DrawFuncs {
	const drawing = new hb.DrawFuncs();
	const into = (outline: unknown) => outline as Outline;
	drawing.setMoveToFunc((x, y, outline) => into(outline).to(x, y, 'm'));
	drawing.setLineToFunc((x, y, outline) => into(outline).to(x, y, 'l'));
	drawing.setQuadraticToFunc((cx, cy, x, y, outline) => into(outline).quadratic(cx, cy, x, y));
	drawing.setCubicToFunc((ax, ay, bx, by, x, y, outline) => into(outline).cubic(ax, ay, bx, by, x, y));
	drawing.setClosePathFunc((outline) => into(outline).close());
	return drawing;
}
