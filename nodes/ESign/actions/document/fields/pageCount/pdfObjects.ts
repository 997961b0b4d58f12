import { inflate, undoPngPredictor } from './pdfStreams';

/** Where an object is: at an offset in the file, or at a place in an object stream. */
type Entry = { offset: number } | { stream: number; place: number };

/** The entries of one dictionary, without those of the dictionaries inside it. */
export class PdfDictionary {
	private readonly own: string;

	/** @param text PDF source that starts with the dictionary, perhaps after `n g obj` */
	constructor(private readonly text: string) {
		this.own = withoutNested(text);
	}

	name(key: string): string | undefined {
		return this.match(key, '/([^\\s/<>\\[\\]()]+)');
	}

	/** A number that is written in place; undefined for a reference to one. */
	integer(key: string): number | undefined {
		const digits = this.match(key, '(\\d+)(?![\\d.]|\\s+\\d+\\s+R)');
		return digits === undefined ? undefined : Number(digits);
	}

	/** The number of the object that an entry refers to. */
	reference(key: string): number | undefined {
		const digits = this.match(key, '(\\d+)\\s+\\d+\\s+R');
		return digits === undefined ? undefined : Number(digits);
	}

	integers(key: string): number[] | undefined {
		return this.match(key, '\\[([\\d\\s]*)\\]')?.trim().split(/\s+/).map(Number);
	}

	/** A dictionary inside this one. */
	nested(key: string): PdfDictionary | undefined {
		const start = new RegExp(`/${key}\\s*<<`).exec(this.text);
		return start ? new PdfDictionary(this.text.slice(start.index + key.length + 1)) : undefined;
	}

	private match(key: string, value: string): string | undefined {
		return new RegExp(`/${key}(?![^\\s/<>\\[\\]()])\\s*${value}`).exec(this.own)?.[1];
	}
}

/**
 * As much of a PDF's structure as it takes to follow references: cross-reference tables and streams, and object streams
 * (ISO 32000-1, 7.5). Every step that is not as the standard says gives undefined instead of a guess.
 */
export class PdfObjects {
	private readonly entries = new Map<number, Entry>();
	private readonly streams = new Map<number, string[]>();
	private first: PdfDictionary | undefined;

	private constructor(
		private readonly bytes: Buffer,
		private readonly text: string,
	) {}

	static async read(bytes: Buffer): Promise<PdfObjects | undefined> {
		const objects = new PdfObjects(bytes, bytes.toString('latin1'));
		const start = /startxref\s+(\d+)\s+%%EOF\s*$/.exec(objects.text.slice(-2048))?.[1];
		if (start === undefined || !(await objects.readSections(Number(start)))) return undefined;
		return objects.first ? objects : undefined;
	}

	/** The newest trailer dictionary. */
	get trailer(): PdfDictionary {
		return this.first ?? new PdfDictionary('');
	}

	async dictionary(number: number): Promise<PdfDictionary | undefined> {
		const entry = this.entries.get(number);
		if (!entry) return undefined;
		if ('offset' in entry) return this.dictionaryAt(entry.offset, number);
		const source = (await this.objectStream(entry.stream))?.[entry.place];
		return source === undefined ? undefined : new PdfDictionary(source);
	}

	/** Follows the sections from the newest to the oldest; what a newer one says of an object holds. */
	private async readSections(start: number): Promise<boolean> {
		const seen = new Set<number>();
		const waiting = [start];
		for (let offset = waiting.shift(); offset !== undefined; offset = waiting.shift()) {
			if (seen.has(offset)) continue;
			seen.add(offset);
			const trailer = this.text.startsWith('xref', offset) ? this.readTable(offset) : await this.readStream(offset);
			if (!trailer) return false;
			this.first ??= trailer;
			waiting.push(...[trailer.integer('XRefStm'), trailer.integer('Prev')].filter((next) => next !== undefined));
		}
		return true;
	}

	private readTable(offset: number): PdfDictionary | undefined {
		const end = this.text.indexOf('trailer', offset);
		if (end < 0) return undefined;
		let number = 0;
		for (const line of this.text.slice(offset + 4, end).split(/[\r\n]+/)) {
			const entry = /^\s*(\d{10}) \d{5} ([nf])/.exec(line);
			const section = /^\s*(\d+) (\d+)\s*$/.exec(line);
			if (entry) {
				if (entry[2] === 'n') this.add(number, { offset: Number(entry[1]) });
				number += 1;
			} else if (section) {
				number = Number(section[1]);
			}
		}
		return new PdfDictionary(this.text.slice(end));
	}

