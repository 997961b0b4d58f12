/** Characters that show nothing: what Unicode has for software, such as a zero-width space, and the empty Braille cell. */
const UNSEEN = String.raw`\p{Default_Ignorable_Code_Point}\u2800`;

const INVISIBLE = String.raw`[\s${UNSEEN}]`;

const ONLY_INVISIBLE = new RegExp(`^${INVISIBLE}*$`, 'u');

const ONE_VISIBLE = new RegExp(`^(?!${INVISIBLE})`, 'u');

/** Inside an ID, an address or a URL. The two joiners belong to the spelling of some languages. */
const INVISIBLE_INSIDE = new RegExp(String.raw`(?![\u200C\u200D])[\u0080-\u009F${UNSEEN}]`, 'u');

/**
 * Control characters of ASCII other than a tab and the ends of lines (of Word, too) and pages: no font has them, and a PDF shows
 * another text. Those from U+0080 on come with texts of old programs, and arrive at the service as they are.
 */
const CONTROL = /(?![\t\n\v\f\r])[\0-\x1F\x7F]/u;

/** Half of a character, as cutting a text in the middle of an emoji leaves it: UTF-8 has nothing for it. */
const HALF = /\p{Cs}/u;

/** Whether a text has no character that can be seen. */
export function isInvisible(text: string): boolean {
	return ONLY_INVISIBLE.test(text);
}

/** An ID, an address or a URL without what cannot be seen around it: copied from a web page, it often has some. */
export function withoutInvisibleEnds(text: string): string {
	const characters = [...text];
	const isVisible = (character: string) => ONE_VISIBLE.test(character);
	const first = characters.findIndex(isVisible);
	return first < 0 ? '' : characters.slice(first, characters.findLastIndex(isVisible) + 1).join('');
}

/** Whether a text has a character inside that cannot be seen, other than spaces, so that it is not the ID or address that it looks like. */
export function hasInvisible(text: string): boolean {
	return INVISIBLE_INSIDE.test(text);
}

/** What is wrong with a value, and what to do, each without a full stop. */
export type Refusal = { what: string; remedy: string };

/**
 * Why a text cannot go to the service as it is: it would arrive as another one, and stand so in a contract. Undefined if it
 * can.
 */
export function unsendable(text: string): Refusal | undefined {
	if (HALF.test(text)) {
		const remedy = 'Remove it. It comes from cutting a text in the middle of a character';
		return { what: 'contains half of a character, such as half of an emoji', remedy };
	}
	const control = CONTROL.exec(text)?.[0];
	if (control === undefined) return undefined;
	const code = (control.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0');
	return { what: `contains the control character U+${code}, which no document can show`, remedy: 'Remove it' };
}
