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

/** Something in the text joins characters into one sign: a mark, a joiner, a skin tone, the two halves of a flag. */
const JOINED = /[\p{M}\p{Cf}\p{Emoji_Modifier}\p{Regional_Indicator}\u1100-\u11ff\ua960-\ua97c\ud7b0-\ud7fb]/u;

const bySign = new Intl.Segmenter('en', { granularity: 'grapheme' });

/** The signs of a text as a reader counts them. */
export function signsOf(text: string): string[] {
	return JOINED.test(text) ? Array.from(bySign.segment(text), ({ segment }) => segment) : [...text];
}

const INVISIBLE = /^\p{Default_Ignorable_Code_Point}+$/u;

export function isInvisible(text: string): boolean {
	return INVISIBLE.test(text);
}
