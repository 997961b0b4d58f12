import type { Font, Glyph } from '../fonts';
import type { Objects } from '../objects/objects';
import { Unreadable } from '../objects/source';
import type { Dictionary, Value } from '../objects/values';
import { IDENTITY, type Matrix } from './matrix';
import type { Runs } from './runs';

/** What all content of a page shares. */
export interface Page {
	readonly objects: Objects;
	/** Undefined for a font that cannot be read. */
	readonly fontOf: (value: Value | undefined) => Promise<Font | undefined>;
	readonly runs: Runs;
	/** How many forms may still be executed. */
	formsLeft: number;
}

/** What `q` saves and `Q` brings back (ISO 32000-1, 8.4 and 9.3), as far as text needs it. */
export interface State {
	/** From the space of the content to points of the page as it is seen. */
	ctm: Matrix;
	/** Undefined where it is missing, or cannot be read. */
	font?: Font | undefined;
	size: number;
	charSpace: number;
	wordSpace: number;
	/** In percent of what the font says. */
	scale: number;
	leading: number;
	rise: number;
}

const MOST_SAVED = 200;

/** A content stream while it is read: of a page, or of a form on it. */
export class Content {
	/** From text space to that of the content. */
	matrix: Matrix = IDENTITY;
	/** Where the next glyph is shown, and where its line begins, in text space. */
	x = 0;
	y = 0;
	private lineX = 0;
	/** A font could not be read: until the next place is given, it is unknown where text is. */
	isLost = false;
	private readonly saved: State[] = [];
	/** How much marked content is not closed, and which of it has a text of its own (14.9.4). */
	private marks = 0;
	private replaced = 0;
	private replacement: string | undefined;
	private readonly found = new Map<string, Dictionary>();

	constructor(
		readonly page: Page,
		readonly resources: Dictionary,
		public state: State,
		/** How many forms it is in. */
		readonly depth: number,
	) {}

	/** A named resource (7.8.3), often as a reference. */
	async resource(kind: string, name: Value | undefined): Promise<Value | undefined> {
		let all = this.found.get(kind);
		if (!all) {
			all = await this.page.objects.dictionary(this.resources.get(kind));
			this.found.set(kind, all);
		}
		return all.get(String(name));
	}

	save(): void {
		if (this.saved.length >= MOST_SAVED) throw new Unreadable('Too many states are saved');
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

	/** @param replacement the text that stands for what is shown until the mark ends */
	beginMark(replacement: string | undefined): void {
		this.marks += 1;
		if (this.replacement !== undefined || replacement === undefined) return;
		this.replacement = replacement;
		this.replaced = this.marks;
	}

	endMark(): void {
		if (this.marks === this.replaced) this.replacement = undefined;
		this.marks -= 1;
	}

	/** The text of the next glyph. One that stands for several belongs to the first of them. */
	textOf({ text }: Glyph): string | undefined {
		if (this.replacement === undefined) return text;
		const { replacement } = this;
		this.replacement = '';
		return replacement;
	}
}
