import { REPLACEMENT, type Cluster, type DocumentFont } from '../fonts/glyphs';
import { StandardFont } from '../fonts/standardFont';
import type { FontLook } from '../fonts/typefaces';
import { cleanText, isInvisible, signsOf } from './cleanText';
import { directionOf, mayTurn, type Direction } from './direction';
import type { FontBook, Setting } from './fontBook';
import { Paragraph } from './paragraph';

/** Signs of one font and direction, which are shaped together. */
interface Run {
	font: DocumentFont;
	rightToLeft: boolean;
	level: number;
	text: string;
}

interface ComposedLine {
	text: string;
	direction: Direction | undefined;
	parts: Array<Run | Cluster>;
}

const NOTHING: Setting = { font: undefined, shaped: false, invisible: true };

/** Sets each line of a text in the fonts that can write it; what cannot be drawn becomes a hollow box. */
export async function compose(fonts: FontBook, text: string, look: FontLook): Promise<Paragraph[]> {
	for (const lone of text.match(/\p{Surrogate}/gu) ?? []) fonts.miss(lone);
	const clean = cleanText(text);
	const signs = clean.split('\n').map(signsOf);
	const all = signs.flat();
	const { settings, gaps, readable } = await fonts.settingsFor(all, clean, look);
	if (!readable) {
		for (const sign of gaps) fonts.miss(sign);
		for (const sign of all) if (sign !== ' ' && !isInvisible(sign)) fonts.miss(sign);
		return [new Paragraph(REPLACEMENT, [(await fonts.unicode(look)).simple(REPLACEMENT)], undefined)];
	}
	const mirrored = mayTurn(clean) ? await fonts.unicode(look) : undefined;
	let done = 0;
	const lines = signs.map((line) => composeLine(line, settings.slice(done, (done += line.length)), mirrored));
	shapeTogether(lines);
	const clusters = lines.map(clustersOf);
	const missing = clusters.flatMap((line) => line.filter((cluster) => cluster.missing));
	for (const cluster of missing) fonts.miss(cluster.text);
	const box = missing.length > 0 ? (await fonts.unicode(look)).simple(REPLACEMENT) : undefined;
	return lines.map((line, index) => {
		const known = clusters[index] ?? [];
		const drawn = box ? known.map((one) => (one.missing ? { ...box, text: one.text } : one)) : known;
		return new Paragraph(line.text, drawn, line.direction);
	});
}

function composeLine(
	signs: readonly string[],
	settings: readonly Setting[],
	mirrored: DocumentFont | undefined,
): ComposedLine {
	const text = signs.join('');
	const direction = mirrored && directionOf(text);
	const parts: Array<Run | Cluster> = [];
	let run: Run | undefined;
	let offset = 0;
	for (let index = 0; index < signs.length; index++) {
		const sign = signs[index] ?? '';
		const setting = settings[index] ?? NOTHING;
		const level = direction?.levelAt(offset) ?? 0;
		const rightToLeft = level % 2 === 1;
		offset += sign.length;
		const { font: written, shaped, invisible } = setting;
		// A bracket that is turned around is still the same character to whoever copies it.
		const font = rightToLeft && written instanceof StandardFont ? mirrored : written;
		if (font && (shaped || rightToLeft)) {
			if (run?.font !== font || run.level !== level) parts.push((run = { font, rightToLeft, level, text: '' }));
			run.text += sign;
			continue;
		}
		run = undefined;
		if (font) parts.push((setting.cluster ??= font.simple(sign)));
		else parts.push({ text: sign, width: 0, missing: !invisible });
	}
	return { text, direction, parts };
}

/** Has each font shape all that it is to write, in each direction: shaping word after word takes much longer. */
function shapeTogether(lines: readonly ComposedLine[]): void {
	const texts = [new Map<DocumentFont, string[]>(), new Map<DocumentFont, string[]>()] as const;
	for (const { parts } of lines) {
		for (const part of parts) {
			if (!('level' in part)) continue;
			const known = texts[part.rightToLeft ? 1 : 0];
			const same = known.get(part.font);
			if (same) same.push(part.text);
			else known.set(part.font, [part.text]);
		}
	}
	texts.forEach((known, turned) => {
		for (const [font, runs] of known) font.prepare?.(runs, turned === 1);
	});
}

function clustersOf({ parts }: ComposedLine): Cluster[] {
	const clusters: Cluster[] = [];
	for (const part of parts) {
		if (!('level' in part)) clusters.push(part);
		else for (const cluster of part.font.shape(part.text, part.rightToLeft)) clusters.push(cluster);
	}
	return clusters;
}
