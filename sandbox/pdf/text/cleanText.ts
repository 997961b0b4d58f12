import { TRAITS, traitsOf } from './traits';

// Taken out once: reading an import costs in a loop over every character.
const { follows, joins, invisible } = TRAITS;

/**
 * What of a text is drawn. Line ends become `\n`, other blanks a space. Joiners, variation selectors and marks of
 * direction stay, because shaping needs them. Controls that would show letters in another order than they were entered
 * (embeddings and overrides) go, and so does everything else that has no picture.
 */
export function cleanText(text: string): string {
	return text
		.replace(/\p{Surrogate}/gu, '\ufffd')
		.normalize('NFC')
		.replace(/\r\n?|[\v\f\u0085\u2028\u2029]/g, '\n')
		.replace(/[\t\u00a0\u2007\u202f]/g, ' ')
		.replace(/(\u{1f3f4}[\u{e0020}-\u{e007f}]+)|[\u{e0000}-\u{e0fff}]/gu, '$1')
		.replace(/(?![\n\u200c-\u200f\u061c\u2066-\u2069\u{e0020}-\u{e007f}])[\p{Cc}\p{Cf}]/gu, '');
}

const bySign = new Intl.Segmenter('en', { granularity: 'grapheme' });

/**
 * The signs of a text as a reader counts them (grapheme clusters, UAX 29). A sign ends before every character that
 * nothing ties to the one before it, which is most of a text; only what lies between goes through the full rules, which
 * take a microsecond for each sign.
 */
export function signsOf(text: string): string[] {
	const signs: string[] = [];
	let start = 0;
	let joined = false;
	let afterBare = false;
	for (let at = 0; at < text.length;) {
		const codePoint = text.codePointAt(at) ?? 0;
		const traits = traitsOf(codePoint) & (follows | joins);
		if (traits === 0 && at > start && (afterBare || !joined)) {
			addSigns(signs, text.slice(start, at), joined);
			start = at;
			joined = false;
		}
		if (traits === joins) joined = true;
		afterBare = traits === 0;
		at += codePoint > 0xffff ? 2 : 1;
	}
	if (start < text.length) addSigns(signs, text.slice(start), joined);
	return signs;
}

function addSigns(signs: string[], part: string, joined: boolean): void {
	if (!joined) signs.push(part);
	else for (const sign of byTheRules(part)) signs.push(sign);
}

/** Syllables repeat; so many of them are kept as they were divided. */
const MOST_PARTS = 5_000;
const divided = new Map<string, readonly string[]>();

function byTheRules(part: string): readonly string[] {
	const known = divided.get(part);
	if (known) return known;
	const signs: string[] = [];
	for (const { segment } of bySign.segment(part)) signs.push(segment);
	if (divided.size >= MOST_PARTS) divided.clear();
	divided.set(part, signs);
	return signs;
}

export function isInvisible(text: string): boolean {
	for (const character of text) {
		if ((traitsOf(character.codePointAt(0) ?? 0) & invisible) === 0) return false;
	}
	return text !== '';
}
