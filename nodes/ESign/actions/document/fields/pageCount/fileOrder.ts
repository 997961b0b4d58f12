import type { Nodes } from './nodes';
import { ObjectStream } from './objectStream';
import { objectHeader, type ObjectHeader, type Source } from './source';
import { indexOfWord, wordOf, type Word } from './streams/search';
import { endsHere, passStreamKeyword, STREAM, type Resolve } from './streams/streamData';
import { isDigit, LESS, LETTER_F, LETTER_N } from './syntax/characters';
import { Dictionary } from './syntax/dictionary';
import type { Lexer, Value } from './syntax/lexer';
import { startsWith } from './syntax/skip';
import { TRAILER, XREF } from './table/readTable';
import { GivenUp, Unreadable } from './work';

const STARTXREF = Buffer.from('startxref');
const ENDOBJ = wordOf('endobj');

/** Steps for an error that is thrown and caught. */
const FAILURE = 1_500;

/** Steps for an object, besides its bytes. */
const OBJECT = 16;

const OTHERWISE = 'Read in its own order, the file says something else than by its table';

/**
 * Reads a file from its beginning to its end, as readers do that do not use the table or mend a damaged one: of several
 * objects of one number the last holds. Where that leads to other objects than the table did, such readers may find another
 * number of pages.
 *
 * What is damaged on the way is passed over up to the next `endobj`, as such readers do.
 *
 * @throws Unreadable if one of the objects that count is not where the table has it, or is there again later
 */
export function checkFileOrder(source: Source, expected: Expected, resolve: Resolve): void {
	new FileOrder(source, expected, resolve).run();
}

export interface Expected {
	/** The objects that count. */
	objects: ReturnType<Nodes['byNumber']>;
	/** The catalog, as the trailer names it. */
	root: Value;
	isEncrypted: boolean;
}

class FileOrder {
	private readonly lexer: Lexer;
	private readonly isSeen: Uint8Array;
	private missing: number;
	private root: Value | undefined;

	constructor(
		private readonly source: Source,
		private readonly expected: Expected,
		private readonly resolve: Resolve,
	) {
		this.lexer = source.lexer('%PDF-'.length);
		this.missing = expected.objects.numbers.length;
		this.isSeen = new Uint8Array(this.missing);
	}

	run(): void {
		const { lexer } = this;
		while (isDigit(lexer.peek()) || lexer.peek() === PERIOD) lexer.at += 1;
		for (lexer.skipSpace(); lexer.peek() >= 0; lexer.skipSpace()) this.readNext();
		const { root } = this.expected;
		const isSameRoot =
			root.kind === 'reference' &&
			this.root?.kind === 'reference' &&
			root.number === this.root.number &&
			root.generation === this.root.generation;
		if (this.missing > 0 || !isSameRoot) throw new GivenUp(OTHERWISE);
	}

	private readNext(): void {
		const { lexer } = this;
		const header = objectHeader(lexer);
		if (header) this.readObject(header);
		else if (lexer.matches(XREF)) this.skipTable();
		else if (lexer.matches(TRAILER)) this.keepRoot(Dictionary.read(lexer));
		else if (lexer.matches(STARTXREF)) {
			lexer.skipSpace();
			lexer.digits();
		} else this.skipStray();
	}

	/** Passes what belongs to nothing. There, a comment sign means nothing either. */
	private skipStray(): void {
		const { lexer } = this;
		let wasDigit = false;
		for (; lexer.peek() >= 0; lexer.at++) {
			lexer.work.spend(1);
			const { at } = lexer;
			const byte = lexer.peek();
			if (isDigit(byte)) {
				// None of the digits of a run begins a header if the first does not.
				const header = wasDigit ? undefined : objectHeader(lexer);
				lexer.at = at;
				if (header) return;
				wasDigit = true;
				continue;
			}
			wasDigit = false;
			if (!STRAY_ENDS.includes(byte)) continue;
			const ends = lexer.matches(XREF) || lexer.matches(TRAILER) || lexer.matches(STARTXREF);
			lexer.at = at;
			if (ends) return;
		}
	}

