import {
	Dictionary,
	ensure,
	fromHex,
	LONGEST_OBJECT,
	numberOf,
	OTHER,
	PdfString,
	Reference,
	unescaped,
	type Source,
	type Value,
} from './values';

/** What a character is, by its code. Digits, signs and points begin a number. */
const WORD = 0;
const SPACE = 1;
const DELIMITER = 2;
const NUMBER = 3;
const KINDS = new Uint8Array(256).fill(WORD);
for (const sign of '\0\t\n\f\r ') KINDS[sign.charCodeAt(0)] = SPACE;
for (const sign of '()<>[]{}/%') KINDS[sign.charCodeAt(0)] = DELIMITER;
for (const sign of '0123456789+-.') KINDS[sign.charCodeAt(0)] = NUMBER;

/** In characters: a string of 32,767 bytes may take twice as many. */
const LONGEST_TOKEN = 65_536;
const LONGEST_LIST = 25_000;

/**
 * The data of an inline image (8.9.7), with its end. The data may hold the same letters, but then
 * no plain text behind them.
 */
const IMAGE = /[^]*?[\0\t\n\f\r ]EI(?=[\0\t\n\f\r ](?:[\t\n\r -~]{12}|[\t\n\r -~]{0,12}$)|$)/y;

/** To look for something takes as long as so many characters, and so does each value or word. */
const STEPS_OF_LOOK = 16;

/**
 * Reads a text by character code (ISO 32000-1, 7.2 and 7.3): the structure of a file, or content,
 * which is operators with values before them (7.8.2). What is not well formed is refused.
 */
export class Scanner {
	/** Those of the innermost list, or since the last word. */
	values: Value[] = [];
	private at = 0;
	/** How far the value that is read may go. */
	private limit = 0;
	/** How each list ends that has begun, the innermost last, and the values before it. */
	private readonly open: Array<{ end: string; before: Value[] }> = [];

	/**
	 * @param from where the text begins in the file
	 * @param isContent so that a word within a list is passed: tables of codes have some
	 */
	constructor(
		private readonly source: Source,
		private readonly text: string,
		private readonly from = 0,
		private readonly isContent = false,
	) {}

	/** Begins at one place of a file. */
	static at(source: Source, place: number): Scanner {
		return new Scanner(source, source.textFrom(place), place);
	}

	/** In the file. */
	get position(): number {
		return this.from + this.at;
	}

	/** Not within a list: that does not end. */
	get isAtEnd(): boolean {
		return this.at >= this.text.length && this.open.length === 0;
	}

	/** Passes what a sticky pattern matches here, if it does. */
	take(pattern: RegExp): RegExpExecArray | null {
		pattern.lastIndex = this.at;
		const match = pattern.exec(this.text);
		if (match) this.at = pattern.lastIndex;
		this.source.spend(STEPS_OF_LOOK + (match?.[0].length ?? 0));
		return match;
	}

	/** Passes white space and comments. */
	skipSpace(): this {
		const { text, at } = this;
		let isComment = false;
		for (; this.at < text.length; this.at++) {
			const sign = text[this.at];
			if (sign === '%') isComment = true;
			else if (sign === '\n' || sign === '\r') isComment = false;
			else if (!isComment && KINDS[text.charCodeAt(this.at)] !== SPACE) break;
			ensure(this.at - at <= LONGEST_OBJECT, 'There is too much white space');
		}
		this.source.spend(this.at - at);
		return this;
	}

	/** The value that is here. */
	async value(): Promise<Value> {
		while (this.values.length === 0 || this.open.length > 0) {
			const pause = this.source.pause();
			if (pause) await pause;
			ensure(this.skipSpace().next() === undefined, 'There is no value here');
		}
		return this.values.pop() ?? null;
	}

	/**
	 * Passes a token: a value is added to the others, and a word that stands in no list is returned.
	 * A word has no slash, as opposed to a name.
	 */
	next(): string | undefined {
		const { open, values } = this;
		if (open.length === 0) this.limit = this.at + LONGEST_OBJECT;
		const token = this.token();
		const list = open.at(-1);
		// Once n8n has read a PDF, `push` is a polyfill of pdf.js, which takes several times as long.
		if (typeof token !== 'string' || token.startsWith('/')) values[values.length] = token;
		else if (token === '[' || token === '<<') {
			open.push({ end: token === '[' ? ']' : '>>', before: values });
			this.values = [];
		} else if (!list) return token;
		else if (token === list.end) {
			open.pop();
			// A list that has grown keeps room for more: nested ones would take most of the memory.
			list.before.push(token === ']' ? values.slice() : dictionaryOf(this.source, values));
			this.values = list.before;
		} else if (token === 'R') values.push(referenceOf(values));
		else ensure(this.isContent, 'A list or a dictionary does not end');
		ensure(this.values.length <= LONGEST_LIST, 'There are too many values');
		return undefined;
	}

