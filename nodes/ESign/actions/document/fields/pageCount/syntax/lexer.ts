import { Unreadable, type Work } from '../work';
import { BRACKET_OPEN, CLASS_OF, HASH, isDigit, isSpace, LESS, LETTER_N, LETTER_R, REGULAR, SLASH } from './characters';
import { endOfCompound } from './compound';
import { endOfNumber, endOfScalar, endOfSpace, isInteger, isRegular, malformed, startsWith } from './skip';
import { escapedWord, word } from './words';

export type Value =
	| { kind: 'integer'; value: number }
	| { kind: 'name'; name: string }
	| { kind: 'reference'; number: number; generation: number }
	| { kind: 'array' | 'dictionary'; at: number }
	| { kind: 'null' | 'other' };

const OTHER: Value = { kind: 'other' };
const NULL: Value = { kind: 'null' };

/**
 * Reads PDF source token by token (ISO 32000-1, 7.2 and 7.3). What is not well formed is refused. Nothing recurses, and
 * every byte passed is counted as work.
 */
export class Lexer {
	/** The number passed last; of a reference the number and the generation of the object. */
	first = 0;
	second = 0;

	constructor(
		readonly bytes: Uint8Array,
		public at: number,
		readonly work: Work,
	) {}

	/** The byte here; -1 at the end. */
	peek(): number {
		return this.at < this.bytes.length ? (this.bytes[this.at] ?? -1) : -1;
	}

	byteAt(at: number): number {
		return at < this.bytes.length ? (this.bytes[at] ?? -1) : -1;
	}

	/** Passes white space and comments. */
	skipSpace(): void {
		if (!isSpace(this.peek())) return;
		this.moveTo(endOfSpace(this.bytes, this.at, this.end));
	}

	/** Passes `word` if these bytes are here, whatever follows them. */
	matches(word: Uint8Array): boolean {
		if (!startsWith(this.bytes, this.at, word)) return false;
		this.moveTo(this.at + word.length);
		return true;
	}

	/** Passes `word` if it stands here as a token of its own. */
	matchesToken(word: Uint8Array): boolean {
		const from = this.at;
		if (!this.matches(word)) return false;
		if (!isRegular(this.bytes, this.at)) return true;
		this.at = from;
		return false;
	}

	/** Digits, as a number; undefined if there are none here. */
	digits(): number | undefined {
		const { bytes, at: from, end } = this;
		let at = from;
		let value = 0;
		for (; at < end; at++) {
			const byte = bytes[at] ?? 0;
			if (!isDigit(byte)) break;
			value = value * 10 + byte - 0x30;
		}
		if (at === from) return undefined;
		this.moveTo(at);
		return value;
	}

	/** A value and its place; of arrays and dictionaries only where they begin. The lexer moves behind it. */
	value(): Value {
		this.skipSpace();
		const { at } = this;
		const byte = this.peek();
		if (byte === SLASH) return { kind: 'name', name: this.name() };
		if (this.isAtCompound()) {
			this.moveTo(endOfCompound(this.bytes, at, this.end));
			return { kind: byte === LESS ? 'dictionary' : 'array', at };
		}
		if (isDigit(byte)) {
			const kind = this.numberOrReference();
			if (kind === 'integer') return { kind, value: this.first };
			return kind === 'reference' ? { kind, number: this.first, generation: this.second } : OTHER;
		}
		this.moveTo(endOfScalar(this.bytes, at, this.end));
		return byte === LETTER_N ? NULL : OTHER;
	}

	/** Passes a reference, if one is here; what it consists of is then in `first` and `second`. */
	reference(): boolean {
		return isDigit(this.peek()) && this.numberOrReference() === 'reference';
	}

	/** Passes a name; one that means nothing here comes out empty. */
	name(): string {
		const { bytes, end } = this;
		const from = this.at + 1;
		let at = from;
		let hash = 0;
		let isEscaped = false;
		for (; at < end; at++) {
			const byte = bytes[at] ?? 0;
			if (CLASS_OF[byte] !== REGULAR) break;
			if (byte === HASH) isEscaped = true;
			hash = (hash * 31 + byte) | 0;
		}
		this.moveTo(at);
		return isEscaped ? escapedWord(bytes, from, at) : word(hash, bytes, from, at);
	}

	/** Passes one value of whatever kind. */
	skip(): void {
		this.skipSpace();
		if (this.isAtCompound()) this.moveTo(endOfCompound(this.bytes, this.at, this.end));
		else if (isDigit(this.peek())) this.numberOrReference();
		else this.moveTo(endOfScalar(this.bytes, this.at, this.end));
	}

	/** Where the bytes end, or how far the work that is left reaches: whatever is longer is given up in any case. */
	private get end(): number {
		return Math.min(this.bytes.length, this.at + this.work.left + 1);
	}

	private isAtCompound(): boolean {
		const byte = this.peek();
		return byte === BRACKET_OPEN || (byte === LESS && this.byteAt(this.at + 1) === LESS);
	}

	/** @param end may be a place that is `malformed` */
	private moveTo(end: number): void {
		const from = this.at;
		this.at = end < 0 ? malformed(end) : end;
		this.work.spend(this.at - from);
		if (end < 0) throw new Unreadable('There is no value where one is needed');
	}

	/** Passes a number, or `12 0 R`; what an integer or a reference consists of is then in `first` and `second`. */
	private numberOrReference(): 'integer' | 'reference' | 'other' {
		const { bytes, at: from } = this;
		const end = endOfNumber(bytes, from, this.end);
		this.moveTo(end);
		if (!isInteger(bytes, from, end)) return 'other';
		this.first = integerIn(bytes, from, end);
		const second = endOfSpace(bytes, end, bytes.length);
		if (!isDigit(this.byteAt(second))) return 'integer';
		const secondEnd = endOfNumber(bytes, second, bytes.length);
		const letter = endOfSpace(bytes, secondEnd, bytes.length);
		this.work.spend(letter - end);
		if (this.byteAt(letter) !== LETTER_R || !isInteger(bytes, second, secondEnd)) return 'integer';
		this.second = integerIn(bytes, second, secondEnd);
		this.moveTo(isRegular(bytes, letter + 1) ? malformed(letter) : letter + 1);
		return 'reference';
	}
}

function integerIn(bytes: Uint8Array, from: number, end: number): number {
	let value = 0;
	for (let at = from; at < end; at++) value = value * 10 + (bytes[at] ?? 0) - 0x30;
	return value;
}
