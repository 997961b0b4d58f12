import { PdfString } from './pdfString';
import { Unreadable, type Source } from './source';
import { nameOf, Values, type Value } from './values';

/** What a character is part of, by its code. */
const WORD = 0;
const SPACE = 1;
const DELIMITER = 2;
const NUMBER = 3;
const KINDS = new Uint8Array(256).fill(WORD);
for (const sign of '\0\t\n\f\r ') KINDS[sign.charCodeAt(0)] = SPACE;
for (const sign of '()<>[]{}/%') KINDS[sign.charCodeAt(0)] = DELIMITER;
for (const sign of '0123456789+-.') KINDS[sign.charCodeAt(0)] = NUMBER;

const LINE_FEED = 10;
const RETURN = 13;
const OPEN = 40;
const CLOSE = 41;
const MINUS = 45;
const POINT = 46;
const ZERO = 48;
const NINE = 57;
const BACKSLASH = 92;

/** In characters: a string of 32,767 bytes may take twice as many. */
const LONGEST_TOKEN = 65_536;
const LONGEST_LIST = 20_000;

/** A table of 70,000 codes has three operands for each of them. */
const MOST_OPERANDS = 210_000;

/** In bytes. */
const PIECE = 16 * 1024;

/** Does what an operator says, with the operands before it. */
type Operate = (operator: string, operands: Value[], scanner: Scanner) => Promise<void> | undefined;

/**
 * Reads a content stream (ISO 32000-1, 7.8.2), or a table of codes or a font program, which are
 * written likewise, one operator after the other.
 */
export async function scan(
	source: Source,
	pieces: AsyncIterable<Buffer>,
	operate: Operate,
): Promise<void> {
	const scanner = new Scanner(source);
	const operateAll = async () => {
		for (let operator = scanner.next(); operator !== undefined; operator = scanner.next()) {
			const work = operate(operator, scanner.operands, scanner);
			if (work) await work;
			scanner.operands.length = 0;
			if (source.isDue) await source.pause();
		}
		await source.pause();
	};
	for await (const piece of pieces) {
		for (let from = 0; from < piece.length; from += PIECE) {
			scanner.add(piece.toString('latin1', from, from + PIECE));
			await operateAll();
		}
	}
	scanner.end();
	await operateAll();
}

/** Takes a text apart by character code. It is given in pieces, and read as far as is certain. */
export class Scanner {
	readonly operands: Value[] = [];
	private text = '';
	private at = 0;
	private isWhole = false;
	private isInImage = false;
	private list: Value[] | undefined;

	constructor(private readonly source: Source) {}

	add(piece: string): void {
		this.text = this.text.slice(this.at) + piece;
		this.at = 0;
	}

	/** Nothing more is added. */
	end(): void {
		this.isWhole = true;
	}

	/** The next operator; undefined where more has to be added first, and at the end. */
	next(): string | undefined {
		const from = this.at;
		const end = this.text.length - (this.isWhole ? 0 : LONGEST_TOKEN);
		let operator: string | undefined;
		if (this.isInImage) this.passImage(end);
		while (operator === undefined && this.at < end) operator = this.token();
		this.source.spend(this.at - from);
		return operator;
	}

	/** What is here is the data of an inline image (8.9.7). */
	beginImage(): void {
		this.isInImage = true;
	}

	/**
	 * Its end is known by white space around it, and by plain text behind: the data may hold the same
	 * letters.
	 */
	private passImage(end: number): void {
		const text = this.text.slice(this.at);
		const found = text.search(
			/[\0\t\n\f\r ]EI(?:[\0\t\n\f\r ](?:[\t\n\r -~]{12}|[\t\n\r -~]{0,12}$)|$)/,
		);
		this.isInImage = found < 0;
		if (found >= 0) this.at += found + ' EI'.length;
		else if (this.isWhole) throw new Unreadable('An inline image does not end');
		else this.at = Math.max(this.at, end);
	}

