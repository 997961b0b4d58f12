import { Scanner } from './scanner';
import { findIn, OBJECT, type Entry, type Section } from './sections';
import { LONGEST_OBJECT, Unreadable, type Source } from './source';
import { contentOf, LONGEST_CONTENT } from './streams';
import { numeric, Reference, Stream, type Dictionary, type Value } from './values';

/** An object stream (ISO 32000-1, 7.5.7), unpacked. */
interface ObjectStream {
	text: string;
	/** By the number of each object, where it is. */
	places: Map<number, number>;
}

const ENDOBJ = /endobj/y;
const STREAM = /stream/y;
const LOOK_BACK = 80;

/** In bytes: what is longer, such as the structure of a long text, may be too long to be read. */
const LONGEST_CHECKED = 64 * 1024;

/** In the header of an object stream: a number, and how far behind the first object it is. */
const PLACE = /(\d{1,10})[\0\s]{1,32}(\d{1,10})/g;

/** A character of that header takes as long as so many others. */
const STEPS_OF_HEADER = 50;

/**
 * In characters: what is looked through in one go, and how much more, for a header that is at its
 * edge.
 */
const PIECE = 256 * 1024;
const EDGE = 100;

/** Between parts of a content: no word spans two of them. */
const LINE_END = Buffer.from('\n');

/**
 * The header of an object, looked for by its last word, which takes as long as so many characters.
 */
const HEADER = /obj(?<=((\d{1,10})[\0\t\n\f\r ]{1,32}\d{1,5}[\0\t\n\f\r ]{0,32}obj))/g;
const STEPS_OF_FIND = 64;

/** The objects of a file, by way of its cross-reference sections. */
export class Objects {
	/**
	 * Where each object is that was asked for: its header, or that of the object stream which holds
	 * it.
	 */
	private readonly used = new Map<number, number>();
	/** Undefined while one is unpacked. */
	private readonly streams = new Map<number, ObjectStream | undefined>();

	/** @param sections the newest first */
	constructor(
		readonly source: Source,
		private readonly sections: Section[],
	) {}

	/** The catalog, as the newest trailer names it. */
	get root(): Value | undefined {
		return this.sections[0]?.trailer.get('/Root');
	}

	/** Whether only somebody with a password can read the strings and streams of the file. */
	get isEncrypted(): boolean {
		return this.sections.some(({ trailer }) => trailer.has('/Encrypt'));
	}

	/** The value itself, or what it refers to. */
	readonly resolve = async (value: Value | undefined): Promise<Value | undefined> => {
		if (!(value instanceof Reference)) return value;
		await this.source.pause();
		const [kind, first, second] = this.find(value.number);
		if (kind === 2 && value.generation === 0) return await this.packed(value.number, first);
		const values = this.begin(value.number, first, value.generation);
		const object = values.value();
		if (kind !== 1 || second !== value.generation)
			throw new Unreadable('An object is of another generation');
		const { position } = values.skipSpace();
		if (values.take(ENDOBJ)) return object;
		if (object instanceof Map && values.take(STREAM)) return new Stream(object, position);
		throw new Unreadable('An object does not end');
	};

	/** The dictionary itself, or what a reference to one stands for; an empty one for all else. */
	async dictionary(value: Value | undefined): Promise<Dictionary> {
		const found = await this.resolve(value);
		return found instanceof Map ? found : new Map<string, Value>();
	}

	/** The values of a list, none of them a reference; an empty list for all else. */
	async list(value: Value | undefined): Promise<Value[]> {
		const found = await this.resolve(value);
		const list: Value[] = [];
		for (const one of Array.isArray(found) ? found : [])
			list.push((one instanceof Reference ? await this.resolve(one) : one) ?? null);
		return list;
	}

	async number(value: Value | undefined): Promise<number | undefined> {
		return numeric(await this.resolve(value));
	}

	/** The numbers of a list; undefined for what is none. */
	async numbers(value: Value | undefined): Promise<Array<number | undefined>> {
		return (await this.list(value)).map(numeric);
	}

	/** The content of a stream, or of several as one (7.7.3.3); nothing for all else. */
	async content(value: Value | undefined): Promise<Buffer> {
		const found = await this.resolve(value);
		const streams: Array<Value | undefined> = Array.isArray(found) ? found : [found];
		const parts: Buffer[] = [];
		let length = 0;
		for (const part of streams) {
			const stream = await this.resolve(part);
			if (!(stream instanceof Stream)) continue;
			const content = await contentOf(this.source, stream, this.resolve);
			length += content.length;
			if (length > LONGEST_CONTENT) throw new Unreadable('A content is too long');
			parts.push(content);
		}
		// A large buffer takes a while to be made.
		await this.source.pause();
		const [only = Buffer.of(), ...others] = parts;
		if (others.length === 0) return only;
		return Buffer.concat(parts.flatMap((part) => [part, LINE_END]));
	}

