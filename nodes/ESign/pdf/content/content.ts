import type { Objects } from '../objects/objects';
import { Unreadable } from '../objects/source';
import type { Dictionary, Value } from '../objects/values';
import type { FontCache } from './fontCache';
import { IDENTITY, moved, type Matrix } from './matrix';
import type { Place, Runs } from './runs';
import type { State } from './state';

/** What all content of a page shares. */
export interface Page {
	readonly objects: Objects;
	readonly fonts: FontCache;
	readonly runs: Runs;
	/** How many forms may still be executed. */
	formsLeft: number;
	isIncomplete: boolean;
}

/** Marked content that is not closed, with the text that stands for what it shows (14.9.4). */
interface Mark {
	since: Place;
	replacement: string | undefined;
}

const MOST_SAVED = 200;
const MOST_MARKS = 10_000;

/** A content stream while it is read: of a page, or of a form on it. */
export class Content {
	private readonly saved: State[] = [];
	private readonly marks: Mark[] = [];
	private line: Matrix = IDENTITY;
	/** From text space to that of the content, where the next glyph is shown. */
	text: Matrix = IDENTITY;
	/** A font could not be read: until the next place is given, nobody knows where text is. */
	isLost = false;

	private constructor(
		readonly page: Page,
		readonly resources: Dictionary,
		private readonly fonts: Dictionary,
		public state: State,
		/** How many forms it is in. */
		readonly depth: number,
	) {}

	static async open(page: Page, resources: Dictionary, state: State, depth = 0): Promise<Content> {
		const fonts = await page.objects.dictionary(resources.get('/Font'));
		return new Content(page, resources, fonts, state, depth);
	}

	/** A named resource (7.8.3). */
	async resource(kind: string, name: Value | undefined): Promise<Value | undefined> {
		const { objects } = this.page;
		const all = await objects.dictionary(this.resources.get(kind));
		return await objects.resolve(all.get(String(name)));
	}

	save(): void {
		if (this.saved.length >= MOST_SAVED) throw new Unreadable('Too many states are saved');
		this.saved.push({ ...this.state });
	}

	restore(): void {
		this.state = this.saved.pop() ?? this.state;
	}

	/** Text begins there, in the space of the content. */
	place(matrix: Matrix): void {
		this.line = matrix;
		this.text = matrix;
		this.isLost = false;
	}

	/** The next line begins there, from the beginning of this one. */
	nextLine(x: number, y: number): void {
		this.place(moved(this.line, x, y));
	}

	useNamedFont(name: Value | undefined): Promise<void> | undefined {
		return this.useFont(this.fonts.get(String(name)));
	}

	/** Waits only for a font that has to be read: text changes its font often. */
	useFont(value: Value | undefined): Promise<void> | undefined {
		const { fonts } = this.page;
		const known = fonts.known(value);
		if (known === false) {
			return fonts.read(value).then((font) => {
				this.state.font = font;
			});
		}
		this.state.font = known;
		return undefined;
	}

	beginMark(replacement?: string): void {
		if (this.marks.length >= MOST_MARKS) throw new Unreadable('Too much content is marked');
		this.marks.push({ since: this.page.runs.place, replacement });
	}

	endMark(): void {
		const mark = this.marks.pop();
		if (mark?.replacement !== undefined) this.page.runs.replaceSince(mark.since, mark.replacement);
	}
}
