import { hasTrait, isSingle, TRAITS, traitsOf } from '../text/traits';
import {
	eastAsianFace,
	emojiFace,
	inEastAsianFace,
	scriptFace,
	type FontLook,
	type Language,
	type Typeface,
} from './typefaces';

const { emoji, eastAsian, ownScript } = TRAITS;

const SCRIPTS = [
	[/\p{scx=Arabic}/u, 'arabic'],
	[/\p{scx=Hebrew}/u, 'hebrew'],
	[/\p{scx=Devanagari}/u, 'devanagari'],
	[/\p{scx=Thai}/u, 'thai'],
] as const;

/** A picture that has a form for texts too, followed by the selector of its colourful form. */
const CHOSEN_EMOJI = /\p{Extended_Pictographic}\ufe0f/u;

function isEmoji(sign: string): boolean {
	return hasTrait(sign, emoji) || (!isSingle(sign) && CHOSEN_EMOJI.test(sign));
}

/** Latin, Greek, Cyrillic and the punctuation and symbols that all scripts share. */
function isShared(codePoint: number): boolean {
	return codePoint < 0x590 || (codePoint >= 0x1e00 && codePoint < 0x2e80);
}

/** Whether the fonts of the API's three families are to write a sign, if they can. */
export function isPlain(sign: string): boolean {
	if (isEmoji(sign)) return false;
	return isShared(sign.codePointAt(0) ?? 0) || !hasTrait(sign, eastAsian | ownScript);
}

/** The fonts to try for a sign, the best first. */
export function candidatesFor(sign: string, languages: readonly Language[], { bold }: FontLook): Typeface[] {
	if (isEmoji(sign)) return [emojiFace(bold)];
	const faces = SCRIPTS.filter(([script]) => script.test(sign)).map(([, name]) => scriptFace(name, bold));
	const asian = languages.map((language) => eastAsianFace(language, bold));
	return hasTrait(sign, eastAsian) ? [...asian, ...faces, emojiFace(bold)] : [...faces, ...asian, emojiFace(bold)];
}

/** False when, besides those of Western text and emoji, no font has a character; answered without reading any. */
export function mayBeFound(codePoint: number): boolean {
	return (traitsOf(codePoint) & ownScript) !== 0 || inEastAsianFace(codePoint);
}

const JAPANESE: readonly Language[] = ['jp', 'sc', 'kr'];
const KOREAN: readonly Language[] = ['kr', 'sc', 'jp'];
const CHINESE: readonly Language[] = ['sc', 'jp', 'kr'];

/** The same Chinese character looks different in the three languages; the letters beside it tell which one it is. */
export function languagesOf(text: string): readonly Language[] {
	if (/[\p{Script=Hiragana}\p{Script=Katakana}]/u.test(text)) return JAPANESE;
	return /\p{Script=Hangul}/u.test(text) ? KOREAN : CHINESE;
}
