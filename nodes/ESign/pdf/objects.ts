import { findIn, OBJECT, readSections, type Entry, type Place, type Section } from './sections';
import { Unreadable, type Source } from './source';
import { streamContent } from './streams';
import { Reference, Values, type Value } from './values';

/** An object stream (ISO 32000-1, 7.5.7), unpacked. */
interface ObjectStream {
	text: string;
	/** The number of each object, and where it is behind the beginning of the first one. */
	header: string[];
	first: number;
}

/** In characters. */
const LONGEST_HEADER = 512 * 1024;
const LOOK_BACK = 80;

const ENDOBJ = /endobj/y;

/** The objects of a file, by way of its cross-reference sections. */
export class Objects {
	/** Where each object is that was asked for: its header, or that of the object stream which holds it. */
	readonly used = new Map<number, number>();

	private readonly streams = new Map<number, ObjectStream>();

	private constructor(
		private readonly source: Source,
		private readonly sections: Section[],
	) {}

	static async in(source: Source): Promise<Objects> {
		return new Objects(source, await readSections(source));
	}

	/** The catalog, as the newest trailer names it. */
	get root(): Value | undefined {
		return this.sections[0]?.trailer.get('/Root');
	}

	/** The value itself, or what it refers to. */
	async resolve(value: Value | undefined): Promise<Value | undefined> {
		if (!(value instanceof Reference)) return value;
		await this.source.pause();
		const entry = this.find(value.number);
		if ('at' in entry && entry.generation === value.generation) return this.plain(value.number, entry);
		if ('stream' in entry && value.generation === 0) return await this.packed(value.number, entry);
		throw new Unreadable('An object is of another generation');
	}

	private find(number: number): Exclude<Entry, 'free'> {
		for (const section of this.sections) {
			this.source.spend(1 + (section.ranges.length + (section.hidden?.ranges.length ?? 0)) / 8);
			const entry = findIn(section, number);
			if (entry === 'free') break;
			if (entry !== undefined) return entry;
		}
		throw new Unreadable('An object is missing');
	}

	private plain(number: number, entry: Place): Value {
		const values = this.begin(number, entry);
		const value = values.value();
		if (!values.skipSpace().take(ENDOBJ)) throw new Unreadable('An object does not end');
		return value;
	}

	/** Behind the header of an object, which has to be where the table says, and in no comment. */
	private begin(number: number, { at, generation }: Place): Values {
		const values = new Values(this.source, at).skipSpace();
		const { position } = values;
		const before = this.source.text.slice(Math.max(0, position - LOOK_BACK), position);
		const isOwn =
			/(?:^|[\0\t\n\f\r ]|endobj)$/.test(before) &&
			!before
				.split(/[\r\n]/)
				.at(-1)
				?.includes('%');
		const header = values.take(OBJECT);
		if (!isOwn || Number(header?.[1]) !== number || Number(header?.[2]) !== generation) {
			throw new Unreadable('An object is not where the table says');
		}
		this.used.set(number, position);
		return values;
	}

	private async packed(number: number, { stream, place }: { stream: number; place: number }): Promise<Value> {
		const { text, header, first } = this.streams.get(stream) ?? (await this.unpacked(stream));
		if (Number(header[2 * place]) !== number)
			throw new Unreadable('An object is not in the object stream it should be in');
		this.used.set(number, this.used.get(stream) ?? 0);
		return new Values(this.source, first + Number(header[2 * place + 1]), text).value();
	}

	private async unpacked(number: number): Promise<ObjectStream> {
		const { source } = this;
		const resolve = (value: Value | undefined) => this.inPlace(value);
		const values = this.begin(number, this.placeOf(number));
		const dictionary = values.dictionary();
		const count = resolve(dictionary.get('/N'));
		const first = resolve(dictionary.get('/First'));
		const data = await streamContent(source, dictionary, values.position, resolve);
		if (dictionary.get('/Type') !== '/ObjStm' || typeof count !== 'number' || typeof first !== 'number') {
			throw new Unreadable('An object stream does not say what it holds');
		}
		const text = data.toString('latin1');
		const header =
			text
				.slice(0, Math.min(first, LONGEST_HEADER))
				.match(/\d+/g)
				?.slice(0, 2 * count) ?? [];
		if (header.length < 2 * count) throw new Unreadable('An object stream holds less than it says');
		source.spend(first * 8);
		let end = 0;
		for (let pair = 1; pair < header.length; pair += 2) {
			await source.pause();
			const values = new Values(source, first + Number(header[pair]), text);
			// Some readers lose all of a stream in which one object is damaged.
			if (values.position < end) throw new Unreadable('The objects of an object stream are not one after the other');
			values.value();
			end = values.position;
		}
		const stream = { text, header, first };
		this.streams.set(number, stream);
		return stream;
	}

	/** What a stream refers to, which is in no object stream. */
	private inPlace(value: Value | undefined): Value | undefined {
		return value instanceof Reference ? this.plain(value.number, this.placeOf(value.number)) : value;
	}

	private placeOf(number: number): Place {
		const entry = this.find(number);
		if ('at' in entry) return entry;
		throw new Unreadable('An object is in an object stream that should not be in one');
	}
}
