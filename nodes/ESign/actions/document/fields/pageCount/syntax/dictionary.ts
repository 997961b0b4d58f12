import { Unreadable } from '../work';
import { GREATER, LESS, SLASH } from './characters';
import type { Lexer, Value } from './lexer';
import { AMBIGUOUS, KEYS, type Key } from './words';

const KNOWN: ReadonlySet<string> = new Set(KEYS);

const isKey = (name: string): name is Key => KNOWN.has(name);

/** Steps that an entry takes besides its bytes. */
const ENTRY = 16;
const OTHER_ENTRY = 6;

type Entries = { [key in Key]?: Value | 'unclear' };

/** The entries of one dictionary that count here; all others are passed over and not kept. */
export class Dictionary {
	private constructor(private readonly entries: Entries) {}

	/** Reads the dictionary at the lexer, which moves behind it. */
	static read(lexer: Lexer): Dictionary {
		lexer.skipSpace();
		if (lexer.peek() !== LESS || lexer.byteAt(lexer.at + 1) !== LESS) {
			throw new Unreadable('There is no dictionary here');
		}
		const entries: Entries = {};
		lexer.at += 2;
		for (;;) {
			lexer.skipSpace();
			if (lexer.peek() === GREATER && lexer.byteAt(lexer.at + 1) === GREATER) break;
			if (lexer.peek() !== SLASH) throw new Unreadable('A key of a dictionary is not a name');
			const name = lexer.name();
			lexer.work.spend(name === '' ? OTHER_ENTRY : ENTRY);
			if (name === '') lexer.skip();
			else add(entries, name, lexer);
		}
		lexer.at += 2;
		return new Dictionary(entries);
	}

	/**
	 * The value of an entry; undefined if there is none, or if it is null, which is the same (ISO 32000-1, 7.3.7).
	 *
	 * @throws Unreadable for an entry that is there twice or spelt oddly, of which readers take this or that
	 */
	get(key: Key): Value | undefined {
		const value = this.entries[key];
		if (value === 'unclear') throw new Unreadable(`There is more than one ${key}`);
		return value?.kind === 'null' ? undefined : value;
	}

	name(key: Key): string | undefined {
		const value = this.get(key);
		return value?.kind === 'name' ? value.name : undefined;
	}

	/** @throws Unreadable for an entry that is there and is no whole number written in place */
	integer(key: Key): number | undefined {
		const value = this.get(key);
		if (value === undefined) return undefined;
		if (value.kind !== 'integer') throw new Unreadable(`${key} is not a whole number`);
		return value.value;
	}
}

function add(entries: Entries, name: string, lexer: Lexer): void {
	const isUnclear = name.startsWith(AMBIGUOUS);
	const key = isUnclear ? name.slice(AMBIGUOUS.length) : name;
	if (!isKey(key)) return lexer.skip();
	const value = lexer.value();
	entries[key] = isUnclear || entries[key] !== undefined ? 'unclear' : value;
}
