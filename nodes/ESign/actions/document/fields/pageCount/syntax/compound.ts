import { CLASS_OF, GREATER, isDigit, isNumeric, LESS, SPACE } from './characters';
import { endOfName, endOfNumber, endOfScalar, endOfSpace, isRegular, malformed, MOST_DIGITS } from './skip';

/** No producer nests arrays and dictionaries this deep; readers that recurse would overflow at some depth. */
const DEEPEST = 100;

/** For each depth, whether what is around it is a dictionary. Only for `endOfCompound`, which does not call itself. */
const AROUND = new Uint8Array(DEEPEST);

/** What may begin with a byte. */
const WHITE = 0;
const COMMENT = 1;
const DIGITS = 2;
const REFERENCE = 3;
const NAME = 4;
const LIST = 5;
const LIST_END = 6;
const DICTIONARY_END = 7;
const OTHER = 8;

const SIGNS: Record<string, number> = {
	'%': COMMENT,
	R: REFERENCE,
	'/': NAME,
	'[': LIST,
	']': LIST_END,
	'>': DICTIONARY_END,
};

const TOKEN_OF = Uint8Array.from({ length: 256 }, (_, byte) => {
	if (CLASS_OF[byte] === SPACE) return WHITE;
	return isDigit(byte) ? DIGITS : (SIGNS[String.fromCharCode(byte)] ?? OTHER);
});

/**
 * Passes the array or dictionary that begins here (ISO 32000-1, 7.3). A file may consist of nothing but tokens, so this is
 * one loop that neither recurses nor makes an object for each of them, and looks each up in a table.
 *
 * @param end where the bytes end, or how far the work that is left reaches
 * @returns where it ends, or `malformed(at)` if what stands at `at` is not well formed
 */
export function endOfCompound(bytes: Uint8Array, from: number, end: number): number {
	let at = from;
	let depth = 0;
	let inDictionary = false;
	let waitsForKey = false;
	/** How many whole numbers stand before this token: `R` makes a reference of two. */
	let integers = 0;
	while (at < end) {
		switch (TOKEN_OF[bytes[at] ?? 0]) {
			case WHITE:
				at += 1;
				continue;
			case COMMENT:
				at = endOfSpace(bytes, at, end);
				continue;
			case DIGITS: {
				let behind = at + 1;
				while (behind < end && TOKEN_OF[bytes[behind] ?? 0] === DIGITS) behind += 1;
				let isWhole = behind - at <= MOST_DIGITS;
				if (behind < end && isNumeric(bytes[behind] ?? 0)) {
					behind = endOfNumber(bytes, behind, end);
					isWhole = false;
				}
				// In the place of a key a number can only be the second one of a reference.
				if (waitsForKey && (integers !== 1 || !isWhole)) return malformed(at);
				integers = isWhole ? integers + 1 : 0;
				at = behind;
				break;
			}
			case REFERENCE:
				if (integers < 2 || isRegular(bytes, at + 1)) return malformed(at);
				integers = 0;
				at += 1;
				break;
			case NAME:
				if (waitsForKey && integers === 2) return malformed(at);
				integers = 0;
				at = endOfName(bytes, at, end);
				waitsForKey = inDictionary && !waitsForKey;
				continue;
			case LIST:
				if (waitsForKey || depth === DEEPEST) return malformed(at);
				integers = 0;
				AROUND[depth++] = inDictionary ? 1 : 0;
				inDictionary = false;
				at += 1;
				break;
			case LIST_END:
				if (inDictionary) return malformed(at);
				integers = 0;
				at += 1;
				if (--depth === 0) return at;
				inDictionary = AROUND[depth] === 1;
				break;
			case DICTIONARY_END:
				if (!waitsForKey || integers === 2 || at + 1 >= end || bytes[at + 1] !== GREATER) return malformed(at);
				integers = 0;
				at += 2;
				if (--depth === 0) return at;
				inDictionary = AROUND[depth] === 1;
				break;
			default:
				if (waitsForKey) return malformed(at);
				integers = 0;
				if (bytes[at] === LESS && at + 1 < end && bytes[at + 1] === LESS) {
					if (depth === DEEPEST) return malformed(at);
					AROUND[depth++] = inDictionary ? 1 : 0;
					inDictionary = true;
					at += 2;
				} else {
					at = endOfScalar(bytes, at, end);
					if (at < 0) return at;
				}
		}
		waitsForKey = inDictionary;
	}
	return malformed(end);
}