	private skipTable(): void {
		const { lexer } = this;
		for (lexer.skipSpace(); isDigit(lexer.peek()); lexer.skipSpace()) {
			lexer.digits();
			lexer.skipSpace();
			lexer.digits();
			lexer.skipSpace();
			if (lexer.peek() === LETTER_N || lexer.peek() === LETTER_F) lexer.at += 1;
		}
	}

	private readObject(header: ObjectHeader): void {
		const { lexer } = this;
		const from = lexer.at;
		lexer.work.spend(OBJECT);
		try {
			lexer.skipSpace();
			if (lexer.peek() === LESS && lexer.byteAt(lexer.at + 1) === LESS) this.readDictionary(header);
			else lexer.skip();
			lexer.skipSpace();
			lexer.matches(ENDOBJ.letters);
		} catch (error) {
			const failure: unknown = error;
			if (!(failure instanceof Unreadable)) throw failure;
			lexer.work.spend(FAILURE);
			this.pass(ENDOBJ, from);
		}
		this.meet(header.number, header.at);
	}

	private readDictionary(header: ObjectHeader): void {
		const { lexer } = this;
		const dictionary = Dictionary.read(lexer);
		const behind = lexer.at;
		if (!passStreamKeyword(lexer)) return;
		this.passStream(dictionary);
		const end = lexer.at;
		const type = dictionary.get('Type');
		if (type !== undefined && type.kind !== 'name') throw new GivenUp(OTHERWISE);
		if (type?.name === 'XRef') this.keepRoot(dictionary);
		if (type?.name === 'ObjStm') {
			lexer.at = behind;
			this.readObjectStream(dictionary, header.at);
		}
		lexer.at = end;
	}

	/** Passes the content of a stream: as its length says, or up to the `endstream` that belongs to it. */
	private passStream(dictionary: Dictionary): void {
		const { lexer } = this;
		const from = lexer.at;
		const length = dictionary.get('Length');
		if (length?.kind === 'integer' && endsHere(lexer, from + length.value)) return;
		lexer.at = from;
		for (let depth = 1; depth > 0;) {
			const before = lexer.at;
			this.pass(STREAM, before);
			const begin = lexer.at - STREAM.letters.length - END.length;
			depth += begin >= before && startsWith(lexer.bytes, begin, END) ? -1 : 1;
		}
	}

	private readObjectStream(dictionary: Dictionary, at: number): void {
		const numbers = this.numbersIn(dictionary, at);
		// Whoever can read it finds perhaps one of the objects in it that count; without the password nobody can.
		if (!numbers && this.isSeen.includes(1) && !this.expected.isEncrypted) throw new GivenUp(OTHERWISE);
		for (const number of numbers ?? []) this.meet(number, at);
	}

	private numbersIn(dictionary: Dictionary, at: number): Uint32Array | undefined {
		try {
			return ObjectStream.read(this.source, dictionary, this.lexer, at, this.resolve, 'header').numbers;
		} catch (error) {
			const failure: unknown = error;
			if (!(failure instanceof Unreadable)) throw failure;
			this.lexer.work.spend(FAILURE);
			return undefined;
		}
	}

	private keepRoot(dictionary: Dictionary): void {
		this.root = dictionary.get('Root') ?? this.root;
	}

	/** An object is defined here. If it counts, it has to be where the table has it, and nowhere after that. */
	private meet(number: number, at: number): void {
		const { numbers, positions } = this.expected.objects;
		let low = 0;
		let high = numbers.length;
		while (low < high) {
			const middle = (low + high) >> 1;
			if ((numbers[middle] ?? 0) < number) low = middle + 1;
			else high = middle;
		}
		this.source.work.spend(8);
		if (numbers[low] !== number) return;
		if (this.isSeen[low]) throw new GivenUp(OTHERWISE);
		if (positions[low] !== at) return;
		this.isSeen[low] = 1;
		this.missing -= 1;
	}

	/** Moves behind the next `word`. */
	private pass(word: Word, from: number): void {
		const { bytes, work } = this.source;
		const at = indexOfWord(bytes, word, from, work);
		this.lexer.at = at < 0 ? bytes.length : at + word.letters.length;
		if (at < 0) throw new Unreadable('An object does not end');
	}
}

const END = Buffer.from('end');

const PERIOD = 0x2e;

/** The first letters of what ends a stretch that belongs to nothing. */
const STRAY_ENDS = [...Buffer.from('xts')];
