// @ts-check
/* The tags in the text of a page, such as [[signature 1]], and the boxes that the node gives their fields. */

/** What stands in double brackets. */
const BRACKETS = /\[\[[^[\]]{1,3500}\]\]/g;

/** Where the node puts the bottom of a box: so far under the baseline, as a part of the height of the text. */
const UNDER_BASELINE = 0.25;
const OVER_BASELINE = 1 - UNDER_BASELINE;

/** Between a box and what stands before, behind, under or over it, in points. */
const GAP = 4;
const APART = 2;

/** A box for which its line has no room is that wide all the same, if its type is. */
const NARROWEST = 24;

/** What stands for an empty place, on which a field is meant to be. */
const LEADER = /[_.…·-]/;

/** The node's own sizes, in points. */
const TAG_LINE = { width: 144, height: 18 };
const TAG_SHORT_LINE = { width: 96, height: 18 };
/** @type {Record<string, Size>} */
const TAG_SIZES = {
	SIGNATURE: { width: 144, height: 36 },
	INITIALS: { width: 60, height: 28 },
	STAMP: { width: 108, height: 72 },
	TEXT: TAG_LINE,
	NAME: TAG_LINE,
	COMPANY: TAG_LINE,
	TITLE: TAG_LINE,
	EMAIL: TAG_LINE,
	DROPDOWN: TAG_LINE,
	DATE: TAG_SHORT_LINE,
	NUMBER: TAG_SHORT_LINE,
	PHONE: TAG_SHORT_LINE,
	TEXTAREA: { width: 216, height: 54 },
	CHECKBOX: { width: 12, height: 12 },
	RADIO_GROUP: { width: 144, height: 16 },
};

/** Without what makes no difference in a tag. @param {string} text */
const folded = (text) =>
	text
		.normalize('NFKC')
		.toUpperCase()
		.replace(/[\s\u00AD]/g, '');

/** The longest type first: TEXTAREA before TEXT. */
const TAG_TYPES = [...FIELD_TYPES]
	.map(([value, name]) => ({
		value,
		pattern: new RegExp(`^${name.toUpperCase().replace(' ', '_?')}`),
	}))
	.sort((one, other) => other.value.length - one.value.length);

/**
 * | between the brackets       | what it is                                |
 * | -------------------------- | ----------------------------------------- |
 * | `signature 1`              | a signature of the first recipient        |
 * | `Text Area ada@example.com` | a text area of the recipient with that email |
 * | `text 2 optional: Title`   | a text of the second                      |
 * | `sgnature 1`, `Company`    | no tag: the node refuses the document     |
 * | `1`                        | nothing                                   |
 * @param {string} inside
 * @returns {{ type?: string, recipient?: string, size?: Size } | undefined}
 */
function readTag(inside) {
	const [head = '', choices = ''] = inside.split(':');
	const bare = folded(head);
	if (/^\d+$/.test(folded(inside))) return undefined;
	const type = TAG_TYPES.find(({ pattern }) => pattern.test(bare));
	const who = type ? bare.replace(type.pattern, '').replace(/OPTIONAL$/, '') : '';
	if (!type || !/^\d+$|@/.test(who)) return {};
	const { width, height } = TAG_SIZES[type.value] ?? TAG_LINE;
	const lines = type.value === 'RADIO_GROUP' ? choices.split(',').length : 1;
	const recipient = who.toLowerCase().replace(/^0+(?=\d)/, '');
	return { type: type.value, recipient, size: { width, height: height * lines } };
}

/**
 * All that stands in double brackets on a page, in the order of its text.
 * @param {readonly TextPiece[]} pieces @param {Size} page in points
 * @returns {FoundTag[]}
 */
function tagsIn(pieces, page) {
	const signs = signsOf(pieces);
	const shown = signs.filter(({ sign }) => /[^\s\u00AD]/.test(sign));
	const text = shown.map(({ sign }) => (sign.length === 1 ? sign : '?')).join('');
	return [...text.matchAll(BRACKETS)].flatMap(({ 0: found, index }) => {
		const read = readTag(found.slice(2, -2));
		if (!read) return [];
		const own = shown.slice(index, index + found.length);
		const { piece, from, to } = longestOf(own);
		const words = wordsOf(signs, own);
		return [{ ...read, text: words, box: boxOf(read, piece, [from, to], shown, page) }];
	});
}

/**
 * @param {readonly TextPiece[]} pieces
 * @returns {Sign[]}
 */
function signsOf(pieces) {
	return pieces.flatMap((piece) =>
		[...piece.text].map((sign, at, all) => ({
			sign,
			piece,
			from: at / all.length,
			to: (at + 1) / all.length,
		})),
	);
}

