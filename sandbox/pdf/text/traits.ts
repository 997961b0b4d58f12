/** What is asked of every character of a text, as bits that are looked up by code point. */
export const TRAITS = {
	/** Belongs to the sign before it, whatever that is: a mark, a skin tone. */
	follows: 1,
	/** Its neighbours decide whether it belongs to them: a joiner, a vowel sign, half of a flag, a part of a syllable. */
	joins: 2,
	/** There is nothing to see. */
	invisible: 4,
	/** Its form or place depends on what stands beside it. */
	shaped: 8,
	emoji: 16,
	eastAsian: 32,
	/** It is of a script that has a font of its own. */
	ownScript: 64,
} as const;

const PATTERNS: ReadonlyArray<readonly [trait: number, pattern: RegExp]> = [
	// Some marks of other scripts make conjuncts, which only the rules for grapheme clusters know. In Devanagari it is one.
	[
		TRAITS.follows,
		/(?=[\p{Mn}\p{Me}])[\p{Script=Inherited}\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Thai}]|(?!\u094d)(?=\p{M})\p{Script=Devanagari}|[\p{Emoji_Modifier}\u0e33\u0eb3\uff9e\uff9f]/gu,
	],
	[TRAITS.joins, /[\p{M}\p{Cf}\p{Regional_Indicator}\u1100-\u11ff\ua960-\ua97c\ud7b0-\ud7fb]/gu],
	[TRAITS.invisible, /\p{Default_Ignorable_Code_Point}/gu],
	[
		TRAITS.shaped,
		/[\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Devanagari}\p{Script=Thai}\p{Emoji_Presentation}\p{M}\p{Cf}]/gu,
	],
	[TRAITS.emoji, /[\p{Emoji_Presentation}\p{Regional_Indicator}\u20e3\p{Emoji_Modifier}]/gu],
	[
		TRAITS.eastAsian,
		/[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{scx=Hangul}\p{scx=Bopomofo}\u3000-\u303f\uff00-\uffef]/gu,
	],
	[TRAITS.ownScript, /[\p{scx=Arabic}\p{scx=Hebrew}\p{scx=Devanagari}\p{scx=Thai}]/gu],
];

/** Most of the code space holds no character: one pattern, in place of all, finds that out. */
const ASSIGNED = /[^\p{Cn}\p{Co}\p{Cs}]|\p{Default_Ignorable_Code_Point}/u;

const BLOCK = 256;
const traits = new Uint8Array(0x110000);
const known = new Uint8Array(traits.length / BLOCK);

/** The traits of a character. A pattern for each of a million characters would take seconds. */
export function traitsOf(codePoint: number): number {
	const block = codePoint >> 8;
	if (!known[block]) learn(block);
	return traits[codePoint] ?? 0;
}

function learn(block: number): void {
	known[block] = 1;
	const characters = String.fromCodePoint(...Array.from({ length: BLOCK }, (_, index) => block * BLOCK + index));
	if (!ASSIGNED.test(characters)) return;
	for (const [trait, pattern] of PATTERNS) {
		for (const [character] of characters.matchAll(pattern)) {
			const codePoint = character.codePointAt(0) ?? 0;
			traits[codePoint] = (traits[codePoint] ?? 0) | trait;
		}
	}
}

/** Whether a text is a single character. */
export function isSingle(text: string): boolean {
	return text.length === 1 || (text.length === 2 && (text.codePointAt(0) ?? 0) > 0xffff);
}

/** Whether some character of a text has the trait. */
export function hasTrait(text: string, trait: number): boolean {
	for (let at = 0; at < text.length; at++) {
		const codePoint = text.codePointAt(at) ?? 0;
		if ((traitsOf(codePoint) & trait) !== 0) return true;
		if (codePoint > 0xffff) at++;
	}
	return false;
}
