import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { withTemporaryFolder } from '../../support/temporaryFolder';
import { fixture } from '../../fixtures/fixture';
import { serve, serveFolder } from './support/placeFieldsPage';
import { openEmpty, place, setStage } from './support/stage';
import { pagesOf } from './support/testPdf';

setStage();
beforeEach(() => openEmpty());

const field = (changes: object = {}) => ({
	...{ type: 'TEXT', pageNumber: 1, xNorm: 0.1, yNorm: 0.1, widthNorm: 0.02, heightNorm: 0.01 },
	...changes,
});

describe('Nothing leaves the browser', () => {
	/** Every way of a script to send something without leaving the page. */
	const WAYS = [
		'fetch(url)',
		'navigator.sendBeacon(url, "secret")',
		'new Image().src = url',
		'new WebSocket(url.replace("http", "ws"))',
		'new EventSource(url)',
		'document.head.append(Object.assign(document.createElement("link"), { rel: "stylesheet", href: url }))',
		'document.head.append(Object.assign(document.createElement("link"), { rel: "prefetch", href: url }))',
		'document.body.append(Object.assign(document.createElement("iframe"), { src: url }))',
		'new FontFace("leak", `url(${url})`).load()',
		'import(url)',
		'(() => { const form = document.body.appendChild(document.createElement("form")); form.action = url; form.target = "_blank"; form.submit(); })()',
		'new Worker(URL.createObjectURL(new Blob([`fetch("${url}")`])))',
	];

	/** Tries a way on a page, and gives what it sends the time to arrive. */
	async function attempt(page: Page, way: string, url: string): Promise<void> {
		const script = `(async () => { const url = ${JSON.stringify(url)}; try { await (${way}); } catch {} })()`;
		await page.evaluate(script);
		await page.evaluate('new Promise((resolve) => setTimeout(resolve, 300))');
	}

	// From a host, where nothing but the policy of the page stands in the way: from disk the browser
	// has its own doubts.
	it.each(WAYS)('not by %s', async (way) => {
		const [host, elsewhere] = [await serveFolder(), await serve(() => '<title>Elsewhere</title>')];
		try {
			await place.page.goto(host.url);
			await attempt(place.page, way, `${elsewhere.url}leak`);
			expect(elsewhere.asked).toEqual([]);

			const unguarded = await place.context.newPage();
			await unguarded.goto(elsewhere.url);
			await attempt(unguarded, way, `${elsewhere.url}leak`);
			expect(elsewhere.asked.join()).toContain('/leak');
		} finally {
			host.close();
			elsewhere.close();
		}
	});
});

describe('Text is never taken for markup', () => {
	const EVIL = '"><img src=x onerror="document.title=1"><script>document.title=2</script>';

	it('in names, emails, file names and JSON', async () => {
		await place.openPdf(await pagesOf(2), `${EVIL.replaceAll('/', '')}.pdf`);
		await place.page.getByLabel('Name of recipient 1').fill(EVIL);
		await place.draw(1, [0.1, 0.2, 0.4, 0.3]);
		const options = { placeholderText: EVIL, helpText: EVIL, value: EVIL, dropdownOptions: [EVIL] };
		await place.read(JSON.stringify([field({ recipient: EVIL, ...options })]));
		await place.read(JSON.stringify([field({ [EVIL]: 1, type: EVIL })]));
		await place.read(EVIL);
		expect(await place.page.title()).toBe('Place Fields: eSign for n8n');
		expect(await place.page.locator('img, body script').count()).toBe(0);
		expect(place.complaints).toEqual([]);
		expect(place.foreignRequests()).toEqual([]);
	});

	it('even if a script of the page tried to', async () => {
		const refused = await place.page.evaluate(
			'(() => { try { document.body.innerHTML = "<b>x</b>"; return false; } catch (error) { return error instanceof TypeError; } })()',
		);
		expect(refused).toBe(true);
	});
});

