/**
 * How many characters have to be changed, added or left out, at the least, for a part of a text to
 * become the wanted one, and where that part ends: the distance of Levenshtein, by the algorithm of
 * Sellers.
 */
export function mostAlike(wanted: string, text: string): { changes: number; end: number } {
	// For the beginning of the wanted text, of each length, and a part that ends here.
	let row = [...Array(wanted.length + 1).keys()];
	let best = { changes: wanted.length, end: 0 };
	for (const [at, character] of text.split('').entries()) {
		const next = [0];
		for (const [length, changes] of row.slice(0, -1).entries()) {
			const replaced = changes + (wanted[length] === character ? 0 : 1);
			const added = Number(row[length + 1]) + 1;
			next.push(Math.min(replaced, added, Number(next[length]) + 1));
		}
		row = next;
		const changes = Number(row.at(-1));
		if (changes < best.changes) best = { changes, end: at + 1 };
	}
	return best;
}
