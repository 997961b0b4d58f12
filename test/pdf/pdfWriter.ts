import { deflateSync } from 'node:zlib';

export interface PackOptions {
	/** How the stream is packed; Flate without more. */
	filter?: 'flate' | 'none' | 'list' | 'predictor';
	/** An object with the length of the stream; written in place without it. */
	lengthIn?: number;
}

/** Kind, place and generation of an object, or its stream and its number there. */
type Row = [number, number, number];

/**
 * Writes PDFs by hand, byte for byte as the tests want them: also in ways that pdf-lib never would.
 */
export class PdfWriter {
	private readonly parts: Buffer[] = [];
	private length = 0;
	private rows = new Map<number, Row>();
	private previous: number | undefined;
	private size = 1;
	private isFirst = true;

	constructor(
		private readonly eol = '\n',
		header = '%PDF-1.7',
	) {
		this.raw(`${header}${eol}%\xe2\xe3\xcf\xd3${eol}`);
	}

	/** How many bytes there are so far. */
	get at(): number {
		return this.length;
	}

	raw(text: string | Buffer): this {
		const bytes = typeof text === 'string' ? Buffer.from(text, 'latin1') : text;
		this.parts.push(bytes);
		this.length += bytes.length;
		return this;
	}

	object(number: number, source: string, generation = 0): this {
		this.note(number, [1, this.length, generation]);
		return this.raw(`${number} ${generation} obj${this.eol}${source}${this.eol}endobj${this.eol}`);
	}

	stream(number: number, entries: string, data: Buffer, options: PackOptions = {}): this {
		const { eol } = this;
		const { filter = 'flate', lengthIn } = options;
		const packed =
			filter === 'none' ? data : deflateSync(filter === 'predictor' ? predicted(data) : data);
		const filters = {
			flate: '/Filter /FlateDecode',
			none: '',
			list: '/Filter [ /FlateDecode ] /DecodeParms [ null ]',
			predictor: '/Filter [/FlateDecode] /DecodeParms [<< /Predictor 15 /Columns 4 >>]',
		};
		const length = lengthIn === undefined ? String(packed.length) : `${lengthIn} 0 R`;
		this.note(number, [1, this.length, 0]);
		const lineEnd = eol === '\r' ? '\r\n' : eol;
		this.raw(
			`${number} 0 obj${eol}<< ${entries} ${filters[filter]} /Length ${length} >>${eol}stream${lineEnd}`,
		);
		this.raw(packed).raw(`${eol}endstream${eol}endobj${eol}`);
		if (lengthIn !== undefined) this.object(lengthIn, String(packed.length));
		return this;
	}

	/** An object stream with these objects. */
	packed(
		number: number,
		objects: ReadonlyArray<readonly [number, string]>,
		options: PackOptions & { more?: string } = {},
	): this {
		let offset = 0;
		const pairs = objects.map(([inner, source], place) => {
			this.note(inner, [2, number, place]);
			const pair = `${inner} ${offset}`;
			offset += source.length + 1;
			return pair;
		});
		const header = `${pairs.join(' ')}\n`;
		const data = Buffer.from(
			header + objects.map(([, source]) => `${source}\n`).join(''),
			'latin1',
		);
		const entries = `/Type /ObjStm /N ${objects.length} /First ${header.length} ${options.more ?? ''}`;
		return this.stream(number, entries, data, options);
	}

	/** An entry for an object that is not written, or not where the entry says. */
	note(number: number, row: Row): this {
		this.rows.set(number, row);
		this.size = Math.max(this.size, number + 1);
		return this;
	}

