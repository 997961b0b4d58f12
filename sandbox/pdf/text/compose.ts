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
	/** What it is drawn as, once it was shaped together with others. */
	clusters?: readonly Cluster[];
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
	const texts = clean.split('\n');
	const signs = texts.map(signsOf);
	const all = joined(signs);
	const { settings, gaps, readable } = await fonts.settingsFor(all, clean, look);
	if (!readable) {
		for (const sign of gaps) fonts.miss(sign);
		for (const sign of all) if (sign !== ' ' && !isInvisible(sign)) fonts.miss(sign);
		return [new Paragraph(REPLACEMENT, [(await fonts.unicode(look)).simple(REPLACEMENT)], undefined)];
	}
	const mirrored = mayTurn(clean) ? await fonts.unicode(look) : undefined;
	let done = 0;
	const lines = signs.map((line, index) => {
		return composeLine(texts[index] ?? '', line, settings.slice(done, (done += line.length)), mirrored);
	});
	shapeTogether(lines);
	const clusters = lines.map(clustersOf);
	const holed = clusters.some((line) => line.some(({ missing }) => missing));
	const box = holed ? (await fonts.unicode(look)).simple(REPLACEMENT) : undefined;
	return lines.map((line, index) => {
		const known = clusters[index] ?? [];
		return new Paragraph(line.text, box ? known.map((one) => filled(one, box, fonts)) : known, line.direction);
	});
}

/** `flat()` takes as long as the shaping of a text. */
function joined(lines: ReadonlyArray<readonly string[]>): readonly string[] {
	const [only = [], ...others] = lines;
	return others.length === 0 ? only : only.concat(...others);
}

/** A cluster as it is drawn: a hollow box in the place of one that is missing. */
function filled(cluster: Cluster, box: Cluster, fonts: FontBook): Cluster {
	if (!cluster.missing) return cluster;
	fonts.miss(cluster.text);
	return { ...box, text: cluster.text };
}

function composeLine(
	text: string,
	signs: readonly string[],
	settings: readonly Setting[],
	mirrored: DocumentFont | undefined,
): ComposedLine {
	const direction = mirrored && directionOf(text);
	const parts: Array<Run | Cluster> = [];
	let run: Run | undefined;
	let runStart = 0;
	let offset = 0;
	const endRun = (end: number) => {
		if (run) run.text = text.slice(runStart, end);
		run = undefined;
	};
	for (let index = 0; index < signs.length; index++) {
		const sign = signs[index] ?? '';
		const setting = settings[index] ?? NOTHING;
		const level = direction?.levelAt(offset) ?? 0;
		const rightToLeft = level % 2 === 1;
		const { font: written, shaped, invisible } = setting;
		// A bracket that is turned around is still the same character to whoever copies it.
		const font = rightToLeft && written instanceof StandardFont ? mirrored : written;
		if (font && (shaped || rightToLeft)) {
			if (run?.font !== font || run.level !== level) {
				endRun(offset);
				parts.push((run = { font, rightToLeft, level, text: '' }));
				runStart = offset;
			}
		} else {
			endRun(offset);
			if (font) parts.push((setting.cluster ??= font.simple(sign)));
			else parts.push({ text: sign, width: 0, missing: !invisible });
		}
		offset += sign.length;
	}
	endRun(text.length);
	return { text, direction, parts };
}

/** Has each font shape all that it is to write, in each direction: shaping word after word takes much longer. */
function shapeTogether(lines: readonly ComposedLine[]): void {
	const runs = [new Map<DocumentFont, Run[]>(), new Map<DocumentFont, Run[]>()] as const;
	for (const { parts } of lines) {
		for (const part of parts) {
			if (!('level' in part) || !part.font.script) continue;
			const known = runs[part.rightToLeft ? 1 : 0];
			const same = known.get(part.font);
			if (same) same.push(part);
			else known.set(part.font, [part]);
		}
	}
	runs.forEach((known, turned) => {
		for (const [font, same] of known) {
			const shaped = font.shapeAll?.(
				same.map(({ text }) => text),
				turned === 1,
			);
			same.forEach((run, index) => (run.clusters = shaped?.[index]));
		}
	});
}

function clustersOf({ parts }: ComposedLine): Cluster[] {
	const clusters: Cluster[] = [];
	for (const part of parts) {
		if (!('level' in part)) clusters.push(part);
		else for (const cluster of part.clusters ?? part.font.shape(part.text, part.rightToLeft)) clusters.push(cluster);
	}
	return clusters;
}
