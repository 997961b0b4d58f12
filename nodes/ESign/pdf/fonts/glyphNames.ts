/** Accents at the end of names, such as `eacute`. */
const ACCENTS: Record<string, string | undefined> = {
	grave: '\u0300',
	acute: '\u0301',
	circumflex: '\u0302',
	tilde: '\u0303',
	macron: '\u0304',
	breve: '\u0306',
	dotaccent: '\u0307',
	dieresis: '\u0308',
	ring: '\u030A',
	hungarumlaut: '\u030B',
	caron: '\u030C',
	cedilla: '\u0327',
	commaaccent: '\u0327',
	ogonek: '\u0328',
};

/** Names and signs from the Adobe Glyph List that no rule gives. */
const LISTED = `
exclam ! quotedbl " numbersign # dollar $ percent % ampersand & quotesingle ' parenleft (
parenright ) asterisk * plus + comma , hyphen - period . slash / zero 0 one 1 two 2 three 3
four 4 five 5 six 6 seven 7 eight 8 nine 9 colon : semicolon ; less < equal = greater >
question ? at @ bracketleft [ backslash \\ bracketright ] asciicircum ^ underscore _ grave \`
braceleft { bar | braceright } asciitilde ~ exclamdown ¡ cent ¢ sterling £ currency ¤ yen ¥
brokenbar ¦ section § dieresis ¨ copyright © ordfeminine ª guillemotleft « logicalnot ¬
registered ® macron ¯ degree ° plusminus ± twosuperior ² threesuperior ³ acute ´ mu µ
paragraph ¶ periodcentered · cedilla ¸ onesuperior ¹ ordmasculine º guillemotright »
onequarter ¼ onehalf ½ threequarters ¾ questiondown ¿ AE Æ Eth Ð multiply × Oslash Ø Thorn Þ
germandbls ß ae æ eth ð divide ÷ oslash ø thorn þ dotlessi ı dotlessj ȷ OE Œ oe œ Lslash Ł
lslash ł Dcroat Đ dcroat đ Hbar Ħ hbar ħ kgreenlandic ĸ Eng Ŋ eng ŋ Tbar Ŧ tbar ŧ florin ƒ
circumflex ˆ tilde ˜ caron ˇ breve ˘ dotaccent ˙ ring ˚ ogonek ˛ hungarumlaut ˝ endash –
emdash — quoteleft ‘ quoteright ’ quotesinglbase ‚ quotedblleft “ quotedblright ”
quotedblbase „ dagger † daggerdbl ‡ bullet • ellipsis … perthousand ‰ guilsinglleft ‹
guilsinglright › fraction ⁄ Euro € euro € trademark ™ minus − fi ﬁ fl ﬂ ff ﬀ ffi ﬃ ffl ﬄ
longs ſ hyphentwo ‐ figuredash ‒ afii00208 ― underscoredbl ‗ numero № afii61352 № Alpha Α
Beta Β Gamma Γ Delta Δ Epsilon Ε Zeta Ζ Eta Η Theta Θ Iota Ι Kappa Κ Lambda Λ Mu Μ Nu Ν Xi Ξ
Omicron Ο Pi Π Rho Ρ Sigma Σ Tau Τ Upsilon Υ Phi Φ Chi Χ Psi Ψ Omega Ω alpha α beta β gamma γ
delta δ epsilon ε zeta ζ eta η theta θ iota ι kappa κ lambda λ nu ν xi ξ omicron ο pi π rho ρ
sigma σ sigma1 ς sigmafinal ς tau τ upsilon υ phi φ chi χ psi ψ omega ω Alphatonos Ά
Epsilontonos Έ Etatonos Ή Iotatonos Ί Omicrontonos Ό Upsilontonos Ύ Omegatonos Ώ alphatonos ά
epsilontonos έ etatonos ή iotatonos ί omicrontonos ό upsilontonos ύ omegatonos ώ theta1 ϑ
phi1 ϕ omega1 ϖ Upsilon1 ϒ partialdiff ∂ summation ∑ product ∏ radical √ infinity ∞ integral ∫
approxequal ≈ notequal ≠ lessequal ≤ greaterequal ≥ lozenge ◊ arrowleft ← arrowup ↑
arrowright → arrowdown ↓ element ∈ similar ∼ equivalence ≡ checkmark ✓ square □ H22073 □
filledbox ■ H18533 ▪ circle ○ openbullet ◦ estimated ℮ prime ′ minute ′ second ″ apostrophe ’
visiblespace ␣ arrowboth ↔ arrowdbldown ⇓ aleph ℵ angle ∠ asteriskmath ∗ circlemultiply ⊗
circleplus ⊕ congruent ≅ dotmath ⋅ emptyset ∅ existential ∃ exclamdbl ‼ franc ₣ gradient ∇
intersection ∩ lira ₤ logicaland ∧ logicalor ∨ notelement ∉ onethird ⅓ twothirds ⅔ oneeighth ⅛
threeeighths ⅜ fiveeighths ⅝ seveneighths ⅞ orthogonal ∟ peseta ₧ proportional ∝
propersubset ⊂ propersuperset ⊃ reflexsubset ⊆ reflexsuperset ⊇ perpendicular ⊥ suchthat ∋
therefore ∴ union ∪ universal ∀ weierstrass ℘ iotadieresistonos ΐ upsilondieresistonos ΰ
dong ₫ twodotenleader ‥ onedotenleader ․ quotereversed ‛ zerosuperior ⁰ foursuperior ⁴
fivesuperior ⁵ sixsuperior ⁶ sevensuperior ⁷ eightsuperior ⁸ ninesuperior ⁹ nsuperior ⁿ
spade ♠ club ♣ heart ♥ diamond ♦ male ♂ female ♀ musicalnote ♪ triagup ▲ triagdn ▼ triagrt ►
triaglf ◄ Scommaaccent Ș scommaaccent ș Aringacute Ǻ aringacute ǻ AEacute Ǽ aeacute ǽ
Oslashacute Ǿ oslashacute ǿ Ldot Ŀ ldot ŀ napostrophe ŉ IJ Ĳ ij ĳ Gcommaaccent Ģ
gcommaaccent ģ`;

