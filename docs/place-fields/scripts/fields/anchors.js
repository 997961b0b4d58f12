// @ts-check
/* Texts of the document that say where fields are, as the node looks for them. */

/** Other forms of one sign. @type {ReadonlyArray<readonly [RegExp, string]>} */
const FORMS = [
	[/[‘’‚‛‹›′´]/g, "'"],
	[/[“”„‟«»″]/g, '"'],
	[/[‐‑‒–—―−]/g, '-'],
];

const UNSEEN = /[\s\p{Default_Ignorable_Code_Point}\u0640\0]/gu;

/** What belongs to a word, in scripts that have something between words. */
const WITHIN_WORD =
	/^(?![\p{sc=Hani}\p{sc=Hira}\p{sc=Kana}\p{sc=Thai}\p{sc=Laoo}\p{sc=Khmr}])[\p{L}\p{M}\p{N}]/u;

/** More between two pieces of text, as a part of its height, is a space. */
const SPACE_BETWEEN = 0.12;

/** What is higher or lower, as a part of its height, is no part of the word: the mark of a note. */
const RAISED = 0.1;

/** The form in which the node compares texts. @param {string} text */
function foldedText(text) {
	let plain = text;
	for (const [forms, sign] of FORMS) plain = plain.replace(forms, sign);
	return plain.normalize('NFKD').toLowerCase().toUpperCase().replace(UNSEEN, '');
}

/**
 * Where a field is on one page: at each place of its text.
 * @param {readonly TextPiece[]} pieces @param {Size} page in points @param {Field} field
 * @returns {Box[]}
 */
function boxesAt(pieces, page, { type, anchor, options }) {
	const wanted = foldedText(anchor?.text ?? '');
	if (!anchor || wanted === '') return [];
	const signs = signsOf(pieces);
	const shown = signs.filter(({ sign }) => foldedText(sign) !== '');
	const units = shown.flatMap((sign) => [...foldedText(sign.sign)].map((unit) => ({ unit, sign })));
	const text = units.map(({ unit }) => unit);
	/** @type {Box[]} */
	const boxes = [];
	const length = [...wanted].length;
	for (let from = 0; from + length <= text.length; from++) {
		if (text[from] !== [...wanted][0] || text.slice(from, from + length).join('') !== wanted)
			continue;
		if (isWithin(units, from, signs) || isWithin(units, from + length, signs)) continue;
		const own = units.slice(from, from + length).map(({ sign }) => sign);
		const longest = longestOf(own);
		const size = sizeOfType(type, options.dropdownOptions);
		const part = /** @type {const} */ ([longest.from, longest.to]);
		boxes.push(boxOf({ ...anchor, type, size }, longest.piece, part, shown, page));
	}
	return boxes;
}

/**
 * Whether the signs before and at a place belong to one word.
 * @param {ReadonlyArray<{ unit: string, sign: Sign }>} units @param {number} at @param {readonly Sign[]} signs with their spaces
 */
function isWithin(units, at, signs) {
	const [before, next] = [units[at - 1], units[at]];
	if (!before || !next || before.sign === next.sign) return false;
	if (!WITHIN_WORD.test(before.unit) || !WITHIN_WORD.test(next.unit)) return false;
	if (signs[signs.indexOf(before.sign) + 1] !== next.sign) return false;
	if (before.sign.piece === next.sign.piece) return true;
	const { right, up } = before.sign.piece;
	const { left } = next.sign.piece;
	const [x, y] = [left.x - right.x, left.y - right.y];
	const size = Math.hypot(up.x, up.y);
	const raised = Math.abs(x * up.x + y * up.y) / size;
	return raised <= RAISED * size && Math.hypot(x, y) < SPACE_BETWEEN * size;
}

/** @param {string} type @param {FieldOption | undefined} choices @returns {Size} */
function sizeOfType(type, choices) {
	const { width, height } = TAG_SIZES[type] ?? TAG_LINE;
	const lines = type === 'RADIO_GROUP' && Array.isArray(choices) ? choices.length : 1;
	return { width, height: height * lines };
}

/**
 * The places that count; several are none, unless the field says which of them.
 * @param {readonly Landing[]} places in the order of reading @param {Anchor} anchor
 */
function chosenOf(places, { occurrence = 'only' }) {
	if (occurrence === 'first') return places.slice(0, 1);
	if (occurrence === 'last') return places.slice(-1);
	return occurrence === 'every' || places.length === 1 ? [...places] : [];
}