describe('A file that cannot be opened', () => {
	const damaged = 'This is not a PDF, or it is damaged.';

	it.each([
		['notes.pdf', Buffer.from('Dear reader, this is no PDF.'), damaged],
		['empty.pdf', Buffer.alloc(0), damaged],
		['picture.pdf', fixture('picture.png'), damaged],
		[
			'locked.pdf',
			fixture('encrypted-user.pdf'),
			'The file is protected by a password. The service does not take such files.',
		],
		[
			'large.pdf',
			Buffer.alloc(25 * 1024 * 1024 + 1, '%'),
			'The file has 25.1 MB. The service takes 25 MB at most.',
		],
	])('%s says why, and leaves what is open', async (name, buffer, message) => {
		await place.openPdf(await pagesOf(2), 'good.pdf');
		await place.draw(1, [0.1, 0.2, 0.4, 0.3]);
		await withTemporaryFolder(async (folder) => {
			// By its path: as bytes, 25 MB take longer to reach a busy browser than a test waits.
			const path = join(folder, name);
			await writeFile(path, buffer);
			await place.page.setInputFiles('#open', path);
			await place.page.locator('#open-problem:visible').waitFor();
		});
		expect(await place.page.locator('#open-problem').textContent()).toBe(`${name}: ${message}`);
		expect(await place.page.locator('.sheet').count()).toBe(2);
		expect(await place.entries()).toHaveLength(1);
		await place.openPdf(await pagesOf(3), 'better.pdf');
		expect(await place.page.locator('#open-problem').isVisible()).toBe(false);
		expect(place.complaints).toEqual([]);
	});
});

describe('Files of every make are shown', () => {
	it.each([
		...[
			'contract.pdf',
			'libreoffice.pdf',
			'ghostscript.pdf',
			'scan.pdf',
			'linearized.pdf',
			'object-streams.pdf',
		],
		...['turned-and-cropped.pdf', 'encrypted-owner.pdf', 'scan-jpeg2000.pdf'],
	])('%s', async (name) => {
		await place.openPdf(fixture(name), name);
		const [left, top, right, bottom] = await place.ink(1);
		expect((right - left) * (bottom - top)).toBeGreaterThan(0.02);
		expect(place.complaints).toEqual([]);
	});

	it('text that cannot be shown is named, and fields are placed all the same', async () => {
		await place.openPdf(fixture('missing-font.pdf'), 'contract-ja.pdf');
		await place.page.getByText('Some text of this file cannot be shown here.').waitFor();
		await place.draw(1, [0.1, 0.2, 0.4, 0.3]);
		expect(await place.entries()).toHaveLength(1);
	});
});

describe('What a file can carry does nothing here', () => {
	it('scripts, links and attachments in the PDF stay in it', async () => {
		await place.openPdf(fixture('scripts.pdf'), 'scripts.pdf');
		const [x, y] = await place.at(1, 0.5, 0.5);
		await place.page.mouse.click(x, y);
		expect(await place.page.title()).toBe('Place Fields: eSign for n8n');
		expect(place.foreignRequests()).toEqual([]);
		expect(place.context.pages()).toHaveLength(1);
	});
});

describe('Much of it', () => {
	it('200 pages and 500 fields stay usable, and the next field is refused', async () => {
		await place.openPdf(await pagesOf(200), 'long.pdf');
		const grid = Array.from({ length: 500 }, (_, index) => ({
			type: 'SIGNATURE',
			recipient: 1 + (index % 10),
			pageNumber: 1 + (index % 5) * 49,
			xNorm: 0.05 + 0.08 * (Math.floor(index / 5) % 10),
			yNorm: 0.05 + 0.08 * Math.floor(index / 50),
			widthNorm: 0.06,
			heightNorm: 0.04,
		}));
		await place.read(JSON.stringify(grid));
		expect(await place.entries()).toHaveLength(500);
		expect(await place.page.locator('.box').count()).toBe(500);
		await place.drawn(197);
		await place.draw(197, [0.9, 0.9, 0.95, 0.95]);
		expect(await place.entries()).toHaveLength(500);
		expect(await place.status()).toBe('There are 500 fields, as many as a document can have.');
		const last = place.sheet(197).locator('.box').last();
		await last.focus();
		await place.page.keyboard.press('ArrowRight');
		const moved = (await place.entries()).filter(
			({ xNorm }, index) => xNorm !== grid[index]?.xNorm,
		);
		expect(moved).toHaveLength(1);
		// Pages that are far away are not kept as pictures.
		expect(await place.page.locator('canvas').count()).toBeLessThan(12);
		expect(place.complaints).toEqual([]);
	});

	it('a file that is opened while another is still being read takes its place', async () => {
		const files = [await pagesOf(200), await pagesOf(2)].map((buffer, index) => ({
			name: `${index}.pdf`,
			mimeType: 'application/pdf',
			buffer,
		}));
		for (const file of files) await place.page.setInputFiles('#open', file);
		await place.page.getByText('1.pdf is open.').waitFor();
		await place.drawn(1);
		expect(await place.page.locator('#files li').allTextContents()).toEqual([
			'1.pdf: pages 1 to 2',
		]);
	});
});
