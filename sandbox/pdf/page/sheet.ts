import { wrap } from '../text/lines';
import { drawLine, writeText, type TextStyle } from '../text/writeText';
import { A4, type Canvas2D, type DrawnPage } from './drawPages';

/** From line to line, in ems. */
const LEADING = 1.35;
const ROW_HEIGHT = 24;
const CELL_PADDING = 5;
const CELL_SIZE = 8.5;
const RULE = '#d9dee6';
const BAND = '#f2f5fa';

/** The titles of columns, with their widths. */
type Columns = Record<string, number>;

/**
 * A4 pages that are filled from the top; what does not fit any more opens the next page. Lengths in
 * points.
 */
export class Sheet {
	private readonly width: number;
	private readonly drawn: Array<Array<DrawnPage['draw']>> = [[]];
	private y: number;

	constructor(private readonly margin: number) {
		this.width = A4.width - 2 * margin;
		this.y = margin;
	}

	space(points: number): void {
		this.y += points;
	}

	/** Text over the whole width. */
	text(text: string, size: number, style: TextStyle): void {
		for (const line of wrap(text, style, this.width / size)) {
			this.reserve(size * LEADING);
			const place = { x: this.margin, y: this.y + size, width: this.width, size };
			this.add((canvas) => drawLine(canvas, line, style, place));
			this.y += size * LEADING;
		}
	}

	/** Rows under column titles, which are repeated on every page. */
	table(columns: Columns, rows: string[][], style: TextStyle): void {
		const titles = Object.keys(columns);
		const band = { color: BAND, height: ROW_HEIGHT };
		const rule = { color: RULE, height: 0.6 };
		const head = () => this.row(columns, titles, { ...style, bold: true }, band);
		head();
		for (const row of rows) {
			if (this.reserve(ROW_HEIGHT)) head();
			this.row(columns, row, style, rule);
		}
	}

	/** Opens the next page, and says so, if this one has less room. */
	reserve(height: number): boolean {
		if (this.y + height <= A4.height - this.margin) return false;
		this.drawn.push([]);
		this.y = this.margin;
		return true;
	}

	/** All pages, each with what `finish` draws on it. */
	pages(finish?: (canvas: Canvas2D, number: number, count: number) => void): DrawnPage[] {
		return this.drawn.map((steps, index) => ({
			...A4,
			draw: (canvas) => {
				for (const step of steps) step(canvas);
				finish?.(canvas, index + 1, this.drawn.length);
			},
		}));
	}

	/** Texts beside each other, each as small as its cell asks for, over a band of some height. */
	private row(
		columns: Columns,
		texts: string[],
		style: TextStyle,
		band: { color: string; height: number },
	): void {
		const top = this.y;
		this.add((canvas) => {
			canvas.fillStyle = band.color;
			canvas.fillRect(this.margin, top + ROW_HEIGHT - band.height, this.width, band.height);
			let x = this.margin + CELL_PADDING;
			Object.values(columns).forEach((width, index) => {
				const cell = { x, y: top, width: width - 2 * CELL_PADDING, height: ROW_HEIGHT };
				writeText(canvas, texts[index] ?? '', { ...style, preferred: CELL_SIZE }, cell);
				x += width;
			});
		});
		this.y += ROW_HEIGHT;
	}

	private add(step: DrawnPage['draw']): void {
		this.drawn.at(-1)?.push(step);
	}
}
