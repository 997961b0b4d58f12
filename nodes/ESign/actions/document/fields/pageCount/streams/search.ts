import type { Work } from '../work';

/**
 * Where a word is next, or -1. By Horspool's method: Buffer.indexOf is slower where the word is near, and far slower in
 * content made for it, such as its first letter again and again.
 */
export function indexOfWord(bytes: Uint8Array, { letters, steps }: Word, from: number, work: Work): number {
	const last = letters.length - 1;
	const lastLetter = letters[last];
	let at = from + last;
	let found = -1;
	while (at < bytes.length) {
		const byte = bytes[at] ?? 0;
		if (byte === lastLetter) {
			let back = 1;
			while (back <= last && bytes[at - back] === letters[last - back]) back += 1;
			if (back > last) {
				found = at - last;
				break;
			}
		}
		at += steps[byte] ?? 1;
	}
	work.spend(4 + (Math.min(at, bytes.length) - from) / 2);
	return found;
}

/** A word to search for, and for each byte how far the search may move when that stands where the word should end. */
export interface Word {
	letters: Uint8Array;
	steps: Uint8Array;
}

export function wordOf(text: string): Word {
	const letters = Buffer.from(text, 'latin1');
	const steps = new Uint8Array(256).fill(letters.length);
	letters.subarray(0, -1).forEach((letter, index) => (steps[letter] = letters.length - 1 - index));
	return { letters, steps };
}
