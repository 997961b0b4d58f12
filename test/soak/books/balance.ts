/** One line of the books: what should be the same on both sides. */
export interface Balance {
	what: string;
	/** What the two sides say, in words and numbers. */
	service: string;
	n8n: string;
	/** What does not balance; nothing when it does. */
	wrong: string[];
	/** What is different for a reason that is known: counted, not wrong. */
	explained: string[];
}

/** Puts a few of many into one line. */
export function few(all: readonly string[], shown = 5): string {
	const rest = all.length > shown ? ` and ${all.length - shown} more` : '';
	return `${all.slice(0, shown).join('; ')}${rest}`;
}
