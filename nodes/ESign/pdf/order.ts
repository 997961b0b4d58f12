import type { Objects } from './objects';
import { placeOfStart } from './sections';
import { Unreadable, type Source } from './source';
import { Reference, Values } from './values';

/** In characters: what is read in one go, and how much more, for a header that is at its edge. */
const PIECE = 256 * 1024;
const EDGE = 100;

const STEPS_OF_WORD = 64;
const OTHERWISE = 'Read in its own order, the file says something else than by its table';

/** The header of an object, looked for by its last word, or a trailer. */
const WORD = /obj(?<=((\d{1,10})[\0\t\n\f\r ]{1,32}\d{1,5}[\0\t\n\f\r ]{0,32}obj))|trailer(?=[\0\t\n\f\r ]*<<)/g;

/**
 * Readers that do not use the table, or mend a damaged one, take the last object of a number and the last trailer.
 *
 * @throws Unreadable if they would find something else than the table says
 */
export async function checkOrder(source: Source, { used, root }: Objects): Promise<void> {
	const { start, end } = placeOfStart(source);
	for (let from = 0; from < source.text.length; from += PIECE) {
		source.spend(PIECE / 4);
		await source.pause();
		const before = Math.max(0, from - EDGE);
		for (const { index, 0: word, 1: header, 2: number } of source.text
			.slice(before, from + PIECE + EDGE)
			.matchAll(WORD)) {
			source.spend(STEPS_OF_WORD);
			const at = before + index + word.length - (header ?? word).length;
			if (at > end || at > (used.get(Number(number)) ?? Infinity)) throw new Unreadable(OTHERWISE);
			if (header !== undefined || at < start) continue;
			const other = new Values(source, at + word.length).dictionary().get('/Root');
			const isSame = other instanceof Reference && root instanceof Reference && other.number === root.number;
			if (other !== undefined && !isSame) throw new Unreadable(OTHERWISE);
		}
	}
}
