/**
 * The widths of the standard fonts (ISO 32000-1, 9.6.2.2), from Adobe's metrics: a width, and the
 * characters that have it. Which width a space has stands first.
 */
const HELVETICA = `278
167 ⁄ 191 ' 222 ’‘ijl‚ł 260 |¦ 278 !,./:;I[\\]ft·ıíîïìī 299 ľ 317 ť
333 ()-r¡“‹›„”\`´ˆ˜¯˘˙¨˚¸˝˛ˇ³²¹ 334 {} 350 • 355 " 365 º 370 ª 389 * 400 ° 453 √ 469 ^ 471 ◊
476 ∂ 500 Jcksvxyzﬁﬂ 537 ¶ 549 ≥≤≠ 556 #$0123456789?L_abdeghnopqu¢£¥ƒ§¤«–†‡»Łþµđð€
584 +<=>~÷×±−¬ 600 ∑ 611 FTZ¿øß 612 Δ 643 ď 667 &ABEKPSVXYÞ 722 CDHNRUwĐÐ 737 ©® 778 GOQØ
833 Mm 834 ¾½¼ 889 %æ 944 Wœ 1000 …‰—ÆŒ™ 1015 @`;

const HELVETICA_BOLD = `278
167 ⁄ 238 ' 278 ’,./I\\‘ijl·‚ıł 280 |¦ 333 !()-:;[]ft¡‹›\`´ˆ˜¯˘˙¨˚¸˝˛ˇ³²¹ 350 • 365 º 370 ª
389 *r{}ť 400 ľ° 474 " 494 ◊∂ 500 z“„” 549 ≥≤√≠ 556 #$0123456789J_aceksvxy¢£¥ƒ§¤«–†‡¶»€
584 +<=>^~÷×±−¬ 600 ∑ 611 ?FLTZbdghnopquﬁﬂ¿Łøßþµđð 612 Δ 667 EPSVXYÞ 722 &ABCDHKNRUĐÐ 737 ©®
743 ď 778 GOQwØ 833 M 834 ¾½¼ 889 %mæ 944 Wœ 975 @ 1000 …‰—ÆŒ™`;

const TIMES = `250
167 ⁄ 180 ' 200 |¦ 250 ,.· 276 ª 278 /:;\\ijltıł 300 ³²¹ 310 º 326 ť
333 !’()-I[]‘fr¡‹›‚\`´ˆ˜¯˘˙¨˚¸˝˛ˇ 344 ľ 350 • 389 Js 400 ° 408 " 444 ?acez“„”¿ 453 ¶√ 469 ^
471 ◊ 476 ∂ 480 {} 500 #$*0123456789_bdghknopquvxy¢£¥ƒ§¤«–†‡»øßþµđð€ 541 ~ 549 ≥≤≠ 556 FPSﬁﬂÞ
564 +<=>÷×±−¬ 588 ď 600 ∑ 611 ELTZŁ 612 Δ 667 BCRæ 722 ADGHKNOQUVXYwØœĐÐ 750 ¾½¼ 760 ©® 778 &m
833 % 889 MÆŒ 921 @ 944 W 980 ™ 1000 …‰—`;

const TIMES_BOLD = `250
167 ⁄ 220 |¦ 250 ,.· 278 /\\il'ıł 300 ª³²¹ 330 º 333 !’()-:;[]‘fjt¡‹›‚\`´ˆ˜¯˘˙¨˚¸˝˛ˇ 350 •
389 Is 394 {}ľ 400 ° 416 ť 444 cerz 494 ◊∂ 500 #$*0123456789?J_agovxy¢£¥ƒ§¤“«–†‡„”»¿øð€ 520 ~
540 ¶ 549 ≥≤√≠ 555 " 556 Sbdhknpquﬁﬂßþµđ 570 +<=>÷×±−¬ 581 ^ 600 ∑ 611 FPÞ 612 Δ 667 BELTZŁ
672 ď 722 ACDNRUVXYwæœĐÐ 747 ©® 750 ¾½¼ 778 GHKOQØ 833 &m 930 @ 944 M 1000 %W…‰—ÆŒ™`;

