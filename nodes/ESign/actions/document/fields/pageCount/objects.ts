import { Dictionary } from './syntax/dictionary';
import type { Lexer, Value } from './syntax/lexer';
import { HIGHEST, ObjectStream } from './objectStream';
import { objectHeader, type Source } from './source';
import type { CrossReference } from './table/crossReference';
import { Unreadable } from './work';

/** An object as the table gives it. */
export interface Found {
	/** At its value. */
	lexer: Lexer;
	/** Where its header is, or that of the object stream which holds it. */
	position: number;
}

/** No two object streams begin this close: `1 0 obj<</Type/ObjStm/N 0/First 0/Length 0>>stream endstream`. */
const SHORTEST = 32;

const ENDOBJ = Buffer.from('endobj');

/** Follows references by way of the cross-reference sections, and holds them against what is in the file. */
export class Objects {
	/** The object stream used last: neighbours ask one after the other. */
	private last: { number: number; stream: ObjectStream } | undefined;

	/** The places in the file whose object streams were checked: one that is read anew is not checked again. */
	private readonly isChecked: Uint8Array;

	constructor(
		readonly source: Source,
		private readonly table: CrossReference,
	) {
		this.isChecked = new Uint8Array(Math.ceil(source.bytes.length / SHORTEST));
	}

	/**
	 * Where to look for an object, as a number that brings neighbours together when they are sorted by it.
	 *
	 * @throws Unreadable for an object that is not in the table, or there with another generation
	 */
	placeOf(number: number, generation: number): number {
		const entry = number > HIGHEST ? undefined : this.table.find(number);
		if (entry?.kind === 'plain' && entry.generation === generation) return entry.offset;
		if (entry?.kind === 'packed' && generation === 0) return this.source.bytes.length + entry.stream;
		throw new Unreadable('An object is missing');
	}

	find(number: number): Found {
		const entry = this.table.find(number);
		if (entry?.kind === 'plain') return this.plain(number, entry);
		if (entry?.kind !== 'packed') throw new Unreadable('An object is missing');
		const stream = this.stream(entry.stream);
		return { lexer: stream.object(entry.place, number), position: stream.position };
	}

	/** A dictionary that is no stream. */
	dictionary({ lexer }: Found): Dictionary {
		const dictionary = Dictionary.read(lexer);
		if (lexer.bytes !== this.source.bytes) return dictionary;
		lexer.skipSpace();
		if (!lexer.matches(ENDOBJ)) throw new Unreadable('An object does not end');
		return dictionary;
	}

	/** What a value refers to, if it is an object of its own; not for what is in an object stream. */
	readonly resolve = (value: Value | undefined): Value | undefined => {
		if (value?.kind !== 'reference') return value;
		const entry = this.table.find(value.number);
		if (entry?.kind !== 'plain') return undefined;
		return this.plain(value.number, entry).lexer.value();
	};

	private plain(number: number, { offset, generation }: { offset: number; generation: number }): Found {
		const lexer = this.source.lexer(offset);
		lexer.skipSpace();
		const header = objectHeader(lexer);
		if (header?.number !== number || header.generation !== generation) {
			throw new Unreadable('An object is not where the table says');
		}
		return { lexer, position: header.at };
	}

	private stream(number: number): ObjectStream {
		if (this.last?.number === number) return this.last.stream;
		const entry = this.table.find(number);
		if (entry?.kind !== 'plain') throw new Unreadable('An object stream is missing');
		const { lexer, position } = this.plain(number, entry);
		// The one before is overwritten.
		this.last = undefined;
		const stream = ObjectStream.read(this.source, Dictionary.read(lexer), lexer, position, this.resolve);
		const place = Math.floor(position / SHORTEST);
		if (!this.isChecked[place]) stream.check();
		this.isChecked[place] = 1;
		this.last = { number, stream };
		return stream;
	}
}