const NAMES = new Map([
	['space', ' '],
	['nbspace', ' '],
	['nonbreakingspace', ' '],
	['sfthyphen', '\u00AD'],
	['softhyphen', '\u00AD'],
]);
for (const [, name = '', sign = ''] of LISTED.matchAll(/(\S+) (\S)/g)) NAMES.set(name, sign);

/** Cyrillic: afii10017 is А, afii10065 а, and in both Ё or ё stands behind Е or е. */
const YO = 6;
for (let letter = 0; letter < 32; letter++) {
	const number = 10_017 + letter + (letter < YO ? 0 : 1);
	NAMES.set(`afii${number}`, String.fromCharCode(0x410 + letter));
	NAMES.set(`afii${number + 48}`, String.fromCharCode(0x430 + letter));
}
NAMES.set('afii10023', 'Ё').set('afii10071', 'ё');

/**
 * What a glyph shows by its name (ISO 32000-1, 9.10.2):
 *
 *     A eacute Omega afii10017     by the Adobe Glyph List
 *     uni0041 uni00410042 u1F600   by the numbers of the characters
 *     f_i                          its parts
 *     a.sc one.oldstyle            what is before the point
 *     Asmall                       a small capital
 *     g17 cid_9 .notdef            not known
 */
export function textOfName(name: string): string | undefined {
	const [stem = ''] = name.split('.', 1);
	if (/^[A-Za-z]$/.test(stem)) return stem;
	const listed = NAMES.get(stem) ?? textOfNumbers(stem);
	if (listed !== undefined) return listed;
	if (stem.includes('_')) {
		const parts = stem.split('_').map(textOfName);
		return parts.includes(undefined) ? undefined : parts.join('');
	}
	const [, letter = '', rest = ''] = /^([A-Za-z])([a-z]+)$/.exec(stem) ?? [];
	if (rest === 'small') return letter;
	const accent = ACCENTS[rest];
	return accent && (letter + accent).normalize('NFC');
}

function textOfNumbers(stem: string): string | undefined {
	const [, units, point] =
		/^(?:uni((?:[\dA-F]{4})+)|u((?:10|[\dA-F])?[\dA-F]{4}))$/.exec(stem) ?? [];
	const numbers = units?.match(/.{4}/g) ?? (point === undefined ? [] : [point]);
	if (numbers.length === 0) return undefined;
	return String.fromCodePoint(...numbers.map((number) => parseInt(number, 16)));
}
