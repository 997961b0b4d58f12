const bySign = new Intl.Segmenter('en', { granularity: 'grapheme' });

/**
 * The initials of a name, in capitals: the first sign of each of its parts, as a reader counts
 * signs.
 */
export function initialsOf(name: string): string {
	const parts = name.split(/[\s-]+/).filter((part) => part !== '');
	return parts
		.map((part) => [...bySign.segment(part)][0]?.segment ?? '')
		.join('')
		.toUpperCase();
}
