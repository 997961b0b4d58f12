import { endOfString, PdfString } from './pdfString';
import { Unreadable, type Source } from './source';
import { nameOf, parseNumber, type Value } from './values';

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
const LONGEST_LIST = 20_000;
const DEEPEST_LIST = 100;

/** Behind an inline image: the data may hold the same letters, but then no plain text behind. */
const END_OF_IMAGE = /[\0\t\n\f\r ]EI(?=[\0\t\n\f\r ](?:[\t\n\r -~]{12}|[\t\n\r -~]{0,12}$)|$)/g;

/** Does what an operator says, with the operands before it. */
type Operate = (operator: string, operands: Value[]) => Promise<void> | undefined;

/**
 * Reads a content stream (ISO 32000-1, 7.8.2), or a table of codes, which is written likewise, by
 * character code, one operator after the other.
 */
export class Scanner {
	private readonly operands: Value[] = [];
	private text = '';
	private at = 0;
	/** Lists that are not closed. */
	private readonly lists: Value[][] = [];

	constructor(
		private readonly source: Source,
		private readonly operate: Operate,
	) {}

	/** Reads a content, or the next part of it. */
	async read(content: Buffer): Promise<void> {
		const { source, operands } = this;
		this.text = content.toString('latin1');
		this.at = 0;
		while (this.at < this.text.length) {
			const from = this.at;
			const operator = this.token();
			if (operator !== undefined) {
				const work = this.operate(operator, operands);
				if (work) await work;
				operands.length = 0;
			}
			source.spend(this.at - from);
			if (source.isDue) await source.pause();
		}
	}

	/** Passes the data of an inline image (8.9.7). */
	passImage(): void {
		END_OF_IMAGE.lastIndex = this.at;
		if (!END_OF_IMAGE.test(this.text)) throw new Unreadable('An inline image does not end');
		this.at = END_OF_IMAGE.lastIndex;
	}

	/** Passes what is here; returns it if it is an operator. */
	private token(): string | undefined {
		const kind = KINDS[this.text.charCodeAt(this.at)];
		if (kind === SPACE) this.at += 1;
		else if (kind === DELIMITER) this.delimited();
		else {
			const word = this.take(this.endOfWord());
			if (kind === NUMBER) this.put(parseNumber(word));
			else if (word === 'true' || word === 'false' || word === 'null') this.put(null);
			else return word;
		}
		return undefined;
	}

	private put(value: Value): void {
		const values = this.lists.at(-1) ?? this.operands;
		if (values.length >= LONGEST_LIST) throw new Unreadable('There are too many values');
		values.push(value);
	}

	/** Passes the text from here to `end`, and returns it. */
	private take(end: number): string {
		if (end <= this.at || end > this.text.length || end - this.at > LONGEST_TOKEN)
			throw new Unreadable('A string does not end, or is too long');
		const taken = this.text.slice(this.at, end);
		this.at = end;
		return taken;
	}

	/** A dictionary is read as a list of keys and values. */
	private delimited(): void {
		const { text, at } = this;
		const isDouble = text[at] === text[at + 1];
		switch (text[at]) {
			case '(':
				return this.put(new PdfString(this.take(endOfString(text, at))));
			case '/':
				return this.put(nameOf(this.take(this.endOfWord())));
			case '%':
				this.take(at + (/[\r\n]|$/.exec(text.slice(at))?.index ?? 0));
				return;
			case '<':
				if (!isDouble) return this.put(new PdfString(this.take(text.indexOf('>', at) + 1)));
				this.at += 1;
				return this.beginList();
			case '[':
				return this.beginList();
			case '>':
				if (isDouble) this.at += 1;
				this.endList();
				break;
			case ']':
				this.endList();
		}
		// A sign that does not belong here counts as white space.
		this.at += 1;
	}

	private beginList(): void {
		if (this.lists.length >= DEEPEST_LIST) throw new Unreadable('Lists are nested too deep');
		this.lists.push([]);
		this.at += 1;
	}

	private endList(): void {
		const list = this.lists.pop();
		if (list) this.put(list);
	}

	private endOfWord(): number {
		const { text } = this;
		let at = this.at + 1;
		for (; at < text.length; at++) {
			const kind = KINDS[text.charCodeAt(at)];
			if (kind === SPACE || kind === DELIMITER) break;
		}
		return at;
	}
}
