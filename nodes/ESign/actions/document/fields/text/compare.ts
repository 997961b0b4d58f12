/**
 * Texts are compared in one form:
 *
 * | in the document               | in the form compared | because no difference is made by |
 * | ----------------------------- | -------------------- | -------------------------------- |
 * | `Signature of`, `SIGNATUREOF` | `SIGNATUREOF`        | case and white space             |
 * | `Straße`, `STRAẞE`, `STRASSE` | `STRASSE`            | letters that capitals have else  |
 * | `ὈΔΟΣ`, `ὀδός`                | `ὈΔΟΣ`               | another form at the end of words |
 * | `oﬃce`                        | `OFFICE`             | ligatures                        |
 * | `It’s «so»`                   | `IT'S"SO"`           | the form of quotes               |
 * | `2026–27`                     | `2026-27`            | the form of dashes               |
 * | `é` as one character or two   | as two               | composition                      |
 * | `co­operate`                  | `COOPERATE`          | soft hyphens and what is unseen  |
 */
const FORMS = [
	[/[‘’‚‛‹›′´]/g, "'"],
	[/[“”„‟«»″]/g, '"'],
	[/[‐‑‒–—―−]/g, '-'],
] as const;

/** U+0640 makes an Arabic word longer, and U+0000 comes with damaged fonts. */
const UNSEEN = /[\s\p{Default_Ignorable_Code_Point}\u0640\0]/gu;

const ASCII = /^[!-~]*$/;

/** The form in which texts are compared. */
export function fold(text: string): string {
	if (ASCII.test(text)) return text.toUpperCase();
	let plain = text;
	for (const [forms, sign] of FORMS) plain = plain.replace(forms, sign);
	return plain.normalize('NFKD').toLowerCase().toUpperCase().replace(UNSEEN, '');
}

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