const TIMES_ITALIC = `250
167 ⁄ 214 ' 250 ,.· 275 |¦ 276 ª 278 /\\fijltıł 300 ³ť²ľ¹ 310 º 333 !’()-:;I‘‹›‚\`´ˆ˜¯˘˙¨˚¸˝˛ˇ
350 • 389 []rsz¡ 400 {}° 420 " 422 ^ 444 Jcekvxy 453 √ 471 ◊ 476 ∂
500 #$*0123456789?S_abdghnopqu¢£¥ƒ§¤«ﬁﬂ–†‡»¿øßþµđð€ 523 ¶ 541 ~ 544 ď 549 ≥≤≠ 556 LTYZ“„”Ł
600 ∑ 611 ABEFPRVXÞĽ 612 Δ 667 CKNwæœ 675 +<=>÷×±−¬ 722 DGHOQUmØĐÐ 750 ¾½¼ 760 ©® 778 &
833 %MW 889 …—Æ 920 @ 944 Œ 980 ™ 1000 ‰`;

const TIMES_BOLD_ITALIC = `250
167 ⁄ 220 |¦ 250 ,.· 266 ª 278 /\\ijlt'ıł 300 º³²¹ 333 ’()-:;[]‘f‹›‚\`´ˆ˜¯˘˙¨˚¸˝˛ˇ 348 {} 350 •
366 ť 382 ľ 389 !Irsz¡ 400 ° 444 cevy 494 ◊∂
500 #$*0123456789?J_abdgkopqx¢£¥ƒ§¤“«–†‡¶„”»¿øßþđð€ 549 ≥≤√≠ 555 " 556 Shnuﬁﬂ 570 +<=>^~÷×±
576 µ 600 ∑ 606 −¬ 608 ď 611 LPTYZŁÞ 612 Δ 667 ABCEFKRVXw 722 DGNOQUØæœĐÐ 747 ©® 750 ¾½¼
778 &Hm 832 @ 833 % 889 MW 944 ÆŒ 1000 …‰—™`;

/** A width, and the characters that have it. */
const PAIR = /(\d{3,4}) (\S+)/g;

/** Characters to widths, in thousandths of the em. */
function read(source: string): ReadonlyMap<string, number> {
	const widths = new Map([[' ', parseInt(source)]]);
	for (const [, width, signs = ''] of source.matchAll(PAIR))
		for (const sign of signs) widths.set(sign, Number(width));
	return widths;
}

const FACES: Record<string, ReadonlyMap<string, number> | undefined> = {
	sans: read(HELVETICA),
	sansBold: read(HELVETICA_BOLD),
	serif: read(TIMES),
	serifBold: read(TIMES_BOLD),
	serifItalic: read(TIMES_ITALIC),
	serifBoldItalic: read(TIMES_BOLD_ITALIC),
};

const OF_COURIER = 600;
const OF_OTHERS = 500;

/**
 * How wide the characters of a font are that the file does not say the widths of: one of the
 * standard fonts, or one that takes its place. Letters with accents are as wide as those without.
 *
 * @param font its name, such as Helvetica-Bold, ArialMT or TimesNewRoman,BoldItalic
 */
export function standardWidths(font: string): (text?: string) => number {
	if (/courier/i.test(font)) return () => OF_COURIER;
	const isSerif = /times|serif/i.test(font);
	const bold = /bold/i.test(font) ? 'Bold' : '';
	const italic = isSerif && /italic|oblique/i.test(font) ? 'Italic' : '';
	const face = FACES[(isSerif ? 'serif' : 'sans') + bold + italic];
	return (text = '') => face?.get(text) ?? face?.get(text.normalize('NFD').charAt(0)) ?? OF_OTHERS;
}
