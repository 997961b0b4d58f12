/** The text of each code; undefined where there is none. */
export type Encoding = ReadonlyArray<string | undefined>;

const ASCII = Array.from({ length: 127 }, (_, code) =>
	code < 32 ? undefined : String.fromCharCode(code),
);

/** ASCII, and from the code 127 on what is listed; a tilde stands for nothing. */
function encoding(upper: string): Array<string | undefined> {
	return [...ASCII, ...Array.from(upper, (sign) => (sign === '~' ? undefined : sign))];
}

/**
 * WinAnsiEncoding (ISO 32000-1, annex D). Codes that it has no sign for show a bullet. Not by
 * `TextDecoder`: in Node 20 its windows-1252 has no quotes.
 */
export const WIN = encoding(
	'•€•‚ƒ„…†‡ˆ‰Š‹Œ•Ž••‘’“”•–—˜™š›œ•žŸ ¡¢£¤¥¦§¨©ª«¬-®¯°±²³´µ¶·¸¹º»¼½¾¿' +
		'ÀÁÂÃÄÅÆÇÈÉÊËÌÍÎÏÐÑÒÓÔÕÖ×ØÙÚÛÜÝÞßàáâãäåæçèéêëìíîïðñòóôõö÷øùúûüýþÿ',
);

/** MacRomanEncoding. */
export const MAC = encoding(
	'~ÄÅÇÉÑÖÜáàâäãåçéèêëíìîïñóòôöõúùûü†°¢£§•¶ß®©™´¨≠ÆØ∞±≤≥¥µ∂∑∏π∫ªºΩæø' +
		'¿¡¬√ƒ≈∆«»… ÀÃÕŒœ–—“”‘’÷◊ÿŸ⁄€‹›ﬁﬂ‡·‚„‰ÂÊÁËÈÍÎÏÌÓÔ~ÒÚÛÙıˆ˜¯˘˙˚¸˝˛ˇ',
);

/** StandardEncoding, with quotes where ASCII has other signs. */
export const STANDARD = encoding(
	`${'~'.repeat(34)}¡¢£⁄¥ƒ§¤'“«‹›ﬁﬂ~–†‡·~¶•‚„”»…‰~¿` +
		'~`´ˆ˜¯˘˙¨~˚¸~˝˛ˇ—~~~~~~~~~~~~~~~~Æ~ª~~~~ŁØŒº~~~~~æ~~~ı~~łøœß~~~~',
);
STANDARD[0x27] = '’';
STANDARD[0x60] = '‘';
