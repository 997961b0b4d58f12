import { FILTERS, undoPredictor, type Count } from './filters';
import { Scanner } from './scanner';
import {
	Dictionary,
	ensure,
	ifReadable,
	LONGEST_CONTENT,
	Stream,
	type Source,
	type Value,
} from './values';

export const OBJECT = /(\d{1,10})[\0\t\n\f\r ]{1,32}(\d{1,5})[\0\t\n\f\r ]{0,32}obj/y;
const ENDOBJ = /endobj/y;
const STREAM = /stream(?: ?\r\n|\r|\n)?/y;
const ENDSTREAM = /[\0\t\n\f\r ]{0,32}endstream/y;

/** A byte that is unpacked takes as long as so many characters. */
const STEPS_OF_BYTE = 3;

const MOST_FILTERS = 4;

/** A stream takes as long as so many characters, and those that it is packed in. */
const STEPS_OF_STREAM = 20_000;

/** The object whose header was passed: a value, or a stream (ISO 32000-1, 7.3.8 and 7.3.10). */
export async function readObject(scanner: Scanner): Promise<Value> {
	const object = await scanner.value();
	scanner.skipSpace();
	if (scanner.take(ENDOBJ)) return object;
	ensure(object instanceof Dictionary && scanner.take(STREAM), 'An object does not end');
	return new Stream(object, scanner.position);
}

/**
 * The content of a stream, with its filters and predictors undone (ISO 32000-1, 7.3.8 and 7.4).
 *
 * @throws Unreadable for one that is damaged, or packed in an unusual way
 */
export async function contentOf({ dictionary, at }: Stream): Promise<Buffer> {
	const { source } = dictionary;
	ensure(!dictionary.has('/F'), 'A stream is in another file');
	const filters = await dictionary.list('/Filter');
	ensure(filters.length <= MOST_FILTERS, 'A stream is packed too often');
	const parameters = await dictionary.list('/DecodeParms');
	const lengths = await ifReadable(async () => await dictionary.list('/Length'));
	const end = endOf(source, at, lengths?.[0], filters.length > 0);
	let content = source.bytes.subarray(at, end);
	source.spend(STEPS_OF_STREAM + content.length);
	let room = 0;
	const count: Count = (bytes) => {
		room -= bytes;
		ensure(room >= 0, 'A content is too long');
		source.spend(STEPS_OF_BYTE * bytes);
		return source.pause();
	};
	for (const [index, name] of filters.entries()) {
		const filter = FILTERS.get(name);
		ensure(filter, 'A stream is packed in an unusual way');
		ensure(content.length <= LONGEST_CONTENT, 'A stream is too long');
		const given = parameters[index] ?? new Dictionary(source);
		ensure(given instanceof Dictionary, 'Parameters are no dictionary');
		room = LONGEST_CONTENT;
		content = await filter(content, count, given);
		room = LONGEST_CONTENT;
		content = await undoPredictor(content, count, given);
	}
	return content;
}

/**
 * As the length says. Packed data shows for itself whether it is whole: it may also end where its
 * object has `endstream`.
 */
function endOf(source: Source, from: number, length: Value | undefined, isPacked: boolean): number {
	if (typeof length === 'number' && Scanner.at(source, from + length).take(ENDSTREAM))
		return from + length;
	const rest = source.bytes.subarray(from, isPacked ? from + LONGEST_CONTENT : from);
	source.spend(rest.length / 16);
	const end = rest.indexOf('endstream');
	ensure(end >= 0 && !rest.subarray(0, end).includes('endobj'), 'A stream does not end');
	return from + end;
}
