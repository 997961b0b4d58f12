import { PageSizes, rgb, type Color, type PDFDocument, type PDFPage } from 'pdf-lib';
import type { FontLook } from '../fonts/typefaces';
import { compose } from '../text/compose';
import { drawLine } from '../text/drawLine';
import type { FontBook } from '../text/fontBook';
import { wrap, type Line } from '../text/lines';

export const INK = rgb(0.09, 0.11, 0.16);
export const MUTED = rgb(0.4, 0.44, 0.5);
const LINE = rgb(0.85, 0.87, 0.9);
const BAND = rgb(0.95, 0.96, 0.98);

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

/** A4 pages that are filled from the top; a block that does not fit any more opens the next page. */
export class Sheet {
	private page: PDFPage;
	private y: number;

	constructor(
		private readonly document: PDFDocument,
		private readonly fonts: FontBook,
	) {
		this.page = document.addPage(PageSizes.A4);
		this.y = this.page.getHeight() - MARGIN;
	}

	get width(): number {
		return this.page.getWidth() - 2 * MARGIN;
	}

	space(points: number): void {
		this.y -= points;
	}

	/** One paragraph over the whole width. */
	async paragraph(text: string, size: number, color: Color = INK, look: FontLook = PRINT): Promise<void> {
		for (const { line } of await this.broken(text, size, this.width, look)) {
			this.reserve(size * LEADING);
			drawLine(this.page, line, { x: MARGIN, y: this.y - size, size, color });
			this.y -= size * LEADING;
		}
	}

	/** A heading that stays together with what follows it. */
	async heading(text: string): Promise<void> {
		this.space(14);
		this.reserve(64);
		await this.paragraph(text, 12.5, INK, BOLD);
		this.space(4);
	}

	/** Rows under column titles, which are repeated on every page; a cell's text is wrapped, never cut. */
	async table(columns: Column[], rows: string[][]): Promise<void> {
		await this.tableHead(columns);
		for (const row of rows) {
			const cells = await this.cells(columns, row, 8.5, PRINT);
			const height = Math.max(...cells.map((cell) => cell.length)) * 11 + 7;
			if (this.y - height < BOTTOM) {
				this.nextPage();
				await this.tableHead(columns);
			}
			this.drawCells(columns, cells, INK);
			this.y -= height;
			this.rule();
		}
	}

	private async tableHead(columns: Column[]): Promise<void> {
		this.reserve(40);
		this.page.drawRectangle({ x: MARGIN, y: this.y - 17, width: this.width, height: 17, color: BAND });
		const titles = columns.map(({ title }) => title);
		this.drawCells(columns, await this.cells(columns, titles, 8, BOLD), MUTED);
		this.y -= 17;
	}

	private async cells(columns: Column[], texts: string[], size: number, look: FontLook): Promise<SizedLine[][]> {
		const cells: SizedLine[][] = [];
		for (const [index, { width }] of columns.entries()) {
			cells.push(await this.broken(texts[index] ?? '', size, width - 2 * CELL_PADDING, look));
		}
		return cells;
	}

	private async broken(text: string, size: number, width: number, look: FontLook): Promise<SizedLine[]> {
		return (await compose(this.fonts, text, look)).flatMap((paragraph) => {
			const fitting = Math.max(Math.min(size, SMALLEST_SIZE), Math.min(size, width / paragraph.widestWord));
			return wrap([paragraph], width / fitting).map((line) => ({ line, size: fitting }));
		});
	}

	/** All cells begin on the left, in whatever direction they are read: a column is found by its edge. */
	private drawCells(columns: Column[], cells: SizedLine[][], color: Color): void {
		let left = MARGIN + CELL_PADDING;
		columns.forEach(({ width }, column) => {
			cells[column]?.forEach(({ line, size }, index) => {
				drawLine(this.page, line, { x: left, y: this.y - 3.5 - 8.5 - index * 11, size, color });
			});
			left += width;
		});
	}

	private rule(): void {
		const { y } = this;
		this.page.drawLine({ start: { x: MARGIN, y }, end: { x: MARGIN + this.width, y }, thickness: 0.6, color: LINE });
	}

	private reserve(height: number): void {
		if (this.y - height < BOTTOM) this.nextPage();
	}

	private nextPage(): void {
		this.page = this.document.addPage(PageSizes.A4);
		this.y = this.page.getHeight() - MARGIN;
	}
}
