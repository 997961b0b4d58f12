import { holds, type BenchResult, type Figure } from './figure';

const LINE_WIDTH = 118;

/** The figures of one bench as a text table, with each figure's explanation below. */
export function renderResult(result: BenchResult): string {
	const header = ['', ...result.sides, 'must be', ''];
	const rows = result.figures.map((figure) => [
		`${figure.name} [${figure.unit}]`,
		...result.sides.map((side) => formatNumber(figure.values[side])),
		targetText(figure),
		verdict(result, figure),
	]);
	const widths = header.map((_, column) =>
		Math.max(...[header, ...rows].map((row) => row[column]?.length ?? 0)),
	);
	const line = (row: string[]) =>
		row
			.map((cell, column) =>
				column === 0 ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0),
			)
			.join('  ')
			.trimEnd();
	const table = [line(header), line(widths.map((width) => '-'.repeat(width))), ...rows.map(line)];
	const explanations = result.figures.map(({ name, meaning }) => wrap(`${name}: ${meaning}`));
	return [result.title, '='.repeat(result.title.length), ...table, '', ...explanations].join('\n');
}

/** Three significant digits, and no fraction where there is none to show. */
export function formatNumber(value: number | undefined): string {
	if (value === undefined) return '-';
	if (Number.isInteger(value)) return value.toLocaleString('en');
	return Math.abs(value) >= 100
		? Math.round(value).toLocaleString('en')
		: value.toLocaleString('en', { maximumSignificantDigits: 3 });
}

function targetText({ target }: Figure): string {
	if (!target) return '';
	return 'atMost' in target
		? `<= ${formatNumber(target.atMost)}`
		: `>= ${formatNumber(target.atLeast)}`;
}

function verdict(result: BenchResult, figure: Figure): string {
	const held = holds(result, figure);
	if (held === undefined) return '';
	return held ? 'holds' : 'MISSED';
}

/** Breaks a paragraph into lines, the later ones indented. */
function wrap(text: string): string {
	const lines: string[] = [];
	let line = '';
	for (const word of text.split(' ')) {
		if (line && line.length + 1 + word.length > LINE_WIDTH) {
			lines.push(line);
			line = `  ${word}`;
		} else {
			line = line ? `${line} ${word}` : word;
		}
	}
	return [...lines, line].join('\n');
}
