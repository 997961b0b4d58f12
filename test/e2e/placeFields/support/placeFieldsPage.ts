import { existsSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { extname, join, normalize } from 'node:path';
import { pathToFileURL } from 'node:url';
import type {
	Browser,
	BrowserContext,
	BrowserContextOptions,
	CDPSession,
	Locator,
	Page,
} from 'playwright-core';

const FOLDER = join(__dirname, '../../../../docs/place-fields');
export const DISK = pathToFileURL(join(FOLDER, 'index.html')).href;
export const DESKTOP = { viewport: { width: 1280, height: 900 } };
export const PHONE = {
	viewport: { width: 390, height: 844 },
	hasTouch: true,
	isMobile: true,
	deviceScaleFactor: 2,
};

export interface Entry {
	recipient?: string | number;
	type: string;
	pageNumber: number;
	xNorm: number;
	yNorm: number;
	widthNorm: number;
	heightNorm: number;
	[option: string]: unknown;
}

/** Corners of a box, as fractions of the page. */
export type Corners = [left: number, top: number, right: number, bottom: number];

/**
 * The page in a browser, with a record of what it asked for and of what the browser complained
 * about.
 */
export class PlaceFieldsPage {
	readonly requests: string[] = [];
	readonly complaints: string[] = [];

	private constructor(
		readonly context: BrowserContext,
		readonly page: Page,
	) {}

	static async open(
		browser: Browser,
		options: BrowserContextOptions = DESKTOP,
		url = DISK,
	): Promise<PlaceFieldsPage> {
		const context = await browser.newContext(options);
		const place = new PlaceFieldsPage(context, await context.newPage());
		context.on('request', (request) => place.requests.push(request.url()));
		place.page.on('console', (message) => {
			if (message.type() === 'error' || message.type() === 'warning')
				place.complaints.push(message.text());
		});
		place.page.on('pageerror', (error) => place.complaints.push(error.message));
		await place.page.goto(url);
		return place;
	}

	/** What was loaded from anywhere but the folder of the page and the page itself. */
	foreignRequests(base = DISK): string[] {
		const folder = base.slice(0, base.lastIndexOf('/') + 1);
		const own = (url: string) =>
			url.startsWith(folder) || url.startsWith('blob:') || url.startsWith('data:');
		return this.requests.filter((url) => !own(url));
	}

	async openPdf(bytes: Buffer, name = 'contract.pdf', input = '#open'): Promise<void> {
		await this.page.setInputFiles(input, { name, mimeType: 'application/pdf', buffer: bytes });
		await this.page.getByText(`${name} is open.`).waitFor();
		await this.drawn(1);
	}

	sheet(number: number): Locator {
		return this.page.locator('.sheet').nth(number - 1);
	}

	/** Scrolls to a page and waits until it is drawn. */
	async drawn(number: number): Promise<void> {
		await this.sheet(number).scrollIntoViewIfNeeded();
		await this.sheet(number).locator('canvas').waitFor();
	}

	/** A place of a page in the coordinates of the window, scrolled into view. */
	async at(number: number, x: number, y: number): Promise<[number, number]> {
		await this.page.evaluate(`(() => {
			const page = document.querySelectorAll('.sheet')[${number - 1}];
			const paper = page.parentElement;
			paper.scrollTop = page.offsetTop + page.offsetHeight * ${y} - paper.clientHeight / 2;
		})()`);
		const box = (await this.sheet(number).boundingBox())!;
		return [box.x + box.width * x, box.y + box.height * y];
	}

	async draw(number: number, [left, top, right, bottom]: Corners): Promise<void> {
		await this.at(number, (left + right) / 2, (top + bottom) / 2);
		const box = (await this.sheet(number).boundingBox())!;
		await this.drag(
			[box.x + box.width * left, box.y + box.height * top],
			[box.x + box.width * right, box.y + box.height * bottom],
		);
	}

	async drag(from: [number, number], to: [number, number]): Promise<void> {
		await this.page.mouse.move(...from);
		await this.page.mouse.down();
		await this.page.mouse.move((from[0] + to[0]) / 2, (from[1] + to[1]) / 2);
		await this.page.mouse.move(...to);
		await this.page.mouse.up();
	}

	/** A finger from one point to another. */
	async swipe(from: [number, number], to: [number, number]): Promise<void> {
		const session: CDPSession = await this.context.newCDPSession(this.page);
		const point = ([x, y]: [number, number]) => [{ x, y }];
		await session.send('Input.dispatchTouchEvent', {
			type: 'touchStart',
			touchPoints: point(from),
		});
		for (const part of [0.1, 0.3, 0.6, 1]) {
			const on: [number, number] = [
				from[0] + (to[0] - from[0]) * part,
				from[1] + (to[1] - from[1]) * part,
			];
			await session.send('Input.dispatchTouchEvent', { type: 'touchMove', touchPoints: point(on) });
		}
		await session.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] });
		await session.detach();
	}

	button(name: string): Locator {
		return this.page.getByRole('button', { name, exact: true });
	}

	async press(...keys: string[]): Promise<void> {
		for (const key of keys) await this.page.keyboard.press(key);
	}

	box(number: number): Locator {
		return this.page.locator('.box').nth(number - 1);
	}

	async entries(): Promise<Entry[]> {
		return JSON.parse(await this.json()) as Entry[];
	}

	/** Page, left, top, width and height of each field, to the percent. */
	async places(): Promise<number[][]> {
		return (await this.entries()).map(({ pageNumber, xNorm, yNorm, widthNorm, heightNorm }) =>
			[pageNumber, xNorm, yNorm, widthNorm, heightNorm].map(
				(value) => Math.round(value * 100) / 100,
			),
		);
	}

	async json(): Promise<string> {
		return await this.page.locator('#json').inputValue();
	}

	/** Where a box lies on a page, as fractions of it: left, top, width, height. */
	async within(number: number, box: Locator): Promise<number[]> {
		const [sheet, inner] = [(await this.sheet(number).boundingBox())!, (await box.boundingBox())!];
		const [left, top] = [(inner.x - sheet.x) / sheet.width, (inner.y - sheet.y) / sheet.height];
		return [left, top, inner.width / sheet.width, inner.height / sheet.height];
	}

	/** The middle of something, in the coordinates of the window. */
	async middle(of: Locator): Promise<[number, number]> {
		const { x, y, width, height } = (await of.boundingBox())!;
		return [x + width / 2, y + height / 2];
	}

	/** Drags from a point by these parts of the first page, with the mouse or with a finger. */
	async dragBy(
		[x, y]: [number, number],
		across: number,
		down: number,
		by: 'drag' | 'swipe' = 'drag',
	): Promise<void> {
		const { width, height } = (await this.sheet(1).boundingBox())!;
		await this[by]([x, y], [x + width * across, y + height * down]);
	}

	/**
	 * The box around what is drawn on a page, as a person sees it: the pixels that are not white. Not
	 * in order on an empty page.
	 */
	async ink(number: number): Promise<Corners> {
		const canvas = this.sheet(number).locator('canvas');
		return await canvas.evaluate((element) => {
			interface Context {
				getImageData(
					x: number,
					y: number,
					width: number,
					height: number,
				): { data: Uint8ClampedArray };
			}
			const drawn = element as unknown as {
				width: number;
				height: number;
				getContext(kind: '2d'): Context;
			};
			const { width, height } = drawn;
			const { data } = drawn.getContext('2d').getImageData(0, 0, width, height);
			const edges: [number, number, number, number] = [width, height, 0, 0];
			for (let at = 0; at < data.length; at += 4) {
				if (data[at + 2]! > 240) continue;
				const [x, y] = [(at / 4) % width, Math.floor(at / 4 / width)];
				edges[0] = Math.min(edges[0], x);
				edges[1] = Math.min(edges[1], y);
				edges[2] = Math.max(edges[2], x + 1);
				edges[3] = Math.max(edges[3], y + 1);
			}
			return [edges[0] / width, edges[1] / height, edges[2] / width, edges[3] / height];
		});
	}

	/** Has the page read JSON, as a person pastes it. */
	async read(json: string): Promise<void> {
		const details = this.page.locator('#read');
		if ((await details.getAttribute('open')) === null) await details.locator('summary').click();
		await this.page.getByLabel('JSON to show on the pages').fill(json);
		await this.page.getByRole('button', { name: 'Show Fields' }).click();
	}

	async status(): Promise<string> {
		return (await this.page.locator('#status').textContent()) ?? '';
	}

	async close(): Promise<void> {
		await this.context.close();
	}
}

/**
 * A web server that answers with the text of a path, if there is one, and records what is asked of
 * it.
 */
export async function serve(textOf: (path: string) => string | Buffer | undefined) {
	const asked: string[] = [];
	const types: Record<string, string> = { '.js': 'text/javascript', '.css': 'text/css' };
	const server = createServer((request, response) => {
		const path = new URL(request.url ?? '/', 'http://host').pathname;
		asked.push(`${request.method} ${path}`);
		const text = textOf(path);
		response
			.writeHead(text === undefined ? 404 : 200, {
				'content-type': types[extname(path)] ?? 'text/html',
			})
			.end(text);
	});
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	return {
		url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
		asked,
		close: () => {
			server.closeAllConnections();
			server.close();
		},
	};
}

/** Serves the folder as any static host does. */
export function serveFolder() {
	return serve((path) => {
		const file = join(FOLDER, normalize(path === '/' ? '/index.html' : path));
		return existsSync(file) ? readFileSync(file) : undefined;
	});
}
