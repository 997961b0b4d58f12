import { endOfString, PdfString } from './pdfString';
import { LONGEST_OBJECT, Unreadable, type Source } from './source';

/** `12 0 R`. */
export class Reference {
	constructor(
		readonly number: number,
		readonly generation: number,
	) {}
}

/**
 * A number with a sign or a point. Whatever the structure of a file depends on is written without:
 * there, this is no number.
 */
export class Real {
	constructor(readonly value: number) {}
}

/** A stream (7.3.8), which is at `at`, behind its dictionary. */
export class Stream {
	constructor(
		readonly dictionary: Dictionary,
		readonly at: number,
	) {}
}

/** A boolean, or an entry that is there twice. */
export const OTHER = Symbol('other');

/** A name comes with its slash. */
export type Value =
	| number
	| string
	| null
	| typeof OTHER
	| Real
	| PdfString
	| Reference
	| Stream
	| Value[]
	| Dictionary;

/** Without entries that are null, which is the same (ISO 32000-1, 7.3.7). */
export type Dictionary = Map<string, Value>;

/** More than a list of 20,000 pages has. */
const MAX_VALUES = 25_000;
const DEEPEST = 100;

/**
 * To look for something takes as long as so many characters; a value is one that is looked for
 * behind white space.
 */
const STEPS_OF_LOOK = 16;

const SPACE = /[\0\t\n\f\r ]*(?:%[^\r\n]*(?:[\r\n]|$)[\0\t\n\f\r ]*)*/y;
const REFERENCE = String.raw`(\d{1,10})[\0\t\n\f\r ]{1,32}(\d{1,5})[\0\t\n\f\r ]{1,32}R`;
const WORD = String.raw`(?:${REFERENCE}|true|false|null)(?![^\0\t\n\f\r ()<>[\]{}/%])`;
const NAME = String.raw`/[^\0\t\n\f\r ()<>[\]{}/%]*`;
const TOKEN = new RegExp(String.raw`${WORD}|[+\-.\d]+|${NAME}|<<|>>|[[\]]|<[^<>]*>|\(`, 'y');

/**
 * Reads the values at one place of a text (ISO 32000-1, 7.2 and 7.3). What is not well formed is
 * refused.
 */
export class Values {
	private readonly text: string;
	private at = 0;
	private count = 0;

	/** @param text the file, or what one of its streams unpacks to */
	constructor(
		private readonly source: Source,
		private readonly from: number,
		text?: string,
	) {
		this.text = text?.slice(from, from + LONGEST_OBJECT) ?? source.textFrom(from);
	}

	/** In the whole text. */
	get position(): number {
		return this.from + this.at;
	}

	/** Passes what a sticky pattern matches here, if it does. */
	take(pattern: RegExp): RegExpExecArray | undefined {
		pattern.lastIndex = this.at;
		const match = pattern.exec(this.text);
		if (match) this.at = pattern.lastIndex;
		this.source.spend(STEPS_OF_LOOK + (match?.[0].length ?? 0));
		return match ?? undefined;
	}

	/** Passes white space and comments. */
	skipSpace(): this {
		this.take(SPACE);
		return this;
	}

	value(): Value {
		return this.read(this.token(), 0);
	}

	dictionary(): Dictionary {
		const value = this.value();
		if (value instanceof Map) return value;
		throw new Unreadable('There is no dictionary here');
	}

	private token(): RegExpExecArray {
		const token = this.skipSpace().take(TOKEN);
		this.count += 1;
		if (!token || this.count > MAX_VALUES)
			throw new Unreadable('There is no value here, or too large a one');
		return token;
	}

	private read([text, number, generation]: RegExpExecArray, depth: number): Value {
		if (depth > DEEPEST) throw new Unreadable('Values are nested too deep');
		if (number !== undefined) return new Reference(Number(number), Number(generation));
		if (text === '<<') return this.entries(depth + 1);
		if (text === '[') return this.list(depth + 1);
		if (text === '(') return this.string();
		if (text.startsWith('<')) return new PdfString(text);
		if (text === 'null') return null;
		if (text.startsWith('/')) return nameOf(text);
		if (text === ']' || text === '>>')
			throw new Unreadable('A list or a dictionary ends where none is');
		if (/^\d{1,15}$/.test(text)) return Number(text);
		return /^[+\-.\d]/.test(text) ? new Real(parseNumber(text)) : OTHER;
	}

	private list(depth: number): Value[] {
		const list: Value[] = [];
		for (let token = this.token(); token[0] !== ']'; token = this.token())
			list.push(this.read(token, depth));
		return list;
	}

	private entries(depth: number): Dictionary {
		const entries: Dictionary = new Map();
		for (let token = this.token(); token[0] !== '>>'; token = this.token()) {
			const key = this.read(token, depth);
			if (typeof key !== 'string') throw new Unreadable('A key of a dictionary is not a name');
			const value = this.read(this.token(), depth);
			// Of an entry that is there twice, readers take this one or that one.
			if (value !== null) entries.set(key, entries.has(key) ? OTHER : value);
		}
		return entries;
	}

	private string(): PdfString {
		const from = this.at - 1;
		this.at = endOfString(this.text, from);
		this.source.spend(this.at - from);
		if (this.at > this.text.length) throw new Unreadable('A string does not end');
		return new PdfString(this.text.slice(from, this.at));
	}
}

/**
 * A name without its escapes. Readers do not agree on small letters in escapes: such a name stays
 * as it is, and is none that counts.
 */
export function nameOf(text: string): string {
	if (!text.includes('#')) return text;
	return text.replace(/#[\dA-F]{2}/g, (code) => String.fromCharCode(parseInt(code.slice(1), 16)));
}

/**
 * Any number. Some producers write --5 or 12-34: what is in front counts, as most readers have it.
 */
export function parseNumber(text: string): number {
	const number = Number(text);
	if (!Number.isNaN(number)) return number;
	const [, digits] = /^[+-]*(\d*\.?\d*)/.exec(text) ?? [];
	return (Number(digits) || 0) * (text.startsWith('-') ? -1 : 1);
}

/** Any number, also one with a sign or a point; undefined for all else. */
export function numeric(value: Value | undefined): number | undefined {
	if (value instanceof Real) return value.value;
	return typeof value === 'number' ? value : undefined;
}

/** @throws Unreadable for an entry that is there and is no whole number written in place */
export function integer(dictionary: Dictionary, key: string): number | undefined {
	const value = dictionary.get(key);
	if (value === undefined || typeof value === 'number') return value;
	throw new Unreadable('An entry is not a whole number');
}
