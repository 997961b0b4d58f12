/**
 * What of a text is drawn. Line ends become `\n`, other blanks a space. Joiners, variation
 * selectors and marks of direction stay, because shaping needs them. Controls that would show
 * letters in another order than they were entered (embeddings and overrides) go, and so does
 * everything else that has no picture.
 */
export function cleanText(text: string): string {
	return text
		.replace(/\p{Surrogate}/gu, '\u{fffff}')
		.normalize('NFC')
		.replace(/\r\n?|[\v\f\u0085\u2028\u2029]/g, '\n')
		.replace(/[\t\u00a0\u2007\u202f]/g, ' ')
		.replace(/(\u{1f3f4}[\u{e0020}-\u{e007f}]+)|[\u{e0000}-\u{e0fff}]/gu, '$1')
		.replace(/(?![\n\u200c-\u200f\u061c\u2066-\u2069\u{e0020}-\u{e007f}])[\p{Cc}\p{Cf}]/gu, '');
}
