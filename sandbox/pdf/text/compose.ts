import type { Cluster, DocumentFont } from '../fonts/glyphs';
import { StandardFont } from '../fonts/standardFont';
import type { FontLook } from '../fonts/typefaces';
import { cleanText, signsOf } from './cleanText';
import { directionOf } from './direction';
import type { FontBook, Setting } from './fontBook';
import { Paragraph } from './paragraph';

/** Drawn where no font has the character: the reader sees that something stands there. */
const REPLACEMENT = '\u25a1';

const NOTHING: Setting = { font: undefined, shaped: false, invisible: true };

/** Sets each line of a text in the fonts that can write it; what none can write becomes a hollow box. */
export async function compose(fonts: FontBook, text: string, look: FontLook): Promise<Paragraph[]> {
	for (const lone of text.match(/\p{Surrogate}/gu) ?? []) fonts.miss(lone);
	const paragraphs: Paragraph[] = [];
	for (const line of cleanText(text).split('\n')) paragraphs.push(await composeLine(fonts, line, look));
	return paragraphs;
}

async function composeLine(fonts: FontBook, text: string, look: FontLook): Promise<Paragraph> {
	const signs = signsOf(text);
	const direction = directionOf(text);
	const settings = await fonts.settingsFor(new Set(signs), text, look);
	const gaps = [...settings.values()].some(({ font, invisible }) => !font && !invisible);
	const box = gaps ? (await fonts.unicode(look)).simple(REPLACEMENT) : undefined;
	const mirrored = direction && (await fonts.unicode(look));

	const clusters: Cluster[] = [];
	let run: { font: DocumentFont; level: number; text: string } | undefined;
	const finishRun = () => {
		if (run) for (const cluster of run.font.shape(run.text, run.level % 2 === 1)) clusters.push(cluster);
		run = undefined;
	};
	let offset = 0;
	for (const sign of signs) {
		const level = direction?.levelAt(offset) ?? 0;
		offset += sign.length;
		const { font: written, shaped, invisible } = settings.get(sign) ?? NOTHING;
		// A bracket that is turned around is still the same character to whoever copies it.
		const font = level % 2 === 1 && written instanceof StandardFont ? mirrored : written;
		if (font && (shaped || level % 2 === 1)) {
			if (run?.font !== font || run.level !== level) {
				finishRun();
				run = { font, level, text: '' };
			}
			run.text += sign;
			continue;
		}
		finishRun();
		if (font) clusters.push(font.simple(sign));
		else if (invisible || !box) clusters.push({ text: sign, width: 0 });
		else {
			fonts.miss(sign);
			clusters.push({ ...box, text: sign });
		}
	}
	finishRun();
	return new Paragraph(text, clusters, direction);
}
