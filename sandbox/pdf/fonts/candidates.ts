import { eastAsianFace, emojiFace, scriptFace, type FontLook, type Language, type Typeface } from './typefaces';

const EMOJI =
	/\p{Emoji_Presentation}|\p{Extended_Pictographic}\ufe0f|\p{Regional_Indicator}|\u20e3|\p{Emoji_Modifier}/u;
const EAST_ASIAN =
	/[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{scx=Hangul}\p{scx=Bopomofo}\u3000-\u303f\uff00-\uffef]/u;

const SCRIPTS = [
	[/\p{scx=Arabic}/u, 'arabic'],
	[/\p{scx=Hebrew}/u, 'hebrew'],
	[/\p{scx=Devanagari}/u, 'devanagari'],
	[/\p{scx=Thai}/u, 'thai'],
] as const;

/** Latin, Greek, Cyrillic and the punctuation and symbols that all scripts share. */
function isShared(codePoint: number): boolean {
	return codePoint < 0x590 || (codePoint >= 0x1e00 && codePoint < 0x2e80);
}

/** Whether the fonts of the API's three families are to write a sign, if they can. */
export function isPlain(sign: string): boolean {
	if (EMOJI.test(sign)) return false;
	if (isShared(sign.codePointAt(0) ?? 0)) return true;
	return !EAST_ASIAN.test(sign) && !SCRIPTS.some(([script]) => script.test(sign));
}

/** The fonts to try for a sign, the best first. */
export function candidatesFor(sign: string, languages: readonly Language[], { bold }: FontLook): Typeface[] {
	if (EMOJI.test(sign)) return [emojiFace(bold)];
	const faces = SCRIPTS.filter(([script]) => script.test(sign)).map(([, name]) => scriptFace(name, bold));
	const asian = languages.map((language) => eastAsianFace(language, bold));
	return EAST_ASIAN.test(sign) ? [...asian, ...faces, emojiFace(bold)] : [...faces, ...asian, emojiFace(bold)];
}

/** The same Chinese character looks different in the three languages; the letters beside it tell which one it is. */
export function languagesOf(text: string): readonly Language[] {
	if (/[\p{Script=Hiragana}\p{Script=Katakana}]/u.test(text)) return ['jp', 'sc', 'kr'];
	if (/\p{Script=Hangul}/u.test(text)) return ['kr', 'sc', 'jp'];
	return ['sc', 'jp', 'kr'];
}