/**
 * A tag may be broken over lines: its field is at the longest part.
 * @param {readonly Sign[]} signs
 */
function longestOf(signs) {
	const parts = [...new Set(signs.map(({ piece }) => piece))].map((piece) => {
		const own = signs.filter((sign) => sign.piece === piece);
		const [from, to] = [own[0]?.from ?? 0, own.at(-1)?.to ?? 1];
		return {
			piece,
			from,
			to,
			length: (to - from) * Math.hypot(piece.right.x - piece.left.x, piece.right.y - piece.left.y),
		};
	});
	return parts.reduce((longest, part) => (part.length > longest.length ? part : longest));
}

/**
 * As it is written, with its spaces.
 * @template {{ sign: string }} S
 * @param {readonly S[]} all @param {readonly S[]} own
 */
function wordsOf(all, own) {
	const [first, last] = [own[0], own.at(-1)];
	if (!first || !last) return '';
	return all
		.slice(all.indexOf(first), all.indexOf(last) + 1)
		.map(({ sign }) => sign)
		.join('');
}

/**
 * Where the node puts the field: on its tag or text, or beside it.
 * @param {{ type?: string, size?: Size } & Partial<Anchor>} wanted @param {TextPiece} piece @param {readonly [number, number]} part of the piece
 * @param {readonly Sign[]} signs all that are seen on the page @param {Size} page
 * @returns {Box}
 */
function boxOf(wanted, piece, [from, to], signs, page) {
	const { type, size = { width: 0, height: 0 }, side = 'on' } = wanted;
	const { widthNorm = 0, heightNorm = 0, xOffsetNorm = 0, yOffsetNorm = 0 } = wanted;
	const corners = [onLine(piece, from), onLine(piece, to)].flatMap(({ x, y }) => [
		{ x: x + piece.up.x * OVER_BASELINE, y: y + piece.up.y * OVER_BASELINE },
		{ x: x - piece.up.x * UNDER_BASELINE, y: y - piece.up.y * UNDER_BASELINE },
	]);
	const left = Math.min(...corners.map(({ x }) => x));
	const right = Math.max(...corners.map(({ x }) => x));
	const top = Math.min(...corners.map(({ y }) => y));
	const bottom = Math.max(...corners.map(({ y }) => y));

	const begin = side === 'right' ? right + GAP : left;
	const isOnLine = side === 'on' || side === 'right';
	const end = isOnLine ? roomBehind(right, [top, bottom], signs, page) : Infinity;
	const narrowest = side === 'on' ? right - left : Math.min(NARROWEST, size.width);
	const usual = Math.max(narrowest, Math.min(size.width, end - begin));
	const lowest = side === 'on' ? Math.hypot(piece.up.x, piece.up.y) : 0;
	const width = widthNorm * page.width || usual;
	const height = heightNorm * page.height || Math.max(lowest, size.height);

	const growsDown = type === 'TEXTAREA' || type === 'RADIO_GROUP';
	const tops = {
		below: bottom + APART,
		above: top - APART - height,
		down: top,
		up: bottom - height,
	};
	const y = tops[isOnLine ? (growsDown ? 'down' : 'up') : side];
	const corner = { x: begin + xOffsetNorm * page.width, y: y + yOffsetNorm * page.height };
	return onPage(corner, { width, height }, page);
}

/**
 * How far a box may reach to the right, in points.
 * @param {number} right @param {readonly [number, number]} line its top and bottom
 * @param {readonly Sign[]} signs @param {Size} page
 */
function roomBehind(right, [top, bottom], signs, page) {
	const places = signs
		.filter(({ sign }) => !LEADER.test(sign))
		.map(({ piece, from }) => onLine(piece, from));
	const behind = places.filter(({ x, y }) => x > right - 1 && y > top && y <= bottom);
	return Math.min(page.width, ...behind.map(({ x }) => x - GAP));
}

/** @param {TextPiece} piece @param {number} share of its length */
const onLine = ({ left, right }, share) => ({
	x: left.x + (right.x - left.x) * share,
	y: left.y + (right.y - left.y) * share,
});

/**
 * @param {Point} corner @param {Size} size @param {Size} page
 * @returns {Box}
 */
function onPage({ x, y }, { width, height }, page) {
	const [wide, tall] = [Math.min(width, page.width), Math.min(height, page.height)];
	return {
		xNorm: Math.min(Math.max(0, x), page.width - wide) / page.width,
		yNorm: Math.min(Math.max(0, y), page.height - tall) / page.height,
		widthNorm: wide / page.width,
		heightNorm: tall / page.height,
	};
}
