import { CR, LF } from '../syntax/characters';
import { Dictionary } from '../syntax/dictionary';
import { type Lexer, type Value } from '../syntax/lexer';
import type { Source } from '../source';
import { Unreadable } from '../work';
import { undoPredictor, type Predictor } from './predictor';
import { indexOfWord, wordOf } from './search';

export const STREAM = wordOf('stream');
export const ENDSTREAM = wordOf('endstream');

/** What a reference stands for; undefined where that is not known yet. */
export type Resolve = (value: Value | undefined) => Value | undefined;

/**
 * The content of a stream, with its filter and predictor undone (ISO 32000-1, 7.3.8 and 7.4).
 *
 * @param dictionary of the stream
 * @param lexer behind the dictionary
 * @param most bytes that are wanted; without it all are, and a stream of too many is refused
 * @returns what holds until the next stream is read: it is unpacked in the same place
 */
export function streamData(
	source: Source,
	dictionary: Dictionary,
	lexer: Lexer,
	resolve: Resolve,
	most?: number,
): Uint8Array {
	if (!passStreamKeyword(lexer)) throw new Unreadable('There is no stream here');
	if (dictionary.get('F')) throw new Unreadable('The content of a stream is in another file');
	const filter = only(source, resolve(dictionary.get('Filter')), resolve);
	const packed = filter !== undefined;
	if (packed && (filter.kind !== 'name' || filter.name !== 'FlateDecode')) {
		throw new Unreadable('A stream is packed with a filter that structure is not packed with');
	}
	const raw = rawData(source, lexer, resolve(dictionary.get('Length')), packed);
	if (!packed) return most === undefined ? raw : raw.subarray(0, most);
	const predictor = predictorIn(source, only(source, resolve(dictionary.get('DecodeParms')), resolve));
	const perRow = predictor.kind >= 10 ? predictor.rowBytes + 1 : predictor.rowBytes;
	const wanted = most === undefined ? undefined : Math.ceil(most / predictor.rowBytes) * perRow;
	const data = source.inflater.inflate(raw, wanted ?? Infinity, wanted === undefined ? 'refuse' : 'stop');
	return undoPredictor(data, predictor, source.work);
}

/** Passes `stream` and the line end that belongs to it. */
export function passStreamKeyword(lexer: Lexer): boolean {
	lexer.skipSpace();
	if (!lexer.matches(STREAM.letters)) return false;
	if (lexer.peek() === 0x20 && lexer.byteAt(lexer.at + 1) === CR && lexer.byteAt(lexer.at + 2) === LF) lexer.at += 1;
	if (lexer.peek() === CR) lexer.at += 1;
	if (lexer.peek() === LF) lexer.at += 1;
	return true;
}

/** True if `endstream` follows a stream that ends here. */
export function endsHere(lexer: Lexer, end: number): boolean {
	if (end > lexer.bytes.length) return false;
	lexer.at = end;
	lexer.skipSpace();
	return lexer.matches(ENDSTREAM.letters);
}

function rawData(source: Source, lexer: Lexer, length: Value | undefined, isPacked: boolean): Uint8Array {
	const from = lexer.at;
	if (length?.kind === 'integer' && endsHere(lexer, from + length.value)) {
		return source.bytes.subarray(from, from + length.value);
	}
	// Packed data shows its own end, and whether it is whole.
	const end = isPacked ? indexOfWord(source.bytes, ENDSTREAM, from, source.work) : -1;
	if (end < 0) throw new Unreadable('The length of a stream is wrong');
	return source.bytes.subarray(from, end);
}

/** A filter or its parameters: in place, or the only one of a list. Undefined if there is none. */
function only(source: Source, value: Value | undefined, resolve: Resolve): Value | undefined {
	if (value?.kind !== 'array') return value;
	const lexer = source.lexer(value.at + 1);
	lexer.skipSpace();
	if (lexer.peek() === 0x5d) return undefined;
	const first = resolve(lexer.value());
	lexer.skipSpace();
	if (lexer.peek() !== 0x5d) throw new Unreadable('A stream has several filters');
	return first?.kind === 'null' ? undefined : first;
}

function predictorIn(source: Source, value: Value | undefined): Predictor {
	if (value === undefined) return { kind: 1, rowBytes: 1, pixelBytes: 1 };
	if (value.kind !== 'dictionary') throw new Unreadable('The parameters of a filter are not a dictionary');
	const parameters = Dictionary.read(source.lexer(value.at));
	const kind = parameters.integer('Predictor') ?? 1;
	const colors = parameters.integer('Colors') ?? 1;
	const bits = parameters.integer('BitsPerComponent') ?? 8;
	const columns = parameters.integer('Columns') ?? 1;
	if (kind === 1) return { kind, rowBytes: 1, pixelBytes: 1 };
	if ((kind !== 2 && (kind < 10 || kind > 15)) || bits !== 8 || colors < 1 || colors > 4) {
		throw new Unreadable('A stream has a predictor that structure does not have');
	}
	if (columns < 1 || columns > 65_536) throw new Unreadable('A stream has rows of an unusual length');
	return { kind, rowBytes: columns * colors, pixelBytes: colors };
}