	/** Passes what is here; returns it if it is an operator. */
	private token(): string | undefined {
		const code = this.text.charCodeAt(this.at);
		const kind = KINDS[code];
		if (kind === SPACE) this.at += 1;
		else if (kind === NUMBER) this.put(this.number());
		else if (kind === DELIMITER) this.delimited();
		else {
			const word = this.take(this.endOfWord());
			if (word !== 'true' && word !== 'false' && word !== 'null') return word;
			this.put(null);
		}
		return undefined;
	}

	private put(value: Value): void {
		const values = this.list ?? this.operands;
		if (values.length >= (this.list ? LONGEST_LIST : MOST_OPERANDS))
			throw new Unreadable('There are too many values');
		values.push(value);
	}

	/** Passes the text from here to `end`, and returns it. */
	private take(end: number): string {
		if (end - this.at > LONGEST_TOKEN) throw new Unreadable('A string or a name is too long');
		const taken = this.text.slice(this.at, end);
		this.at = end;
		return taken;
	}

	private delimited(): void {
		switch (this.text[this.at]) {
			case '(':
				return this.put(new PdfString(this.take(this.endOfString())));
			case '/':
				return this.put(nameOf(this.take(this.endOfWord())));
			case '<':
				return this.put(this.bracketed());
			case '[':
				this.list = [];
				break;
			case ']':
				this.endList();
				break;
			case '%':
				this.take(this.endOfLine());
				return;
		}
		// A sign that does not belong here counts as white space.
		this.at += 1;
	}

	private endList(): void {
		const { list } = this;
		this.list = undefined;
		if (list) this.put(list);
	}

	/** A string of hexadecimal digits, or a dictionary. */
	private bracketed(): Value {
		if (this.text[this.at + 1] === '<') {
			const values = new Values(this.source, this.at, this.text);
			const dictionary = values.dictionary();
			this.at = values.position;
			return dictionary;
		}
		const end = this.text.indexOf('>', this.at);
		if (end < 0) throw new Unreadable('A string does not end');
		return new PdfString(this.take(end + 1));
	}

	private endOfWord(): number {
		const { text } = this;
		let at = this.at + 1;
		for (; at < text.length; at++) {
			const kind = KINDS[text.charCodeAt(at)];
			if (kind !== WORD && kind !== NUMBER) break;
		}
		return at;
	}

	private endOfLine(): number {
		const { text } = this;
		let at = this.at;
		for (; at < text.length; at++) {
			const code = text.charCodeAt(at);
			if (code === LINE_FEED || code === RETURN) break;
		}
		return at;
	}

	private endOfString(): number {
		const { text } = this;
		let open = 0;
		for (let at = this.at; at < text.length; at++) {
			const code = text.charCodeAt(at);
			if (code === BACKSLASH) at += 1;
			else if (code === OPEN) open += 1;
			else if (code === CLOSE) open -= 1;
			if (open === 0) return at + 1;
		}
		throw new Unreadable('A string does not end');
	}

	/** As most readers have it, --5 is -5, and what is behind 12- or 0.0. does not count. */
	private number(): number {
		const { text } = this;
		const isNegative = text.charCodeAt(this.at) === MINUS;
		let digits = 0;
		/** What the digits are divided by; 0 before a point. */
		let divisor = 0;
		let hasDigits = false;
		let at = this.at;
		for (; at < text.length; at++) {
			const code = text.charCodeAt(at);
			if (code >= ZERO && code <= NINE) {
				digits = digits * 10 + code - ZERO;
				divisor *= 10;
				hasDigits = true;
			} else if (code === POINT && divisor === 0) divisor = 1;
			else if (KINDS[code] !== NUMBER || hasDigits || divisor > 0) break;
		}
		while (KINDS[text.charCodeAt(at)] === NUMBER) at += 1;
		this.take(at);
		const value = divisor > 0 ? digits / divisor : digits;
		return isNegative ? -value : value;
	}
}
