import { REPLACEMENT, type Cluster, type DocumentFont } from '../fonts/glyphs';
import { StandardFont } from '../fonts/standardFont';
import type { FontLook } from '../fonts/typefaces';
import { cleanText, signsOf } from './cleanText';
import { directionOf } from './direction';
import type { FontBook, Setting } from './fontBook';
import { Paragraph } from './paragraph';

/** Signs of one font and direction, which are shaped together. */
interface Run {
	font: DocumentFont;
	level: number;
	text: string;
}

const NOTHING: Setting = { font: undefined, shaped: false, invisible: true };

/** Sets each line of a text in the fonts that can write it; what cannot be drawn becomes a hollow box. */
export async function compose(fonts: FontBook, text: string, look: FontLook): Promise<Paragraph[]> {
	for (const lone of text.match(/\p{Surrogate}/gu) ?? []) fonts.miss(lone);
	const paragraphs: Paragraph[] = [];
	for (const line of cleanText(text).split('\n')) paragraphs.push(await composeLine(fonts, line, look));
	return paragraphs;
}

async function composeLine(fonts: FontBook, text: string, look: FontLook): Promise<Paragraph> {
	const signs = signsOf(text);
	const { settings, gaps, readable } = await fonts.settingsFor(signs, text, look);
	if (!readable) {
		for (const sign of gaps) fonts.miss(sign);
		return new Paragraph(REPLACEMENT, [(await fonts.unicode(look)).simple(REPLACEMENT)], undefined);
	}
	const direction = directionOf(text);
	const mirrored = direction && (await fonts.unicode(look));

	const clusters: Cluster[] = [];
	let run: Run | undefined;
	let offset = 0;
	for (let index = 0; index < signs.length; index++) {
		const sign = signs[index] ?? '';
		const setting = settings[index] ?? NOTHING;
		const level = direction?.levelAt(offset) ?? 0;
		offset += sign.length;
		const { font: written, shaped, invisible } = setting;
		// A bracket that is turned around is still the same character to whoever copies it.
		const font = level % 2 === 1 && written instanceof StandardFont ? mirrored : written;
		if (font && (shaped || level % 2 === 1)) {
			if (run?.font !== font || run.level !== level) {
				if (run) addShaped(clusters, run);
				run = { font, level, text: '' };
			}
			run.text += sign;
			continue;
		}
		if (run) addShaped(clusters, run);
		run = undefined;
		if (font) clusters.push((setting.cluster ??= font.simple(sign)));
		else clusters.push({ text: sign, width: 0, missing: !invisible });
	}
	if (run) addShaped(clusters, run);
	const missing = clusters.filter((cluster) => cluster.missing);
	if (missing.length === 0) return new Paragraph(text, clusters, direction);
	for (const cluster of missing) fonts.miss(cluster.text);
	const box = (await fonts.unicode(look)).simple(REPLACEMENT);
	const drawn = clusters.map((cluster) => (cluster.missing ? { ...box, text: cluster.text } : cluster));
	return new Paragraph(text, drawn, direction);
}

function addShaped(clusters: Cluster[], { font, level, text }: Run): void {
	for (const cluster of font.shape(text, level % 2 === 1)) clusters.push(cluster);
}
