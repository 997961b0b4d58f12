import type { Sealed } from '../sealDocument';

/** What of the signed file could not be shown, one sentence for each field. */
export function describeShortfalls(shortfalls: Sealed['shortfalls']): string[] {
	return shortfalls.flatMap(({ page, type, recipientName, missing, cut }) => {
		const field = `The ${type} field${recipientName && ` of ${recipientName}`} on page ${page}`;
		const sentences: string[] = [];
		if (missing.length > 0)
			sentences.push(`${field} has characters that could not be drawn: ${names(missing)}.`);
		if (cut)
			sentences.push(`${field} is too small for its text, and the end of the text is missing.`);
		return sentences;
	});
}

/** The same for the certificate itself. */
export function describeMissing(missing: string[]): string[] {
	if (missing.length === 0) return [];
	return [
		`This certificate has characters that could not be drawn, in names or in the title: ${names(missing)}.`,
	];
}

/**
 * So many characters are named, and the others counted: a text of nothing else would fill pages.
 */
const MAX_NAMED = 20;

function names(missing: string[]): string {
	const points = missing.slice(0, MAX_NAMED).map((one) => `U+${hex(one.codePointAt(0) ?? 0)}`);
	const more = missing.length - points.length;
	return `${points.join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}

function hex(codePoint: number): string {
	return codePoint.toString(16).toUpperCase().padStart(4, '0');
}