	/**
	 * @throws Unreadable if readers that take the last object of a number, and no table, would find
	 * another one
	 */
	async checkOrder(): Promise<void> {
		const { source, used } = this;
		const end = source.bytes.lastIndexOf('startxref');
		for (let from = 0; from < source.bytes.length; from += PIECE) {
			source.spend(PIECE / 4);
			await source.pause();
			const before = Math.max(0, from - EDGE);
			const piece = source.bytes.toString('latin1', before, from + PIECE + EDGE);
			for (const { index, 1: header = '', 2: number } of piece.matchAll(HEADER)) {
				source.spend(STEPS_OF_FIND);
				const at = before + index + 'obj'.length - header.length;
				if (at <= end && at <= (used.get(Number(number)) ?? Infinity)) continue;
				throw new Unreadable(
					'Read in its own order, the file says something else than by its table',
				);
			}
		}
	}

	private find(number: number): Entry {
		for (const section of this.sections) {
			this.source.spend(1 + (section.ranges.length + (section.hidden?.ranges.length ?? 0)) / 8);
			const entry = findIn(section, number);
			if (entry) return entry;
		}
		throw new Unreadable('An object is missing');
	}

	/**
	 * Behind the header of an object, which has to be where the table says, stand alone, and be in no
	 * comment. An update may begin right behind the `%%EOF` of what it updates.
	 */
	private begin(number: number, at: number, generation: number): Scanner {
		const values = Scanner.at(this.source, at).skipSpace();
		const { position } = values;
		const before = this.source.bytes.toString(
			'latin1',
			Math.max(0, position - LOOK_BACK),
			position,
		);
		const standsAlone = /(?:^|[\0\t\n\f\r ]|endobj|%%EOF)$/.test(before);
		const isInComment = !/(?:^|[\r\n])(?:%%EOF)?[^%\r\n]*$/.test(before);
		const header = values.take(OBJECT);
		if (
			!standsAlone ||
			isInComment ||
			Number(header?.[1]) !== number ||
			Number(header?.[2]) !== generation
		) {
			throw new Unreadable('An object is not where the table says');
		}
		this.used.set(number, position);
		return values;
	}

	private async packed(number: number, stream: number): Promise<Value> {
		const { text, places } = this.streams.get(stream) ?? (await this.unpacked(stream));
		const at = places.get(number);
		if (at === undefined)
			throw new Unreadable('An object is not in the object stream it should be in');
		this.used.set(number, this.used.get(stream) ?? 0);
		return new Scanner(this.source, text.slice(at, at + LONGEST_OBJECT)).value();
	}

	private async unpacked(number: number): Promise<ObjectStream> {
		const { source } = this;
		if (this.streams.has(number)) throw new Unreadable('An object stream is in itself');
		this.streams.set(number, undefined);
		const stream = await this.resolve(new Reference(number, 0));
		if (!(stream instanceof Stream) || stream.dictionary.get('/Type') !== '/ObjStm')
			throw new Unreadable('An object stream is something else');
		const count = await this.number(stream.dictionary.get('/N'));
		const first = (await this.number(stream.dictionary.get('/First'))) ?? 0;
		const text = (await this.content(stream)).toString('latin1');
		source.spend(first * STEPS_OF_HEADER);
		// What else is there: qpdf writes a comment behind the numbers.
		const pairs = [...text.slice(0, first).matchAll(PLACE)].slice(0, count);
		const places = new Map(pairs.map(([, object, at]) => [Number(object), first + Number(at)]));
		if (places.size !== count)
			throw new Unreadable('An object stream holds something else than it says');
		const edges = [...places.values(), text.length];
		for (const [index, at] of edges.slice(0, -1).entries()) {
			await source.pause();
			// Some readers lose all of a stream in which one object is damaged.
			const length = Number(edges[index + 1]) - at;
			if (length <= LONGEST_CHECKED)
				new Scanner(source, text.slice(at, at + LONGEST_OBJECT)).value();
		}
		const unpacked = { text, places };
		this.streams.set(number, unpacked);
		return unpacked;
	}
}
