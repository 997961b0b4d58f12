import type { Font } from '../fonts';
import {
	ensure,
	numeric,
	PdfString,
	type Dictionary,
	type Source,
	type Value,
} from '../objects/values';
import { IDENTITY, multiply, type Matrix } from './geometry';
import type { Runs } from './runs';

/** What all content of a page shares. */
export interface Page {
	readonly source: Source;
	/** Undefined for a font that cannot be read. */
	readonly fontOf: (value: Value | undefined) => Promise<Font | undefined>;
	readonly runs: Runs;
	/** How many forms may still be executed. */
	formsLeft: number;
}

/** What `q` saves and `Q` brings back (ISO 32000-1, 8.4 and 9.3), as far as text needs it. */
export class State {
	/** Undefined where it is missing, or cannot be read. */
	font?: Font | undefined;
	size = 0;
	charSpace = 0;
	wordSpace = 0;
	/** In percent of what the font says. */
	scale = 100;
	leading = 0;
	rise = 0;

	/** @param ctm from the space of the content to points of the page as it is seen */
	constructor(public ctm: Matrix) {}
}

const MOST_SAVED = 200;

/** A glyph takes memory, and as long as so many characters. */
const STEPS_OF_GLYPH = 40;

/** Glyphs: no line has as many, and longer texts are shown part by part. */
const MOST_AT_ONCE = 2_000;

/** A content stream while it is read: of a page, or of a form on it. */
export class Content {
	/** From text space to that of the content. */
	private matrix: Matrix = IDENTITY;
	/** Where the next glyph is shown, and where its line begins, in text space. */
	private x = 0;
	private y = 0;
	private lineX = 0;
	/** A font could not be read: until the next place is given, it is unknown where text is. */
	private isLost = false;
	private readonly saved: State[] = [];
	/** Of each mark that is not closed, the replacement that there was before it. */
	private readonly marks: Array<string | undefined> = [];
	/** The text that stands for those of the next glyphs, of the first of them (14.9.4). */
	private replacement: string | undefined;
	private readonly found = new Map<string, Dictionary>();

	constructor(
		readonly page: Page,
		readonly resources: Dictionary,
		public state: State,
		/** In how many others it is: a page in none that shows anything. */
		readonly depth: number,
	) {}

	/** A named resource (7.8.3), often as a reference. */
	async resource(kind: string, name: Value | undefined): Promise<Value | undefined> {
		let all = this.found.get(kind);
		if (!all) {
			all = await this.resources.dictionary(kind);
			this.found.set(kind, all);
		}
		return all.get(String(name));
	}

	save(): void {
		ensure(this.saved.length < MOST_SAVED, 'Too many states are saved');
		this.saved.push({ ...this.state });
	}

	restore(): void {
		this.state = this.saved.pop() ?? this.state;
	}

	/** Text begins at the origin of a text space. */
	place(matrix: Matrix): void {
		this.matrix = matrix;
		this.lineX = 0;
		this.y = 0;
		this.nextLine(0, 0);
	}

	/** The next line begins there, from the beginning of this one. */
	nextLine(x: number, y: number): void {
		this.lineX += x;
		this.x = this.lineX;
		this.y += y;
		this.isLost = false;
	}

	/**
	 * Shows strings, and moves between them by numbers, in thousandths of the em (ISO 32000-1, 9.4.3
	 * and 9.4.4). Returns what to wait for, if they are long.
	 */
	show(parts: readonly Value[]): Promise<void> | undefined {
		const { source, runs } = this.page;
		const { ctm, font, size, charSpace, wordSpace, rise } = this.state;
		if (!font || this.isLost) {
			this.isLost = true;
			runs.isIncomplete = true;
			return undefined;
		}
		const [a, b, c, d, e, f] = multiply(this.matrix, ctm);
		const y = this.y + rise;
		const scale = this.state.scale / 100;
		// How many points of the page a unit of text space is along the text, which may run backwards.
		const points = Math.hypot(a, b) * Math.sign(size * scale);
		const em = size * font.em;
		const ux = c * em;
		const uy = d * em;
		const offset = runs.begin({
			x: this.x * a + y * c + e,
			y: this.x * b + y * d + f,
			dx: a / points,
			dy: b / points,
			ux,
			uy,
			size: Math.hypot(ux, uy),
		});
		let at = 0;
		let room = MOST_AT_ONCE;
		for (const part of parts) {
			at -= ((numeric(part) ?? 0) / 1000) * size * scale;
			if (!(part instanceof PdfString)) continue;
			for (let next = 0; next < part.bytes.length; room--) {
				if (room === 0) {
					const rest = new PdfString(part.bytes.slice(next));
					const left = [rest, ...parts.slice(parts.indexOf(part) + 1)];
					this.x += at;
					return Promise.resolve(source.pause()).then(() => this.show(left));
				}
				source.spend(STEPS_OF_GLYPH);
				const glyph = font.glyphAt(part.bytes, next);
				next += glyph.length;
				const width = glyph.width * size * scale;
				const start = offset + at * points;
				runs.add(this.replacement ?? glyph.text, start, start + width * points);
				if (this.replacement) this.replacement = '';
				at += width + (glyph.isSpace ? charSpace + wordSpace : charSpace) * scale;
			}
		}
		this.x += at;
		return undefined;
	}

	/** @param replacement the text that stands for what is shown until the mark ends */
	beginMark(replacement?: string): void {
		this.marks.push(this.replacement);
		this.replacement ??= replacement;
	}

	/** A replacement ends with the mark that it began with. */
	endMark(): void {
		if (this.marks.pop() === undefined) this.replacement = undefined;
	}
}
