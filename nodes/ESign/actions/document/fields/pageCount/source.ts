import { isDigit } from './syntax/characters';
import { Lexer } from './syntax/lexer';
import { Inflater } from './streams/inflate';
import { Unreadable, Work } from './work';

const OBJ = Buffer.from('obj');

const MB = 1024 * 1024;

/** More white space than any producer puts before an object or between the parts of its header. */
const MOST_SPACE = 32;

/** A file that is read: its bytes from `%PDF-` on, and what may be done for its size. */
export class Source {
	readonly inflater: Inflater;

	/** Where the columns of object streams are kept, one stream after the other. */
	readonly scratch = { numbers: new Uint32Array(256), offsets: new Uint32Array(256) };

	constructor(
		readonly bytes: Buffer,
		readonly work: Work,
	) {
		this.inflater = new Inflater(this.mostUnpacked, work);
	}

	lexer(at: number): Lexer {
		return new Lexer(this.bytes, at, this.work);
	}

	/** How many bytes one stream may unpack to. Two megabytes are more than the structure of a small file needs. */
	get mostUnpacked(): number {
		return Math.max(2 * MB, Math.floor(this.bytes.length / 6));
	}

	/** How many bytes of entries its sections may have: no file has an entry for each forty bytes. */
	get mostRows(): number {
		return Math.max(MB / 2, this.bytes.length / 6);
	}

	/** How many objects one object stream may hold. */
	get mostPacked(): number {
		return Math.max(50_000, this.bytes.length / 128);
	}

	/** How many runs of object numbers its sections may have: no file has one for each 512 bytes. */
	get mostRanges(): number {
		return this.bytes.length / 512 + 1_000;
	}

	/**
	 * As many steps as a file of this size is worth. The structure of a small file may be packed very tightly: 3,000 pages
	 * without content take 27 KB and 1.3 million steps.
	 */
	static workFor(bytes: number): Work {
		return new Work(bytes * 10 + 1.25 * MB);
	}
}

/** `12 0 obj` at a place in the file. */
export interface ObjectHeader {
	/** Of the first digit. */
	at: number;
	number: number;
	generation: number;
}

/** The header at the lexer, which moves behind it; undefined, with the lexer where it was, if there is none. */
export function objectHeader(lexer: Lexer): ObjectHeader | undefined {
	const at = lexer.at;
	const number = lexer.digits();
	if (number !== undefined && space(lexer)) {
		const generation = lexer.digits();
		if (generation !== undefined) {
			space(lexer);
			if (lexer.matches(OBJ)) return { at, number, generation };
		}
	}
	lexer.at = at;
	return undefined;
}

/** Passes the space between the parts of a header, if it is of a usual size. */
function space(lexer: Lexer): boolean {
	const from = lexer.at;
	lexer.skipSpace();
	if (lexer.at - from > MOST_SPACE && isDigit(lexer.peek())) {
		throw new Unreadable('The parts of an object header are too far apart');
	}
	return lexer.at > from;
}
