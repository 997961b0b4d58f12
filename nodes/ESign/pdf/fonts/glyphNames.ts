import { fromHex, fromUtf16 } from '../objects/values';

/** A name and a sign, which may be a space, again and again. */
const PAIR = /(\S{1,30}) ([\s\S])\s/g;

function read(pairs: string): ReadonlyMap<string, string> {
	return new Map(Array.from(pairs.matchAll(PAIR), ([, name = '', sign = '']) => [name, sign]));
}

/** Accents at the end of names, such as `eacute`. */
const ACCENTS = read(`grave \u0300 acute \u0301 circumflex \u0302 tilde \u0303 macron \u0304
breve \u0306 dotaccent \u0307 dieresis \u0308 ring \u030A hungarumlaut \u030B caron \u030C
cedilla \u0327 commaaccent \u0327 ogonek \u0328
`);

/** From the Adobe Glyph List: what no rule gives. */
const NAMES =
	read(`exclam ! quotedbl " numbersign # dollar $ percent % ampersand & quotesingle ' parenleft (
parenright ) asterisk * plus + comma , hyphen - period . slash / zero 0 one 1 two 2 three 3
four 4 five 5 six 6 seven 7 eight 8 nine 9 colon : semicolon ; less < equal = greater >
question ? at @ bracketleft [ backslash \\ bracketright ] asciicircum ^ underscore _ grave \`
braceleft { bar | braceright } asciitilde ~ exclamdown ¡ cent ¢ sterling £ currency ¤ yen ¥
brokenbar ¦ section § dieresis ¨ copyright © ordfeminine ª guillemotleft « logicalnot ¬
registered ® macron ¯ degree ° plusminus ± twosuperior ² threesuperior ³ acute ´ mu µ paragraph ¶
periodcentered · cedilla ¸ onesuperior ¹ ordmasculine º guillemotright » onequarter ¼ onehalf ½
threequarters ¾ questiondown ¿ AE Æ Eth Ð multiply × Oslash Ø Thorn Þ germandbls ß ae æ eth ð
divide ÷ oslash ø thorn þ dotlessi ı dotlessj ȷ OE Œ oe œ Lslash Ł lslash ł Dcroat Đ dcroat đ
Hbar Ħ hbar ħ kgreenlandic ĸ Eng Ŋ eng ŋ Tbar Ŧ tbar ŧ florin ƒ circumflex ˆ tilde ˜ caron ˇ
breve ˘ dotaccent ˙ ring ˚ ogonek ˛ hungarumlaut ˝ endash – emdash — quoteleft ‘ quoteright ’
quotesinglbase ‚ quotedblleft “ quotedblright ” quotedblbase „ dagger † daggerdbl ‡ bullet •
ellipsis … perthousand ‰ guilsinglleft ‹ guilsinglright › fraction ⁄ Euro € euro € trademark ™
minus − fi ﬁ fl ﬂ ff ﬀ ffi ﬃ ffl ﬄ longs ſ hyphentwo ‐ figuredash ‒ afii00208 ― underscoredbl ‗
numero № afii61352 № Alpha Α Beta Β Gamma Γ Delta Δ Epsilon Ε Zeta Ζ Eta Η Theta Θ Iota Ι Kappa Κ
Lambda Λ Mu Μ Nu Ν Xi Ξ Omicron Ο Pi Π Rho Ρ Sigma Σ Tau Τ Upsilon Υ Phi Φ Chi Χ Psi Ψ Omega Ω
alpha α beta β gamma γ delta δ epsilon ε zeta ζ eta η theta θ iota ι kappa κ lambda λ nu ν xi ξ
omicron ο pi π rho ρ sigma σ sigma1 ς sigmafinal ς tau τ upsilon υ phi φ chi χ psi ψ omega ω
Alphatonos Ά Epsilontonos Έ Etatonos Ή Iotatonos Ί Omicrontonos Ό Upsilontonos Ύ Omegatonos Ώ
alphatonos ά epsilontonos έ etatonos ή iotatonos ί omicrontonos ό upsilontonos ύ omegatonos ώ
theta1 ϑ phi1 ϕ omega1 ϖ Upsilon1 ϒ partialdiff ∂ summation ∑ product ∏ radical √ infinity ∞
integral ∫ approxequal ≈ notequal ≠ lessequal ≤ greaterequal ≥ lozenge ◊ arrowleft ← arrowup ↑
arrowright → arrowdown ↓ element ∈ similar ∼ equivalence ≡ checkmark ✓ square □ H22073 □
filledbox ■ H18533 ▪ circle ○ openbullet ◦ estimated ℮ prime ′ minute ′ second ″ apostrophe ’
visiblespace ␣ arrowboth ↔ arrowdbldown ⇓ aleph ℵ angle ∠ asteriskmath ∗ circlemultiply ⊗
circleplus ⊕ congruent ≅ dotmath ⋅ emptyset ∅ existential ∃ exclamdbl ‼ franc ₣ gradient ∇
intersection ∩ lira ₤ logicaland ∧ logicalor ∨ notelement ∉ onethird ⅓ twothirds ⅔ oneeighth ⅛
threeeighths ⅜ fiveeighths ⅝ seveneighths ⅞ orthogonal ∟ peseta ₧ proportional ∝ propersubset ⊂
propersuperset ⊃ reflexsubset ⊆ reflexsuperset ⊇ perpendicular ⊥ suchthat ∋ therefore ∴ union ∪
universal ∀ weierstrass ℘ iotadieresistonos ΐ upsilondieresistonos ΰ dong ₫ twodotenleader ‥
onedotenleader ․ quotereversed ‛ zerosuperior ⁰ foursuperior ⁴ fivesuperior ⁵ sixsuperior ⁶
sevensuperior ⁷ eightsuperior ⁸ ninesuperior ⁹ nsuperior ⁿ spade ♠ club ♣ heart ♥ diamond ♦
male ♂ female ♀ musicalnote ♪ triagup ▲ triagdn ▼ triagrt ► triaglf ◄ Scommaaccent Ș
scommaaccent ș Aringacute Ǻ aringacute ǻ AEacute Ǽ aeacute ǽ Oslashacute Ǿ oslashacute ǿ Ldot Ŀ
ldot ŀ napostrophe ŉ IJ Ĳ ij ĳ Gcommaaccent Ģ gcommaaccent ģ afii10017 А afii10018 Б afii10019 В
afii10020 Г afii10021 Д afii10022 Е afii10023 Ё afii10024 Ж afii10025 З afii10026 И afii10027 Й
afii10028 К afii10029 Л afii10030 М afii10031 Н afii10032 О afii10033 П afii10034 Р afii10035 С
afii10036 Т afii10037 У afii10038 Ф afii10039 Х afii10040 Ц afii10041 Ч afii10042 Ш afii10043 Щ
afii10044 Ъ afii10045 Ы afii10046 Ь afii10047 Э afii10048 Ю afii10049 Я afii10065 а afii10066 б
afii10067 в afii10068 г afii10069 д afii10070 е afii10071 ё afii10072 ж afii10073 з afii10074 и
afii10075 й afii10076 к afii10077 л afii10078 м afii10079 н afii10080 о afii10081 п afii10082 р
afii10083 с afii10084 т afii10085 у afii10086 ф afii10087 х afii10088 ц afii10089 ч afii10090 ш
afii10091 щ afii10092 ъ afii10093 ы afii10094 ь afii10095 э afii10096 ю afii10097 я
circlecopyrt © copyrightserif © copyrightsans © registerserif ® registersans ® trademarkserif ™
trademarksans ™ micro µ ohm Ω bardbl ‖ overline ‾ triangle △ angbracketleft 〈
angbracketright 〉 ceilingleft ⌈ ceilingright ⌉ floorleft ⌊ floorright ⌋ summationtext ∑
summationdisplay ∑ integraltext ∫ integraldisplay ∫ producttext ∏ productdisplay ∏ circleminus ⊖
zeroslash 0 commasuperior , periodsuperior . plussuperior ⁺ minussuperior ⁻ parenleftsuperior ⁽
parenrightsuperior ⁾ liter ℓ yuan ¥ emspace \u2003 enspace \u2002 thinspace \u2009
sfthyphen \u00AD softhyphen \u00AD nbspace \u00A0 nonbreakingspace \u00A0 space \u0020
`);

/** In characters: no name is as long (ISO 32000-1, annex C). */
const TOO_LONG = 128;

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
	if (name.length >= TOO_LONG) return undefined;
	const [stem = ''] = name.split('.', 1);
	if (/^[A-Za-z](?:small)?$/.test(stem)) return stem.charAt(0);
	const listed = NAMES.get(stem) ?? textOfNumbers(stem);
	if (listed !== undefined) return listed;
	if (stem.includes('_')) {
		const parts = stem.split('_').map(textOfName);
		return parts.includes(undefined) ? undefined : parts.join('');
	}
	const [, letter = '', rest = ''] = /^([A-Za-z])([a-z]+)$/.exec(stem) ?? [];
	const accent = ACCENTS.get(rest);
	return accent && (letter + accent).normalize('NFC');
}

function textOfNumbers(stem: string): string | undefined {
	const [, units, point] =
		/^(?:uni((?:[\dA-F]{4})+)|u((?:10|[\dA-F])?[\dA-F]{4}))$/.exec(stem) ?? [];
	if (units) return fromUtf16(fromHex(units));
	return point && String.fromCodePoint(parseInt(point, 16));
}
