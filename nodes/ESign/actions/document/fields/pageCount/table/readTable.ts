import { LETTER_F, LETTER_N } from '../syntax/characters';
import { Dictionary } from '../syntax/dictionary';
import type { Source } from '../source';
import { Unreadable } from '../work';
import type { Range } from './section';

export const XREF = Buffer.from('xref');
export const TRAILER = Buffer.from('trailer');

/** An entry takes at least so many bytes: ten digits, five digits, a letter and spaces. */
const ENTRY_BYTES = 18;

/** The widths of a table's entries as rows: kind, offset, generation. */
export const TABLE_WIDTHS = [1, 4, 3] as const;

const ROW_BYTES = 8;

/** Above every generation that there can be. */
const NO_GENERATION = 65_536;

export interface Rows {
	rows: Uint8Array;
	ranges: Range[];
	trailer: Dictionary;
}

/** Reads a cross-reference table, `xref` to its trailer dictionary, into rows (ISO 32000-1, 7.5.4 and 7.5.5). */
export function readTable(source: Source, at: number): Rows {
	const lexer = source.lexer(at + XREF.length);
	const ranges: Range[] = [];
	let rows = new Uint8Array(0);
	let row = 0;
	for (lexer.skipSpace(); !lexer.matchesToken(TRAILER); lexer.skipSpace()) {
		const first = lexer.digits();
		lexer.skipSpace();
		const count = lexer.digits();
		if (first === undefined || count === undefined || count > (source.bytes.length - lexer.at) / ENTRY_BYTES) {
			throw new Unreadable('A cross-reference table is damaged');
		}
		if (count > 0) ranges.push({ first, count, row });
		if (ranges.length > source.mostRanges) throw new Unreadable('A cross-reference table is in too many pieces');
		if ((row + count) * ROW_BYTES > source.mostRows) throw new Unreadable('A cross-reference table is too large');
		rows = withRoom(rows, (row + count) * ROW_BYTES);
		for (const end = row + count; row < end; row++) readEntry(source, lexer, rows, row);
	}
	return { rows, ranges, trailer: Dictionary.read(lexer) };
}

function readEntry(source: Source, lexer: ReturnType<Source['lexer']>, rows: Uint8Array, row: number): void {
	lexer.skipSpace();
	const offset = lexer.digits();
	lexer.skipSpace();
	const generation = lexer.digits();
	lexer.skipSpace();
	const byte = lexer.peek();
	if (offset === undefined || generation === undefined || (byte !== LETTER_N && byte !== LETTER_F)) {
		throw new Unreadable('An entry of a cross-reference table is damaged');
	}
	lexer.at += 1;
	source.work.spend(8);
	const at = row * ROW_BYTES;
	rows[at] = byte === LETTER_N ? 1 : 0;
	// Beyond the end of the file it makes no difference how far.
	write(rows, at + 1, 4, Math.min(offset, source.bytes.length));
	write(rows, at + 5, 3, Math.min(generation, NO_GENERATION));
}

/** The highest byte first. A view of each row would fill the memory before it is collected. */
function write(rows: Uint8Array, at: number, width: number, value: number): void {
	for (let place = width - 1, rest = value; place >= 0; place--, rest = Math.floor(rest / 256))
		rows[at + place] = rest & 255;
}

function withRoom(rows: Uint8Array, bytes: number): Uint8Array<ArrayBuffer> {
	if (bytes <= rows.length) return rows as Uint8Array<ArrayBuffer>;
	const larger = new Uint8Array(Math.max(bytes, Math.ceil(rows.length * 1.5)));
	larger.set(rows);
	return larger;
}
