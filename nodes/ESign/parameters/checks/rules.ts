import { LOOPBACK_HOST } from '../../service/loopback';
import type { Refuse } from './problems';
import { unsendable } from './text';

/** https only, as the service demands; checked before a request is spent on it. */
export const HTTPS_URI = /^https:\/\/[^\s/?#]\S*$/i;

/** As HTTPS_URI; plain http is for a receiver on this machine, which has no certificate. */
export const WEBHOOK_URI = new RegExp(
	String.raw`^(https:\/\/[^\s/?#]|http:\/\/${LOOPBACK_HOST}(:\d+)?(?=[/?#]|$))\S*$`,
	'i',
);

/** Refuses only what can be no e-mail address anywhere; the service has the last word. */
export const EMAIL = /^[^\s@"<>,;:()[\]\\]+@[^\s@"<>,;:()[\]\\.]+(\.[^\s@"<>,;:()[\]\\.]+)+$/;

/** What a DateTime or a Date that names no time becomes in a text. n8n makes texts of them before a node sees them. */
const INVALID_DATE = /\bInvalid Date(?:Time)?\b/;

/** The length of a text as the service counts it: in characters, where an emoji is one and not two. */
export function charactersOf(text: string): number {
	return [...text].length;
}

/** Whether a text can stand in a document as it is; otherwise that is told. */
export function isFit(text: string, max: number, refuse: Refuse): boolean {
	const refused = unsendable(text);
	const characters = charactersOf(text);
	if (refused) refuse(refused.what, refused.remedy);
	else if (INVALID_DATE.test(text)) refuse(`"${text}" contains a date that does not exist`, 'Use a date that exists');
	else if (characters > max) refuse(`has ${characters} characters`, `Shorten it to ${max} at most`);
	else return true;
	return false;
}
