import { Scanner } from './scanner';
import { contentOf, OBJECT, readObject } from './streams';
import {
	ensure,
	LONGEST_CONTENT,
	Reference,
	Source,
	Stream,
	type Dictionary,
	type Value,
} from './values';

/**
 * What a section says of an object, in the columns of the standard (table 18): 0, it is free; 1,
 * its place in the file and its generation; 2, the object stream that holds it and its place there.
 */
export type Entry = readonly [kind: number, first: number, second: number];

/** Entries of consecutive objects. They stay where they are until one is asked for. */
export interface Range {
	first: number;
	count: number;
	entryAt: (index: number) => Entry;
}

/** One cross-reference section (ISO 32000-1, 7.5.4 and 7.5.8). */
export interface Section {
	trailer: Dictionary;
	ranges: Range[];
	/** Of a table: entries for readers that know streams (7.5.8.4), which the table calls free. */
	hidden: Section[];
}

/** By the numbers of objects. */
type Texts = Map<number, string>;

/** In characters: more than the header of an object takes, or what is looked at before it. */
const LOOK_BACK = 100;

/** In bytes: what is longer, such as the structure of a long text, may be too long to be read. */
const LONGEST_CHECKED = 64 * 1024;

/** In characters: what is looked through in one go. */
const PIECE = 64 * 1024;

/** Between parts of a content: no word spans two of them. */
const LINE_END = Buffer.from('\n');

/** The header of an object, looked for by its last word. */
const HEADER = /obj(?<=((\d{1,10})[\0\t\n\f\r ]{1,32}\d{1,5}[\0\t\n\f\r ]{0,32}obj))/g;

/**
 * What an object stands behind on its line: nothing, or what ends in a space or with an object, and
 * has no comment. An update may begin right behind the `%%EOF` of what it updates.
 */
const STANDS_ALONE = /(?:^|[\r\n])(?:%%EOF)?(?:[^%\r\n]*(?:[\0\t\f ]|endobj))?$/;

/** The objects of a file, by way of its cross-reference sections. */
export class Objects extends Source {
	/** The newest first. */
	sections: readonly Section[] = [];
	/**
	 * Where each object is that was asked for: its header, or that of the object stream which holds
	 * it.
	 */
	private readonly used = new Map<number, number>();
	/** Of object streams; undefined while one is unpacked. */
	private readonly streams = new Map<number, Texts | undefined>();

	/** The value itself, or what it refers to. */
	async resolve(value: Value | undefined): Promise<Value | undefined> {
		if (!(value instanceof Reference)) return value;
		const entry = await this.find(value.number);
		ensure(entry, 'An object is missing');
		const [kind, first, second] = entry;
		if (kind === 2 && value.generation === 0) return await this.packed(value.number, first);
		ensure(kind === 1 && second === value.generation, 'An object is of another generation');
		return await readObject(this.begin(value, first));
	}

	/** The content of a stream, or of several as one (7.7.3.3); nothing for all else. */
	async content(value: Value | undefined): Promise<Buffer> {
		const parts: Buffer[] = [];
		let length = 0;
		for (const stream of await this.list(value)) {
			if (!(stream instanceof Stream)) continue;
			const content = await contentOf(stream);
			// There may be many, and a large buffer takes a while to be made.
			await this.pause();
			length += content.length;
			ensure(length <= LONGEST_CONTENT, 'A content is too long');
			if (parts.length > 0) parts.push(LINE_END);
			parts.push(content);
		}
		return Buffer.concat(parts);
	}

	/**
	 * @throws Unreadable if readers that take the last object of a number, and no table, would find
	 * another one
	 */
	async checkOrder(): Promise<void> {
		const { bytes, used } = this;
		const end = bytes.lastIndexOf('startxref');
		for (let from = 0; from < bytes.length; from += PIECE) {
			this.spend(PIECE / 4);
			await this.pause();
			const before = Math.max(0, from - LOOK_BACK);
			const piece = bytes.toString('latin1', before, from + PIECE);
			for (const { index, 1: header = '', 2: number } of piece.matchAll(HEADER)) {
				const headerEnd = before + index + 'obj'.length;
				// It was seen in the piece before; here the beginning of its number may be cut off.
				if (headerEnd <= from) continue;
				const at = headerEnd - header.length;
				const isInOrder = at <= end && at <= (used.get(Number(number)) ?? Infinity);
				ensure(isInOrder, 'Read in its own order, the file says something else than by its table');
			}
		}
	}

	/** What the sections say of an object; undefined if none of them names it. */
	private async find(number: number, sections = this.sections): Promise<Entry | undefined> {
		for (const { ranges, hidden } of sections) {
			await this.pause();
			this.spend(1 + ranges.length / 8);
			const [range, other] = ranges.filter(
				({ first, count }) => number >= first && number < first + count,
			);
			ensure(!other, 'A section has two entries for an object');
			const own = range?.entryAt(number - range.first);
			const entry = own?.[0] ? own : ((await this.find(number, hidden)) ?? own);
			if (entry) return entry;
		}
		return undefined;
	}

	/** Behind the header of an object, which has to be where the table says, and stand alone. */
	private begin({ number, generation }: Reference, at: number): Scanner {
		const values = Scanner.at(this, at).skipSpace();
		const { position } = values;
		const before = this.bytes.toString('latin1', Math.max(0, position - LOOK_BACK), position);
		const standsAlone = STANDS_ALONE.test(before);
		const header = values.take(OBJECT);
		const isIt = Number(header?.[1]) === number && Number(header?.[2]) === generation;
		ensure(standsAlone && isIt, 'An object is not where the table says');
		this.used.set(number, position);
		return values;
	}

	private async packed(number: number, stream: number): Promise<Value> {
		const texts = this.streams.get(stream) ?? (await this.unpacked(stream));
		const text = texts.get(number);
		ensure(text !== undefined, 'An object is not in the object stream it should be in');
		this.used.set(number, this.used.get(stream) ?? 0);
		return await new Scanner(this, text).value();
	}

	/** The texts of the objects in an object stream (ISO 32000-1, 7.5.7). */
	private async unpacked(number: number): Promise<Texts> {
		ensure(!this.streams.has(number), 'An object stream is in itself');
		this.streams.set(number, undefined);
		const stream = await this.resolve(new Reference(number, 0));
		ensure(stream instanceof Stream, 'An object stream is something else');
		const [count] = await stream.dictionary.numbers('/N');
		const [first = 0] = await stream.dictionary.numbers('/First');
		const text = (await this.content(stream)).toString('latin1');
		const header = new Scanner(this, text.slice(0, first));
		const places: Array<[object: number, at: number]> = [];
		while (places.length < Number(count)) {
			const [object, at] = [await header.value(), await header.value()];
			const areNumbers = typeof object === 'number' && typeof at === 'number';
			ensure(areNumbers, 'An object stream does not say where its objects are');
			places.push([object, first + at]);
		}
		const texts: Texts = new Map();
		let end = text.length;
		for (const [object, at] of places.reverse()) {
			const own = text.slice(at, end);
			end = at;
			// Some readers lose all of a stream in which one object is damaged.
			if (own.length <= LONGEST_CHECKED) await new Scanner(this, own).value();
			texts.set(object, own);
		}
		ensure(texts.size === count, 'An object stream holds something else than it says');
		this.streams.set(number, texts);
		return texts;
	}
}
