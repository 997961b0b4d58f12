import { LoopTurn } from '../loopTurn';

/** The clock is read only after so many steps: far less than a millisecond of work. */
const STEPS_BETWEEN_LOOKS = 4_000;

/** A page of a contract takes about 2,000 to be counted, and 200,000 to be read. */
const MOST_STEPS = 150_000_000;

/** In bytes: more than a list of 20,000 pages takes. */
export const LONGEST_OBJECT = 256 * 1024;

/** In bytes, packed or not: to make a buffer or a text of more holds the loop for over 20 ms. */
export const LONGEST_CONTENT = 2 * 1024 * 1024;

/** Thrown where it cannot be said for certain what a file has. */
export class Unreadable extends Error {}

/** @throws Unreadable unless the condition holds */
export function ensure(condition: unknown, otherwise: string): asserts condition {
	if (!condition) throw new Unreadable(otherwise);
}

/**
 * A file from `%PDF-` on, and the work that it has made. The limits are the same for a file of any
 * size. One step is a character that is read, or what takes as long.
 */
export abstract class Source {
	/** By the place where each begins. */
	private readonly windows = new Map<number, string>();
	private steps = 0;
	private nextLook = STEPS_BETWEEN_LOOKS;
	private readonly turn = new LoopTurn();

	constructor(readonly bytes: Buffer) {}

	/** The value itself, or what it refers to. */
	abstract resolve(value: Value | undefined): Promise<Value | undefined>;

	/** The content of a stream, or of several as one (7.7.3.3); nothing for all else. */
	abstract content(value: Value | undefined): Promise<Buffer>;

	/** The values of a list, or one that stands alone; none of them is a reference. */
	async list(value: Value | undefined): Promise<Value[]> {
		const found = (await this.resolve(value)) ?? [];
		if (!Array.isArray(found)) return [found];
		const list: Value[] = [];
		for (const one of found) list.push((await this.resolve(one)) ?? null);
		return list;
	}

	/**
	 * The text from a place on, at least as far as an object may be long; one character for each
	 * byte. A file as a whole would take too long to become text.
	 */
	textFrom(at: number): string {
		const begin = at - (at % LONGEST_OBJECT);
		let window = this.windows.get(begin);
		if (window === undefined) {
			window = this.bytes.toString('latin1', begin, begin + 2 * LONGEST_OBJECT);
			this.windows.set(begin, window);
		}
		return window.slice(at - begin);
	}

	/** @throws Unreadable if the file takes too long, again and again: what is left is not read */
	spend(steps: number): void {
		this.steps += steps;
		ensure(this.steps <= MOST_STEPS, 'The file takes too long to read');
	}

	/**
	 * Lets everything else run, if it has waited for a few milliseconds. Returns what to wait for, if
	 * it is time to think of that: in some loops, each `await` would be felt.
	 */
	pause(): Promise<void> | undefined {
		if (this.steps < this.nextLook) return undefined;
		this.nextLook = this.steps + STEPS_BETWEEN_LOOKS;
		return this.turn.pause();
	}
}

/** What `read` returns, or undefined where that is unreadable. */
export async function ifReadable<T>(read: () => Promise<T>): Promise<T | undefined> {
	return await read().catch((error: unknown) => {
		if (!(error instanceof Unreadable)) throw error;
		return undefined;
	});
}

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

export class PdfString {
	/** @param bytes one character for each */
	constructor(readonly bytes: string) {}

	/** What a text string says (7.9.2.2). */
	get text(): string {
		const { bytes } = this;
		if (bytes.startsWith('\xfe\xff')) return fromUtf16(bytes.slice(2));
		if (bytes.startsWith('\xef\xbb\xbf')) return Buffer.from(bytes.slice(3), 'latin1').toString();
		return bytes;
	}
}

/** A stream (7.3.8). What it holds begins at `at`. */
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
export class Dictionary extends Map<string, Value> {
	constructor(
		readonly source: Source,
		entries?: Iterable<[string, Value]>,
	) {
		super(entries);
	}

	/** What an entry has, or refers to. */
	async resolve(key: string): Promise<Value | undefined> {
		return await this.source.resolve(this.get(key));
	}

	/** The dictionary that an entry has; an empty one for all else. */
	async dictionary(key: string): Promise<Dictionary> {
		const found = await this.resolve(key);
		return found instanceof Dictionary ? found : new Dictionary(this.source);
	}

	/** The values of the list that an entry has, or one that stands alone: no references. */
	async list(key: string): Promise<Value[]> {
		return await this.source.list(this.get(key));
	}

	/** The numbers of an entry: of a list, or one that stands alone; undefined for what is none. */
	async numbers(key: string): Promise<Array<number | undefined>> {
		return (await this.list(key)).map(numeric);
	}

	/** @throws Unreadable for an entry that is there and is no whole number written in place */
	integer(key: string): number | undefined {
		const value = this.get(key);
		ensure(value === undefined || typeof value === 'number', 'An entry is not a whole number');
		return value;
	}
}

const WHOLE = /^\d{1,15}$/;

/** Some producers write --5 or 12-34: what is in front counts, as most readers have it. */
export function numberOf(text: string): number | Real {
	if (WHOLE.test(text)) return Number(text);
	return new Real(Number(text) || parseFloat(text.replace(/^([+-])[+-]+/, '$1')) || 0);
}

/** Any number, also one with a sign or a point; undefined for all else. */
export function numeric(value: Value | undefined): number | undefined {
	if (value instanceof Real) return value.value;
	return typeof value === 'number' ? value : undefined;
}

/** Of big-endian UTF-16, one character for each byte. A byte that is left over says nothing. */
export function fromUtf16(bytes: string): string {
	const even = bytes.slice(0, bytes.length - (bytes.length % 2));
	return Buffer.from(even, 'latin1').swap16().toString('utf16le');
}

/**
 * Of hexadecimal digits, with their brackets. The last digit may be missing: it is 0. Node.js
 * leaves out a digit without a second one.
 */
export function fromHex(source: string): string {
	const digits = source.replace(/[^\dA-Fa-f]+/g, '');
	return Buffer.from(`${digits}0`, 'hex').toString('latin1');
}

/**
 * What stands for what in a string (ISO 32000-1, 7.3.4.2):
 *
 *     \n \r \t \b \f       the control character
 *     \( \) \\ \x          the sign itself
 *     \53 \053             the byte with this number
 *     \ and a line end     nothing: the line continues
 *     a line end           one line feed
 */
const ESCAPE = /\\([0-7]{1,3}|\r\n|[\s\S])|\r\n?/g;
const ESCAPES: Record<string, string> = {
	n: '\n',
	r: '\r',
	t: '\t',
	b: '\b',
	f: '\f',
	'\n': '',
	'\r': '',
	'\r\n': '',
};

/** Of what a string in round brackets holds. */
export function unescaped(source: string): string {
	if (!source.includes('\\') && !source.includes('\r')) return source;
	return source.replace(ESCAPE, (_, sign?: string) => {
		if (sign === undefined) return '\n';
		if (/^[0-7]/.test(sign)) return String.fromCharCode(parseInt(sign, 8) & 255);
		return ESCAPES[sign] ?? sign;
	});
}
