import type { Source } from './source';
import { streamData, type Resolve } from './streams/streamData';
import type { Dictionary } from './syntax/dictionary';
import { Lexer } from './syntax/lexer';
import { Unreadable } from './work';

/** The header of an object stream takes at least so many bytes for an object: `1 0 `. */
const PAIR_BYTES = 4;

/** The highest number of an object that a column can hold; the standard ends below it (ISO 32000-1, annex C). */
export const HIGHEST = 2 ** 31;

/** Steps for an object stream, besides its bytes. */
const STREAM = 400;

/** An object stream (ISO 32000-1, 7.5.7). What it extends does not matter: the table names the stream of each object. */
export class ObjectStream {
	private constructor(
		/** Of the stream's own header in the file. */
		readonly position: number,
		/** The numbers of its objects, in their order. */
		readonly numbers: Uint32Array,
		private readonly offsets: Uint32Array,
		private readonly data: Uint8Array,
		private readonly source: Source,
	) {}

	/**
	 * @param extent of the `header` only the numbers are read
	 * @returns an object stream that holds until the next stream is read
	 */
	static read(
		source: Source,
		dictionary: Dictionary,
		lexer: Lexer,
		position: number,
		resolve: Resolve,
		extent: 'whole' | 'header' = 'whole',
	): ObjectStream {
		source.work.spend(STREAM);
		if (dictionary.name('Type') !== 'ObjStm') throw new Unreadable('An object stream is of another type');
		const count = resolve(dictionary.get('N'));
		const first = resolve(dictionary.get('First'));
		if (count?.kind !== 'integer' || first?.kind !== 'integer' || first.value > source.mostUnpacked) {
			throw new Unreadable('An object stream does not say what it holds');
		}
		const most = extent === 'header' ? first.value : undefined;
		const data = streamData(source, dictionary, lexer, resolve, most);
		const header = new Lexer(data.subarray(0, first.value), 0, source.work);
		if (count.value > Math.min(data.length / PAIR_BYTES + 1, source.mostPacked))
			throw new Unreadable('An object stream is damaged');
		const numbers = room(source, 'numbers', count.value);
		const offsets = room(source, 'offsets', extent === 'header' ? 0 : count.value);
		for (let index = 0; index < count.value; index++) {
			header.skipSpace();
			const number = header.digits();
			header.skipSpace();
			const offset = header.digits();
			if (number === undefined || offset === undefined || number > HIGHEST)
				throw new Unreadable('An object stream is damaged');
			numbers[index] = number;
			offsets[index] = Math.min(first.value + offset, data.length);
		}
		return new ObjectStream(position, numbers, offsets, data, source);
	}

	/**
	 * Some readers lose all of a stream in which one object is damaged, and with it pages that others show.
	 *
	 * @throws Unreadable if one of its objects is not well formed, or begins before the end of another one
	 */
	check(): void {
		const lexer = new Lexer(this.data, 0, this.source.work);
		for (const at of this.offsets) {
			if (at < lexer.at) throw new Unreadable('The objects of an object stream are not one after the other');
			lexer.at = at;
			lexer.skip();
		}
	}

	/** The object at a place, which has to be this one. */
	object(place: number, number: number): Lexer {
		const at = this.offsets[place];
		if (at === undefined || this.numbers[place] !== number) {
			throw new Unreadable('An object is not in the object stream that the table names');
		}
		return new Lexer(this.data, at, this.source.work);
	}
}

function room({ scratch }: Source, column: 'numbers' | 'offsets', count: number): Uint32Array {
	if (scratch[column].length < count) scratch[column] = new Uint32Array(count);
	return scratch[column].subarray(0, count);
}
