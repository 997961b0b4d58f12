/** Markup that is safe to send: built from literals of this code and escaped values only. */
export class Html {
	constructor(readonly text: string) {}
}

/**
 * What may stand in a template: texts and numbers are escaped, markup is not; nothing is written
 * for the rest.
 */
export type Content = Html | string | number | null | undefined | false | readonly Content[];

const ENTITIES: Record<string, string> = {
	'&': '&amp;',
	'<': '&lt;',
	'>': '&gt;',
	'"': '&quot;',
	"'": '&#39;',
};

/**
 * Builds markup from a template literal, escaping every value for text and for quoted attributes
 * alike.
 */
export function html(literals: TemplateStringsArray, ...values: Content[]): Html {
	return new Html(
		literals.reduce((text, literal, index) => text + write(values[index - 1]) + literal),
	);
}

function write(value: Content): string {
	if (value === null || value === undefined || value === false) return '';
	if (value instanceof Html) return value.text;
	if (typeof value === 'object') return value.map(write).join('');
	return String(value).replace(/[&<>"']/g, (character) => ENTITIES[character] ?? character);
}
