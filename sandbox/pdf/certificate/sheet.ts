import { PageSizes, rgb, type Color, type PDFDocument, type PDFPage } from 'pdf-lib';
import type { FontBook, FontLook } from '../text/fonts';
import { wrap } from '../text/textLayout';

export const INK = rgb(0.09, 0.11, 0.16);
export const MUTED = rgb(0.4, 0.44, 0.5);
const LINE = rgb(0.85, 0.87, 0.9);
const BAND = rgb(0.95, 0.96, 0.98);

const MARGIN = 54;
const BOTTOM = 64;

export interface Column {
	title: string;
	/** Points. */
	width: number;
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
	async paragraph(
		text: string,
		size: number,
		color: Color = INK,
		look: FontLook = { family: 'HELVETICA' },
	): Promise<void> {
		const { font, text: written } = await this.fonts.letter(text, look);
		for (const line of written.split('\n').flatMap((part) => wrap(part, font, size, this.width))) {
			this.reserve(size * 1.35);
			this.page.drawText(line, { x: MARGIN, y: this.y - size, size, font, color });
			this.y -= size * 1.35;
		}
	}

	/** A heading that stays together with what follows it. */
	async heading(text: string): Promise<void> {
		this.space(14);
		this.reserve(64);
		await this.paragraph(text, 12.5, INK, { family: 'HELVETICA', bold: true });
		this.space(4);
	}

	/** Rows under column titles, which are repeated on every page; a cell's text is wrapped, never cut. */
	async table(columns: Column[], rows: string[][]): Promise<void> {
		await this.tableHead(columns);
		for (const row of rows) {
			const cells = await this.cells(columns, row, 8.5, { family: 'HELVETICA' });
			const height = Math.max(...cells.map((cell) => cell.lines.length)) * 11 + 7;
			if (this.y - height < BOTTOM) {
				this.nextPage();
				await this.tableHead(columns);
			}
			this.drawCells(columns, cells, 8.5, INK);
			this.y -= height;
			this.rule();
		}
	}

	private async tableHead(columns: Column[]): Promise<void> {
		this.reserve(40);
		this.page.drawRectangle({ x: MARGIN, y: this.y - 17, width: this.width, height: 17, color: BAND });
		const titles = columns.map(({ title }) => title);
		this.drawCells(columns, await this.cells(columns, titles, 8, { family: 'HELVETICA', bold: true }), 8, MUTED);
		this.y -= 17;
	}

	private async cells(columns: Column[], texts: string[], size: number, look: FontLook) {
		return Promise.all(
			columns.map(async ({ width }, index) => {
				const { font, text } = await this.fonts.letter(texts[index] ?? '', look);
				return { font, lines: text.split('\n').flatMap((line) => wrap(line, font, size, width - 10)) };
			}),
		);
	}

	private drawCells(columns: Column[], cells: Awaited<ReturnType<Sheet['cells']>>, size: number, color: Color): void {
		let x = MARGIN;
		columns.forEach(({ width }, column) => {
			const cell = cells[column];
			cell?.lines.forEach((line, index) => {
				this.page.drawText(line, { x: x + 5, y: this.y - 3.5 - size - index * 11, size, font: cell.font, color });
			});
			x += width;
		});
	}

	rule(): void {
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
