import { Dictionary } from '../syntax/dictionary';
import { objectHeader, type Source } from '../source';
import { BRACKET_CLOSE } from '../syntax/characters';
import { streamData } from '../streams/streamData';
import { Unreadable } from '../work';
import { readTable, TABLE_WIDTHS, XREF } from './readTable';
import { Section, type Entry, type Range } from './section';

/** Saved more often than this no file has been; every look-up asks each section. */
const MOST_SECTIONS = 2_000;

const TOO_LARGE = 'The cross-reference sections are too large for the file';

const STARTXREF = Buffer.from('startxref');

/** What a file's cross-reference sections say, the newest first (ISO 32000-1, 7.5.4 to 7.5.8). */
export class CrossReference {
	private readonly sections: Section[] = [];
	private newest: Dictionary | undefined;
	private rangeCount = 0;
	private rowBytes = 0;

	private constructor(private readonly source: Source) {}

	static read(source: Source): CrossReference {
		const table = new CrossReference(source);
		const seen = new Set<number>();
		for (let at: number | undefined = startOf(source); at !== undefined && !seen.has(at);) {
			seen.add(at);
			if (seen.size > MOST_SECTIONS) throw new Unreadable('The file has been saved too often');
			const { section, trailer } = table.readSection(at);
			table.sections.push(section);
			table.newest ??= trailer;
			at = trailer.integer('Prev');
		}
		return table;
	}

	/** The newest trailer dictionary. */
	get trailer(): Dictionary {
		if (!this.newest) throw new Unreadable('The file has no trailer');
		return this.newest;
	}

	/** Where an object is; undefined if no section names it. */
	find(number: number): Entry | undefined {
		this.source.work.spend(8 + this.sections.length);
		for (const section of this.sections) {
			const entry = section.find(number);
			if (entry) return entry;
		}
		return undefined;
	}

	private readSection(at: number): { section: Section; trailer: Dictionary } {
		const lexer = this.source.lexer(at);
		lexer.skipSpace();
		if (!lexer.matchesToken(XREF)) return this.readStream(lexer.at);
		const { rows, ranges, trailer } = readTable(this.source, lexer.at - XREF.length);
		this.keep(rows, ranges);
		const hiddenAt = trailer.integer('XRefStm');
		const hidden = hiddenAt === undefined ? undefined : this.readStream(hiddenAt).section;
		return { section: new Section(rows, TABLE_WIDTHS, ranges, hidden), trailer };
	}

	private readStream(at: number): { section: Section; trailer: Dictionary } {
		const { source } = this;
		const lexer = source.lexer(at);
		lexer.skipSpace();
		if (!objectHeader(lexer)) throw new Unreadable('There is no cross-reference section where one should be');
		const trailer = Dictionary.read(lexer);
		if (trailer.name('Type') !== 'XRef') throw new Unreadable('A cross-reference stream is of another type');
		const widths: number[] = [];
		this.integers(trailer, 'W', (width) => widths.push(width));
		const [kind, first, second, ...more] = widths;
		if (kind === undefined || first === undefined || second === undefined || more.length > 0) {
			throw new Unreadable('A cross-reference stream does not have three columns');
		}
		const rowBytes = kind + first + second;
		if (rowBytes === 0 || Math.max(kind, first, second) > 8) {
			throw new Unreadable('The columns of a cross-reference stream have no usual width');
		}
		const ranges: Range[] = [];
		let rows = 0;
		const add = (first: number, count: number) => {
			if (count > 0) ranges.push({ first, count, row: rows });
			rows += count;
		};
		if (trailer.get('Index') === undefined) add(0, trailer.integer('Size') ?? 0);
		else {
			let start: number | undefined;
			this.integers(trailer, 'Index', (number) => {
				if (start !== undefined) add(start, number);
				start = start === undefined ? number : undefined;
			});
		}
		if (rows * rowBytes > source.mostRows) throw new Unreadable(TOO_LARGE);
		const data = streamData(source, trailer, lexer, (value) => value);
		if (rows * rowBytes > data.length) throw new Unreadable('A cross-reference stream is too short');
		// What a stream holds is gone when the next one is read.
		const kept = new Uint8Array(data.subarray(0, rows * rowBytes));
		this.keep(kept, ranges);
		return { section: new Section(kept, [kind, first, second], ranges), trailer };
	}

	/** Whole numbers in a list, which is no longer than in this file it may be. */
	private integers(dictionary: Dictionary, key: 'W' | 'Index', take: (number: number) => void): void {
		const value = dictionary.get(key);
		if (value?.kind !== 'array') throw new Unreadable(`${key} is not a list`);
		const lexer = this.source.lexer(value.at + 1);
		let left = 2 * this.source.mostRanges;
		for (lexer.skipSpace(); lexer.peek() !== BRACKET_CLOSE; lexer.skipSpace()) {
			const number = lexer.digits();
			if (number === undefined || --left < 0) throw new Unreadable(`${key} is not usual`);
			take(number);
		}
	}

	/** Counts what is kept in memory. */
	private keep(rows: Uint8Array, ranges: Range[]): void {
		this.rowBytes += rows.length;
		this.rangeCount += ranges.length;
		if (this.rowBytes > this.source.mostRows || this.rangeCount > this.source.mostRanges) {
			throw new Unreadable(TOO_LARGE);
		}
	}
}

/** Where the newest section begins: what the last `startxref` says, whatever stands behind it. */
function startOf(source: Source): number {
	const at = source.bytes.lastIndexOf(STARTXREF);
	source.work.spend((source.bytes.length - Math.max(at, 0)) / 8);
	if (at < 0) throw new Unreadable('The file is incomplete');
	const lexer = source.lexer(at + STARTXREF.length);
	lexer.skipSpace();
	const start = lexer.digits();
	if (start === undefined || start === 0) throw new Unreadable('The file is incomplete');
	return start;
}
