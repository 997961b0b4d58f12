/**
 * How many characters have to be changed, added or left out, at the least, for a part of a text to
 * become the wanted one, and where that part ends: the distance of Levenshtein, by the algorithm of
 * Sellers.
 */
export function mostAlike(wanted: string, text: string): { changes: number; end: number } {
	// For the beginning of the wanted text, of each length, and a part that ends here.
	const row = Uint16Array.from({ length: wanted.length + 1 }, (_, length) => length);
	let best = { changes: wanted.length, end: 0 };
	for (let at = 0; at < text.length; at++) {
		let before = 0;
		for (let length = 1; length <= wanted.length; length++) {
			const replaced = before + (wanted[length - 1] === text[at] ? 0 : 1);
			before = Number(row[length]);
			row[length] = Math.min(replaced, before + 1, Number(row[length - 1]) + 1);
		}
		const changes = Number(row[wanted.length]);
		if (changes < best.changes) best = { changes, end: at + 1 };
	}
	return best;
}
