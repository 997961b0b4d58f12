import { Unreadable, type Work } from '../work';
import { escapedWord, word } from './words';
import {
	BACKSLASH,
	BRACKET_CLOSE,
	BRACKET_OPEN,
	CLASS_OF,
	CR,
	GREATER,
	HASH,
	isDigit,
	isNumeric,
	LESS,
	LETTER_N,
	LETTER_R,
	LF,
	PAREN_CLOSE,
	PAREN_OPEN,
	PERCENT,
	REGULAR,
	SLASH,
	SPACE,
} from './characters';

/** No producer nests arrays and dictionaries this deep; readers that recurse would overflow at some depth. */
const DEEPEST = 100;

/** More digits than any number, offset or length of a file has. */
const MOST_DIGITS = 15;

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
	private first = 0;
	private second = 0;

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
		const { bytes } = this;
		const from = this.at;
		let at = from;
		for (; at < bytes.length; at++) {
			const byte = bytes[at] ?? 0;
			if (byte === PERCENT) {
				while (at < bytes.length && bytes[at] !== LF && bytes[at] !== CR) at += 1;
			} else if (CLASS_OF[byte] !== SPACE) break;
		}
		this.at = at;
		if (at > from) this.work.spend(at - from);
	}

	/** Passes `word` if these bytes are here, whatever follows them. */
	matches(word: Uint8Array): boolean {
		for (let index = 0; index < word.length; index++) {
			if (this.bytes[this.at + index] !== word[index]) return false;
		}
		this.at += word.length;
		this.work.spend(word.length);
		return true;
	}

	/** Passes `word` if it stands here as a token of its own. */
	matchesToken(word: Uint8Array): boolean {
		const from = this.at;
		if (!this.matches(word)) return false;
		if (CLASS_OF[this.peek()] !== REGULAR || this.at >= this.bytes.length) return true;
		this.at = from;
		return false;
	}

	/** Digits, as a number; undefined if there are none here. */
	digits(): number | undefined {
		const from = this.at;
		let value = 0;
		for (; isDigit(this.peek()); this.at++) value = value * 10 + this.peek() - 0x30;
		this.work.spend(this.at - from);
		return this.at === from ? undefined : value;
	}

	/** A value and its place; of arrays and dictionaries only where they begin. The lexer moves behind it. */
	value(): Value {
		this.skipSpace();
		const at = this.at;
		const byte = this.peek();
		if (byte === SLASH) return { kind: 'name', name: this.name() };
		if (byte === BRACKET_OPEN) {
			this.skipCompound();
			return { kind: 'array', at };
		}
		if (byte === LESS && this.byteAt(at + 1) === LESS) {
			this.skipCompound();
			return { kind: 'dictionary', at };
		}
		if (isDigit(byte)) {
			const kind = this.numberOrReference();
			if (kind === 'integer') return { kind, value: this.first };
			return kind === 'reference' ? { kind, number: this.first, generation: this.second } : OTHER;
		}
		this.skipScalar();
		return byte === LETTER_N ? NULL : OTHER;
	}

	/** Passes a name; one that means nothing here comes out empty. */
	name(): string {
		const { bytes } = this;
		const from = this.at + 1;
		let at = from;
		let hash = 0;
		let isEscaped = false;
		for (; at < bytes.length; at++) {
			const byte = bytes[at] ?? 0;
			if (CLASS_OF[byte] !== REGULAR) break;
			if (byte === HASH) isEscaped = true;
			hash = (hash * 31 + byte) | 0;
		}
		this.at = at;
		this.work.spend(at + 1 - from);
		return isEscaped ? escapedWord(bytes.subarray(from, at)) : word(hash, bytes, from, at);
	}

	/** Passes one value of whatever kind. */
	skip(): void {
		this.skipSpace();
		if (this.peek() === BRACKET_OPEN || (this.peek() === LESS && this.byteAt(this.at + 1) === LESS))
			this.skipCompound();
		else this.skipScalar();
	}

	private skipCompound(): void {
		/** For each array or dictionary that is open: true while a dictionary waits for a key. */
		const waitsForKey: boolean[] = [];
		const isDictionary: boolean[] = [];
		do {
			this.skipSpace();
			const depth = waitsForKey.length - 1;
			const byte = this.peek();
			if (depth >= 0 && waitsForKey[depth]) {
				if (byte === GREATER && this.byteAt(this.at + 1) === GREATER) {
					this.pass(2);
					waitsForKey.pop();
					isDictionary.pop();
				} else if (byte === SLASH) {
					this.skipName();
					waitsForKey[depth] = false;
				} else throw new Unreadable('A key of a dictionary is not a name');
				continue;
			}
			if (depth >= 0 && isDictionary[depth]) waitsForKey[depth] = true;
			if (byte === BRACKET_CLOSE && depth >= 0 && !isDictionary[depth]) {
				this.pass(1);
				waitsForKey.pop();
				isDictionary.pop();
			} else if (byte === BRACKET_OPEN) {
				this.pass(1);
				waitsForKey.push(false);
				isDictionary.push(false);
			} else if (byte === LESS && this.byteAt(this.at + 1) === LESS) {
				this.pass(2);
				waitsForKey.push(true);
				isDictionary.push(true);
			} else this.skipScalar();
			if (waitsForKey.length > DEEPEST) throw new Unreadable('Values are nested too deeply');
		} while (waitsForKey.length > 0);
	}

	private pass(bytes: number): void {
		this.at += bytes;
		this.work.spend(bytes);
	}

	private skipScalar(): void {
		const byte = this.peek();
		if (byte === SLASH) this.skipName();
		else if (byte === PAREN_OPEN) this.skipString();
		else if (byte === LESS) this.skipHexString();
		else if (isDigit(byte)) this.numberOrReference();
		else if (isNumeric(byte)) this.skipNumber();
		else if (!this.matchesToken(NULL_WORD) && !this.matchesToken(TRUE_WORD) && !this.matchesToken(FALSE_WORD)) {
			throw new Unreadable('There is no value where one is needed');
		}
	}

	/** Passes a number, or `12 0 R`; what an integer or a reference consists of is then in `first` and `second`. */
	private numberOrReference(): 'integer' | 'reference' | 'other' {
		const from = this.at;
		this.skipNumber();
		const end = this.at;
		if (!this.isInteger(from, end)) return 'other';
		this.first = this.integerIn(from, end);
		this.skipSpace();
		if (isDigit(this.peek())) {
			const second = this.at;
			this.skipNumber();
			const secondEnd = this.at;
			this.skipSpace();
			if (this.peek() === LETTER_R && this.isInteger(second, secondEnd)) {
				this.second = this.integerIn(second, secondEnd);
				this.pass(1);
				if (CLASS_OF[this.peek()] !== REGULAR || this.at >= this.bytes.length) return 'reference';
				throw new Unreadable('A reference runs into the next token');
			}
		}
		this.at = end;
		return 'integer';
	}

	private isInteger(from: number, end: number): boolean {
		if (end - from > MOST_DIGITS) return false;
		for (let at = from; at < end; at++) if (!isDigit(this.bytes[at] ?? 0)) return false;
		return true;
	}

	private integerIn(from: number, end: number): number {
		let value = 0;
		for (let at = from; at < end; at++) value = value * 10 + (this.bytes[at] ?? 0) - 0x30;
		return value;
	}

	private skipNumber(): void {
		const from = this.at;
		let at = from;
		while (at < this.bytes.length && isNumeric(this.bytes[at] ?? 0)) at += 1;
		this.at = at;
		this.work.spend(at - from);
	}

	private skipName(): void {
		const from = this.at;
		let at = from + 1;
		while (at < this.bytes.length && CLASS_OF[this.bytes[at] ?? 0] === REGULAR) at += 1;
		this.at = at;
		this.work.spend(at - from);
	}

	private skipString(): void {
		const from = this.at;
		let depth = 0;
		for (let at = from; at < this.bytes.length; at++) {
			const byte = this.bytes[at];
			if (byte === BACKSLASH) at += 1;
			else if (byte === PAREN_OPEN) depth += 1;
			else if (byte === PAREN_CLOSE && --depth === 0) {
				this.pass(at + 1 - from);
				return;
			}
		}
		this.pass(this.bytes.length - from);
		throw new Unreadable('A string does not end');
	}

	private skipHexString(): void {
		const from = this.at;
		const end = this.bytes.indexOf(GREATER, from);
		this.pass((end < 0 ? this.bytes.length : end + 1) - from);
		if (end < 0) throw new Unreadable('A string does not end');
	}
}

const NULL_WORD = Buffer.from('null');
const TRUE_WORD = Buffer.from('true');
const FALSE_WORD = Buffer.from('false');