	private async readStream(offset: number): Promise<PdfDictionary | undefined> {
		const dictionary = this.dictionaryAt(offset);
		const widths = dictionary?.integers('W');
		const data = dictionary?.name('Type') === 'XRef' ? await this.streamData(offset, dictionary) : undefined;
		if (!dictionary || widths?.length !== 3 || !data) return undefined;
		const [kindWidth = 0, firstWidth = 0, secondWidth = 0] = widths;
		const ranges = dictionary.integers('Index') ?? [0, dictionary.integer('Size') ?? 0];
		let at = 0;
		const next = (width: number) => {
			const value = width === 0 ? 0 : data.readUIntBE(at, Math.min(width, 6));
			at += width;
			return value;
		};
		for (let range = 0; range < ranges.length; range += 2) {
			const first = ranges[range] ?? 0;
			for (let index = 0; index < (ranges[range + 1] ?? 0); index++) {
				if (at + kindWidth + firstWidth + secondWidth > data.length) return undefined;
				const kind = kindWidth === 0 ? 1 : next(kindWidth);
				const one = next(firstWidth);
				const two = next(secondWidth);
				if (kind === 1) this.add(first + index, { offset: one });
				if (kind === 2) this.add(first + index, { stream: one, place: two });
			}
		}
		return dictionary;
	}

	private add(number: number, entry: Entry): void {
		if (!this.entries.has(number)) this.entries.set(number, entry);
	}

	private dictionaryAt(offset: number, number?: number): PdfDictionary | undefined {
		const head = /^\s*(\d+)\s+\d+\s+obj/.exec(this.text.slice(offset, offset + 40));
		if (!head || (number !== undefined && Number(head[1]) !== number)) return undefined;
		const end = this.text.indexOf('endobj', offset);
		return end < 0 ? undefined : new PdfDictionary(this.text.slice(offset + head[0].length, end));
	}

	private async objectStream(number: number): Promise<string[] | undefined> {
		const known = this.streams.get(number);
		if (known) return known;
		const entry = this.entries.get(number);
		const dictionary = entry && 'offset' in entry ? this.dictionaryAt(entry.offset, number) : undefined;
		const data = entry && 'offset' in entry && dictionary ? await this.streamData(entry.offset, dictionary) : undefined;
		const first = dictionary?.integer('First');
		if (!data || first === undefined) return undefined;
		const source = data.toString('latin1');
		const header = source.slice(0, first).trim().split(/\s+/).map(Number);
		const starts = header.filter((_, index) => index % 2 === 1).map((start) => start + first);
		const objects = starts.map((start, index) => source.slice(start, starts[index + 1]));
		this.streams.set(number, objects);
		return objects;
	}

	private async streamData(offset: number, dictionary: PdfDictionary): Promise<Buffer | undefined> {
		const start = /stream\r?\n/.exec(this.text.slice(offset, offset + 4096));
		if (!start) return undefined;
		const from = offset + start.index + start[0].length;
		const length = dictionary.integer('Length') ?? this.text.indexOf('endstream', from) - from;
		const raw = this.bytes.subarray(from, from + length);
		const filter = dictionary.name('Filter') ?? dictionary.nested('Filter')?.name('Filter');
		if (filter === undefined) return raw;
		const data = filter === 'FlateDecode' ? await inflate(raw) : undefined;
		const parameters = dictionary.nested('DecodeParms');
		if (!data || (parameters?.integer('Predictor') ?? 1) < 10) return data;
		return undoPngPredictor(data, parameters?.integer('Columns') ?? 1);
	}
}

/** The source of a dictionary with strings and inner dictionaries cut out: a key of the same name may stand in them. */
function withoutNested(text: string): string {
	let own = '';
	let depth = 0;
	for (let at = text.indexOf('<<'); at >= 0 && at < text.length; at++) {
		if (text.startsWith('<<', at)) {
			depth += 1;
			at += 1;
		} else if (text.startsWith('>>', at)) {
			depth -= 1;
			at += 1;
			if (depth === 0) break;
			own += ' ';
		} else if (text[at] === '(') {
			at = endOfString(text, at);
		} else if (text[at] === '%') {
			at += Math.max(text.slice(at).search(/[\r\n]/), 0);
			own += ' ';
		} else if (depth === 1) {
			own += text[at];
		}
	}
	return own;
}

/** The index of the parenthesis that closes the string which opens at `start`. */
function endOfString(text: string, start: number): number {
	let depth = 0;
	for (let at = start; at < text.length; at++) {
		if (text[at] === '\\') at += 1;
		else if (text[at] === '(') depth += 1;
		else if (text[at] === ')' && --depth === 0) return at;
	}
	return text.length;
}
