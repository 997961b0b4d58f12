import { Unreadable, type Source } from './source';
import { streamContent } from './streams';
import { Values, type Dictionary } from './values';

/** Where an object is in the file. */
export interface Place {
	at: number;
	generation: number;
}

/** The same, or its place in an object stream, or nowhere. */
export type Entry = Place | { stream: number; place: number } | 'free';

/** Entries of consecutive objects, of one width and one after the other from a place on. */
interface Range {
	first: number;
	count: number;
	at: number;
	width: number;
}

/** One cross-reference section (ISO 32000-1, 7.5.4 and 7.5.8). Its entries stay where they are until one is asked for. */
export interface Section {
	trailer: Dictionary;
	ranges: Range[];
	entryAt: (at: number) => Entry;
	/** Of a table: entries for readers that know streams (7.5.8.4). */
	hidden?: Section;
}

/** Far more often no file has been saved, and in far more pieces none names its objects. */
const MOST_SECTIONS = 1_000;
const MOST_RANGES = 20_000;

/** In characters, behind the last `startxref`. */
const LONGEST_END = 1024 * 1024;

const START = /startxref[\0\t\n\f\r ]+(\d{1,12})(?!\d)/y;
const XREF = /xref(?=[\0\t\n\f\r ])/y;
const TRAILER = /trailer(?=[\0\t\n\f\r <])/y;
const SUBSECTION = /(\d{1,10})[\0\t\n\f\r ]{1,32}(\d{1,10})[\0\t\n\f\r ]{1,32}/y;
const ROW = /(\d{1,10})[\0\t ]{1,3}(\d{1,5})[\0\t ]{1,3}([nf])[\0\t\n\f\r ]{0,3}/y;

export const OBJECT = /(\d{1,10})[\0\t\n\f\r ]{1,32}(\d{1,5})[\0\t\n\f\r ]{0,32}obj/y;

/** Where the last `startxref` is, and where the newest section. */
export function placeOfStart(source: Source): { end: number; start: number } {
	const from = Math.max(0, source.text.length - LONGEST_END);
	const end = from + source.text.slice(from).lastIndexOf('startxref');
	const start = Number(new Values(source, end).take(START)?.[1]);
	if (!(start > 0)) throw new Unreadable('The file is incomplete');
	return { end, start };
}

/** The sections of a file, the newest first. */
export async function readSections(source: Source): Promise<Section[]> {
	const sections: Section[] = [];
	const seen = new Set<number>();
	for (let at: number | undefined = placeOfStart(source).start; at !== undefined && !seen.has(at);) {
		await source.pause();
		seen.add(at);
		const section = await readSection(source, at);
		const hiddenAt = integer(section.trailer, '/XRefStm');
		if (hiddenAt !== undefined) section.hidden = await readStream(source, hiddenAt);
		sections.push(section);
		if (sections.length > MOST_SECTIONS) throw new Unreadable('The file has been saved too often');
		at = integer(section.trailer, '/Prev');
	}
	return sections;
}

/** What a section says of an object; undefined if it does not name it. */
export function findIn({ ranges, entryAt, hidden }: Section, number: number): Entry | undefined {
	let own: Entry | undefined;
	for (const { first, count, at, width } of ranges) {
		if (number < first || number >= first + count) continue;
		if (own !== undefined) throw new Unreadable('A section has two entries for an object');
		own = entryAt(at + (number - first) * width);
	}
	if (!hidden || (own !== undefined && own !== 'free')) return own;
	const more = findIn(hidden, number);
	return more === undefined || more === 'free' ? own : more;
}

async function readSection(source: Source, at: number): Promise<Section> {
	const values = new Values(source, at).skipSpace();
	if (!values.take(XREF)) return await readStream(source, at);
	const ranges: Range[] = [];
	for (let from = values.position; ;) {
		const rest = new Values(source, from).skipSpace();
		if (rest.take(TRAILER)) return { trailer: rest.dictionary(), ranges, entryAt: (row) => rowAt(source, row) };
		const [, first, count] = rest.take(SUBSECTION)?.map(Number) ?? [];
		const start = rest.position;
		// Twenty characters by the standard, nineteen by some producers. Where they differ, what is found does not fit.
		const width = count === 0 ? 0 : rest.take(ROW)?.[0].length;
		if (first === undefined || count === undefined || width === undefined || ranges.length > MOST_RANGES) {
			throw new Unreadable('A cross-reference table is damaged');
		}
		ranges.push({ first, count, at: start, width });
		from = start + count * width;
	}
}

function rowAt(source: Source, at: number): Entry {
	const row = new Values(source, at).take(ROW);
	if (!row) throw new Unreadable('An entry of a cross-reference table is damaged');
	return row[3] === 'f' ? 'free' : { at: Number(row[1]), generation: Number(row[2]) };
}

async function readStream(source: Source, at: number): Promise<Section> {
	const values = new Values(source, at).skipSpace();
	if (!values.take(OBJECT)) throw new Unreadable('There is no cross-reference section where one should be');
	const trailer = values.dictionary();
	const widths = integers(trailer, '/W');
	const [kind = 0, first = 0, second = 0] = widths;
	const width = kind + first + second;
	if (trailer.get('/Type') !== '/XRef' || width === 0 || Math.max(...widths) > 6 || widths.length !== 3) {
		throw new Unreadable('A cross-reference stream is of another type, or has unusual columns');
	}
	const index = trailer.has('/Index') ? integers(trailer, '/Index') : [0, integer(trailer, '/Size') ?? 0];
	const ranges: Range[] = [];
	let end = 0;
	for (let place = 0; place < index.length; place += 2) {
		const count = index[place + 1] ?? 0;
		ranges.push({ first: index[place] ?? 0, count, at: end, width });
		end += count * width;
	}
	const data = await streamContent(source, trailer, values.position, (value) => value);
	if (end > data.length || ranges.length > MOST_RANGES) throw new Unreadable('A cross-reference stream is too short');
	const column = (from: number, bytes: number) => (bytes === 0 ? 0 : data.readUIntBE(from, bytes));
	const entryAt = (row: number): Entry => {
		const type = kind === 0 ? 1 : column(row, kind);
		const one = column(row + kind, first);
		const other = column(row + kind + first, second);
		if (type === 1) return { at: one, generation: other };
		return type === 2 ? { stream: one, place: other } : 'free';
	};
	return { trailer, ranges, entryAt };
}

/** @throws Unreadable for an entry that is there and is no whole number written in place */
function integer(dictionary: Dictionary, key: string): number | undefined {
	const value = dictionary.get(key);
	if (value === undefined || typeof value === 'number') return value;
	throw new Unreadable('An entry is not a whole number');
}

function integers(dictionary: Dictionary, key: string): number[] {
	const value = dictionary.get(key);
	if (Array.isArray(value) && value.every((one) => typeof one === 'number')) return value;
	throw new Unreadable('An entry is not a list of whole numbers');
}
