import { A4, type Canvas2D, type DrawnPage } from '../page/drawPages';
import { undrawable, type FontLook } from '../text/fonts';
import { paragraphsOf, widestWord, wrap, type Line } from '../text/lines';
import { drawLine } from '../text/writeText';

export const INK = '#171c29';
export const MUTED = '#667080';
const LINE = '#d9dee6';
const BAND = '#f2f5fa';

export const MARGIN = 54;
const BOTTOM = 64;
const LEADING = 1.35;
const CELL_PADDING = 5;
/** A word too long for its column is set smaller, down to this, before it is broken. */
const SMALLEST_SIZE = 5;

const PRINT: FontLook = { family: 'HELVETICA' };
const BOLD: FontLook = { family: 'HELVETICA', bold: true };

export interface Column {
	title: string;
	/** Points. */
	width: number;
}

interface SizedLine {
	line: Line;
	size: number;
}

/**
 * A4 pages that are filled from the top; a block that does not fit any more opens the next page.
 */
export class Sheet {
	readonly width = A4.width - 2 * MARGIN;
	/** The characters that are hollow boxes. */
	readonly missing = new Set<string>();
	private readonly drawn: Array<Array<DrawnPage['draw']>> = [[]];
	private y = MARGIN;

	space(points: number): void {
		this.y += points;
	}

	/** One paragraph over the whole width. */
	paragraph(text: string, size: number, color = INK, look = PRINT): void {
		for (const { line } of this.broken(text, size, this.width, look)) {
			this.reserve(size * LEADING);
			const place = {
				x: MARGIN,
				y: this.y + size,
				width: this.width,
				look,
				size,
				color,
				align: 'left',
			} as const;
			this.add((canvas) => drawLine(canvas, line, place));
			this.y += size * LEADING;
		}
	}

	/** A heading that stays together with what follows it. */
	heading(text: string): void {
		this.space(14);
		this.reserve(64);
		this.paragraph(text, 12.5, INK, BOLD);
		this.space(4);
	}

	/**
	 * Rows under column titles, which are repeated on every page; a cell's text is wrapped, never
	 * cut.
	 */
	table(columns: Column[], rows: string[][]): void {
		this.tableHead(columns);
		for (const row of rows) {
			const cells = this.cells(columns, row, 8.5, PRINT);
			const height = Math.max(...cells.map((cell) => cell.length)) * 11 + 7;
			if (this.y + height > A4.height - BOTTOM) {
				this.nextPage();
				this.tableHead(columns);
			}
			this.drawCells(columns, cells, INK, PRINT);
			this.y += height;
			this.band(this.y - 0.3, 0.6, LINE);
		}
	}

	/** All pages, each with what `finish` draws on it. */
	pages(finish: (canvas: Canvas2D, number: number, count: number) => void): DrawnPage[] {
		return this.drawn.map((steps, index) => ({
			...A4,
			draw: (canvas) => {
				for (const step of steps) step(canvas);
				finish(canvas, index + 1, this.drawn.length);
			},
		}));
	}

	private tableHead(columns: Column[]): void {
		this.reserve(40);
		this.band(this.y, 17, BAND);
		const titles = columns.map(({ title }) => title);
		this.drawCells(columns, this.cells(columns, titles, 8, BOLD), MUTED, BOLD);
		this.y += 17;
	}

	private cells(columns: Column[], texts: string[], size: number, look: FontLook): SizedLine[][] {
		return columns.map(({ width }, index) =>
			this.broken(texts[index] ?? '', size, width - 2 * CELL_PADDING, look),
		);
	}

	private broken(text: string, size: number, width: number, look: FontLook): SizedLine[] {
		for (const character of undrawable(text)) this.missing.add(character);
		return paragraphsOf(text, look).flatMap((paragraph) => {
			const fitting = Math.max(SMALLEST_SIZE, Math.min(size, width / widestWord([paragraph])));
			return wrap([paragraph], width / fitting).map((line) => ({ line, size: fitting }));
		});
	}

	/**
	 * All cells begin on the left, in whatever direction they are read: a column is found by its
	 * edge.
	 */
	private drawCells(columns: Column[], cells: SizedLine[][], color: string, look: FontLook): void {
		let x = MARGIN + CELL_PADDING;
		columns.forEach(({ width }, column) => {
			cells[column]?.forEach(({ line, size }, index) => {
				const y = this.y + 12 + index * 11;
				const place = {
					x,
					y,
					width: width - 2 * CELL_PADDING,
					look,
					size,
					color,
					align: 'left',
				} as const;
				this.add((canvas) => drawLine(canvas, line, place));
			});
			x += width;
		});
	}

	private band(y: number, height: number, color: string): void {
		this.add((canvas) => {
			canvas.fillStyle = color;
			canvas.fillRect(MARGIN, y, this.width, height);
		});
	}

	private add(step: DrawnPage['draw']): void {
		this.drawn.at(-1)?.push(step);
	}

	private reserve(height: number): void {
		if (this.y + height > A4.height - BOTTOM) this.nextPage();
	}

	private nextPage(): void {
		this.drawn.push([]);
		this.y = MARGIN;
	}
}