	/** Ends a revision with a table. */
	table(trailer: string, hidden?: { stream: number; numbers: readonly number[] }): this {
		const { eol } = this;
		const hiddenRows = new Map(
			(hidden?.numbers ?? []).map((number) => [number, this.rows.get(number)] as const),
		);
		let hiddenAt: number | undefined;
		if (hidden) {
			hiddenAt = this.length;
			this.crossReferenceStream(hidden.stream, hiddenRows as Map<number, Row>, '');
			for (const number of hidden.numbers) this.rows.set(number, [0, 0, 65_535]);
		}
		const start = this.length;
		const pad = (value: number, digits: number) => String(value).padStart(digits, '0');
		const ending = eol.length === 2 ? eol : ` ${eol}`;
		const rows = this.ranges([...this.rows].filter(([, [kind]]) => kind !== 2)).map(
			([first, range]) => {
				const lines = range.map(
					([kind, offset, generation]) =>
						`${pad(offset, 10)} ${pad(generation, 5)} ${kind === 1 ? 'n' : 'f'}${ending}`,
				);
				return `${first} ${range.length}${eol}${lines.join('')}`;
			},
		);
		const extra = hiddenAt === undefined ? '' : `/XRefStm ${hiddenAt}`;
		this.raw(
			`xref${eol}${rows.join('')}trailer${eol}<< /Size ${this.size} ${trailer} ${this.prev()} ${extra} >>${eol}`,
		);
		return this.end(start);
	}

	/** Ends a revision with a cross-reference stream. */
	xrefStream(number: number, trailer: string, options: PackOptions = {}): this {
		const start = this.length;
		this.note(number, [1, start, 0]);
		this.crossReferenceStream(number, this.rows, `${trailer} ${this.prev()}`, options);
		return this.end(start);
	}

	bytes(): Buffer {
		return Buffer.concat(this.parts);
	}

	private crossReferenceStream(
		number: number,
		rows: Map<number, Row>,
		trailer: string,
		options: PackOptions = {},
	): void {
		const ranges = this.ranges([...rows]);
		const data = Buffer.concat(
			ranges.flatMap(([, range]) =>
				range.map(([kind, first, second]) => {
					const row = Buffer.alloc(8);
					row.writeUInt8(kind, 0);
					row.writeUInt32BE(first, 1);
					row.writeUIntBE(second, 5, 3);
					return row;
				}),
			),
		);
		const index = ranges.map(([first, range]) => `${first} ${range.length}`).join(' ');
		this.stream(
			number,
			`/Type /XRef /W [1 4 3] /Index [ ${index} ] /Size ${this.size} ${trailer}`,
			data,
			options,
		);
	}

	private prev(): string {
		return this.previous === undefined ? '' : `/Prev ${this.previous}`;
	}

	private end(start: number): this {
		this.raw(`startxref${this.eol}${start}${this.eol}%%EOF${this.eol}`);
		this.previous = start;
		this.rows = new Map();
		this.isFirst = false;
		return this;
	}

	private ranges(rows: Array<[number, Row]>): Array<[number, Array<Row>]> {
		if (this.isFirst && !rows.some(([number]) => number === 0)) rows.push([0, [0, 0, 65_535]]);
		const ranges: Array<[number, Array<Row>]> = [];
		for (const [number, row] of rows.sort(([one], [other]) => one - other)) {
			const last = ranges.at(-1);
			if (last && last[0] + last[1].length === number) last[1].push(row);
			else ranges.push([number, [row]]);
		}
		return ranges;
	}
}

/**
 * Rows of four bytes, each with another one of the PNG predictors before it that programs use:
 * none, to the left, up.
 */
function predicted(data: Buffer): Buffer {
	const padded = Buffer.concat([data, Buffer.alloc((4 - (data.length % 4)) % 4, ' ')]);
	const byte = (row: number, column: number) =>
		row < 0 || column < 0 ? 0 : padded.readUInt8(row * 4 + column);
	return Buffer.from(
		Array.from({ length: padded.length / 4 }, (_, row) => [
			row % 3,
			...[0, 1, 2, 3].map((column) => {
				const guess = [0, byte(row, column - 1), byte(row - 1, column)][row % 3] ?? 0;
				return (byte(row, column) - guess + 256) % 256;
			}),
		]).flat(),
	);
}
