import { LOOPBACK_HOST } from '../../../service/urls';
import type { Refuse } from './problems';

/** https only, as the service demands. */
export const HTTPS_URI = /^https:\/\/[^\s/?#]\S*$/i;

/** As HTTPS_URI; plain http is for a receiver on this machine, which has no certificate. */
export const WEBHOOK_URI = new RegExp(
	String.raw`^(https:\/\/[^\s/?#]|http:\/\/${LOOPBACK_HOST}(:\d+)?(?=[/?#]|$))\S*$`,
	'i',
);

/** Refuses only what can be no email address anywhere; the service has the last word. */
export const EMAIL = /^[^\s@"<>,;:()[\]\\]+@[^\s@"<>,;:()[\]\\.]+(\.[^\s@"<>,;:()[\]\\.]+)+$/;

/** What n8n makes of a DateTime or a Date that names no time, before a node sees it. */
const INVALID_DATE = /\bInvalid Date(?:Time)?\b/;

/**
 * Characters that show nothing: what Unicode has for software, such as a zero-width space, and the
 * empty Braille cell.
 */
const UNSEEN = String.raw`\p{Default_Ignorable_Code_Point}\u2800`;
const INVISIBLE = String.raw`[\s${UNSEEN}]`;
const ONLY_INVISIBLE = new RegExp(`^${INVISIBLE}*$`, 'u');

/** Inside an ID, an address or a URL. The two joiners belong to the spelling of some languages. */
const INVISIBLE_INSIDE = new RegExp(String.raw`(?![\u200C\u200D])[\u0080-\u009F${UNSEEN}]`, 'u');

/**
 * Control characters of ASCII other than a tab and the ends of lines (of Word, too) and pages: no
 * font has them, and a PDF shows another text. Those from U+0080 on come with texts of old
 * programs, and arrive at the service as they are.
 */
const CONTROL = /(?![\t\n\v\f\r])[\0-\x1F\x7F]/u;

/** Half of a character: UTF-8 has none. */
const HALF = /\p{Cs}/u;

export const isInvisible = (text: string) => ONLY_INVISIBLE.test(text);

/**
 * An ID, an address or a URL without what cannot be seen around it: copied from a web page, it
 * often has some.
 */
export function withoutInvisibleEnds(text: string): string {
	const characters = [...text];
	const isVisible = (character: string) => !isInvisible(character);
	const first = characters.findIndex(isVisible);
	return first < 0 ? '' : characters.slice(first, characters.findLastIndex(isVisible) + 1).join('');
}

/**
 * Whether it holds what cannot be seen, other than spaces, and so is not the ID or address that it
 * looks like.
 */
export const hasInvisible = (text: string) => INVISIBLE_INSIDE.test(text);

/** As the service counts: an emoji is one character, not two. */
export const charactersOf = (text: string) => [...text].length;

/**
 * Whether a text is short enough, and arrives at the service as it is, not as another one that
 * would stand in a contract.
 */
export function isFit(text: string, max: number, refuse: Refuse): boolean {
	const control = CONTROL.exec(text)?.[0];
	const characters = charactersOf(text);
	if (HALF.test(text)) {
		refuse(
			'contains half of a character, such as half of an emoji',
			'Remove it. It comes from cutting a text in the middle of a character',
		);
	} else if (control !== undefined) {
		const code = control.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0');
		refuse(`contains the control character U+${code}, which no document can show`, 'Remove it');
	} else if (INVALID_DATE.test(text))
		refuse(`"${text}" contains a date that does not exist`, 'Use a date that exists');
	else if (characters > max) refuse(`has ${characters} characters`, `Shorten it to ${max} at most`);
	else return true;
	return false;
}