	/** A value, or a word, which may also be the beginning or the end of a list. */
	private token(): Value {
		const { text, at } = this;
		const kind = KINDS[text.charCodeAt(at)];
		if (kind === NUMBER) return numberOf(this.word());
		if (kind !== DELIMITER) return valueOf(this.word());
		if (text.startsWith('<<', at) || text.startsWith('>>', at)) return this.cut(at + 2);
		switch (text[at]) {
			case '(':
				return new PdfString(unescaped(this.string()));
			case '/':
				return nameOf(this.word());
			case '<':
				return new PdfString(fromHex(this.cut(text.indexOf('>', at) + 1)));
			default:
				return this.cut(at + 1);
		}
	}

	/** Passes the text from here to `end`, and returns it. */
	private cut(end: number): string {
		const { text, at } = this;
		const last = Math.min(text.length, this.limit, at + LONGEST_TOKEN);
		ensure(end > at && end <= last, 'A string or a word does not end, or is too long');
		this.source.spend(end - at + STEPS_OF_LOOK);
		this.at = end;
		return text.slice(at, end);
	}

	/** What a string in round brackets holds: it may be others. */
	private string(): string {
		const { text, at } = this;
		let open = 1;
		let end = at + 1;
		for (; open > 0 && end <= at + LONGEST_TOKEN; end++) {
			const sign = text[end];
			if (sign === '(') open += 1;
			if (sign === ')') open -= 1;
			if (sign === '\\') end += 1;
		}
		return this.cut(end).slice(1, -1);
	}

	private word(): string {
		const { text, at } = this;
		let end = at + 1;
		for (; end <= at + LONGEST_TOKEN; end++) {
			const kind = KINDS[text.charCodeAt(end)];
			if (kind !== WORD && kind !== NUMBER) break;
		}
		return this.cut(end);
	}
}

function valueOf(word: string): Value {
	if (word === 'null') return null;
	return word === 'true' || word === 'false' ? OTHER : word;
}

/**
 * A name without its escapes. Readers do not agree on small letters in escapes: such a name stays
 * as it is, and is none that counts.
 */
function nameOf(text: string): string {
	return text.replace(/#[\dA-F]{2}/g, (code) => String.fromCharCode(parseInt(code.slice(1), 16)));
}

/** Of the two numbers at the end of a list, which are taken away. */
function referenceOf(list: Value[]): Value {
	const [number, generation] = list.splice(-2);
	const areNumbers = typeof number === 'number' && typeof generation === 'number';
	ensure(areNumbers, 'A reference has no number');
	return new Reference(number, generation);
}

function dictionaryOf(source: Source, list: readonly Value[]): Dictionary {
	const entries = new Dictionary(source);
	for (let at = 0; at < list.length; at += 2) {
		const [key, value] = list.slice(at, at + 2);
		ensure(typeof key === 'string' && value !== undefined, 'A name and a value are no pair');
		// Of an entry that is there twice, readers take this one or that one.
		if (value !== null) entries.set(key, entries.has(key) ? OTHER : value);
	}
	return entries;
}

/**
 * Reads a content stream, or a table of codes, which is written likewise.
 *
 * @param operate does what an operator says, with the operands before it
 */
export async function scan(
	source: Source,
	content: Buffer,
	operate: (operator: string, operands: Value[]) => Promise<void> | undefined | void,
): Promise<void> {
	const scanner = new Scanner(source, content.toString('latin1'), 0, true);
	while (!scanner.skipSpace().isAtEnd) {
		const pause = source.pause();
		if (pause) await pause;
		const word = scanner.next();
		if (word === 'ID') ensure(scanner.take(IMAGE), 'An inline image does not end');
		else if (word !== undefined) {
			const work = operate(word, scanner.values);
			if (work) await work;
			scanner.values = [];
		}
	}
}
