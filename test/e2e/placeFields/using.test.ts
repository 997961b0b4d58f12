import type { Browser } from 'playwright-core';
import { openBrowser } from '../editor/support/browser';
import { DESKTOP, DISK, PHONE, PlaceFieldsPage, serveFolder } from './support/placeFieldsPage';
import { pagesOf } from './support/testPdf';

let browser: Browser;
let place: PlaceFieldsPage;
let threePages: Buffer;

beforeAll(async () => {
	browser = await openBrowser();
	threePages = await pagesOf(3);
});
afterAll(() => browser?.close());
afterEach(() => place?.close());

async function open(options = DESKTOP): Promise<void> {
	place = await PlaceFieldsPage.open(browser, options);
	await place.openPdf(threePages);
}

const press = async (...keys: string[]) => {
	for (const key of keys) await place.page.keyboard.press(key);
};
const button = (name: string) => place.page.getByRole('button', { name, exact: true });
const places = async () =>
	(await place.entries()).map(({ pageNumber, xNorm, yNorm, widthNorm, heightNorm }) => [
		...[pageNumber, xNorm, yNorm, widthNorm, heightNorm].map((value) => Math.round(value * 100) / 100),
	]);

describe('The page works', () => {
	it('opened from disk', async () => {
		await open();
		await place.draw(1, [0.1, 0.2, 0.4, 0.3]);
		expect(await places()).toEqual([[1, 0.1, 0.2, 0.3, 0.1]]);
		expect(place.complaints).toEqual([]);
		expect(place.foreignRequests()).toEqual([]);
		expect(place.requests).toContain(DISK);
	});

	it('from a static host, of which it asks for its own files and for nothing later', async () => {
		const host = await serveFolder();
		try {
			place = await PlaceFieldsPage.open(browser, DESKTOP, host.url);
			const asked = [...host.asked];
			await place.openPdf(threePages);
			await place.draw(1, [0.1, 0.2, 0.4, 0.3]);
			expect(await places()).toEqual([[1, 0.1, 0.2, 0.3, 0.1]]);
			expect(host.asked).toEqual(asked);
			expect(asked.every((one) => /^GET \/(index\.html|(scripts|styles|vendor)\/[\w.]+)?$/.test(one))).toBe(true);
			expect(place.complaints).toEqual([]);
			expect(place.foreignRequests(host.url)).toEqual([]);
		} finally {
			host.close();
		}
	});

	it('without workers', async () => {
		place = await PlaceFieldsPage.open(browser);
		await place.page.evaluate('delete window.Worker');
		await place.openPdf(threePages);
		await place.draw(1, [0.1, 0.2, 0.4, 0.3]);
		expect(await places()).toHaveLength(1);
	});
});

describe('With a mouse', () => {
	it('a field is drawn for the recipient and of the type that are chosen', async () => {
		await open();
		await place.page.getByLabel('Email of recipient 1').fill('ada@example.com');
		await button('Add Recipient').click();
		await place.draw(1, [0.1, 0.1, 0.3, 0.2]);
		await place.page.getByLabel('Draw for').selectOption({ label: '2: Recipient 2' });
		await place.page.locator('#type').selectOption('Date');
		await place.draw(2, [0.5, 0.8, 0.7, 0.85]);
		expect((await place.entries()).map(({ recipient, type, pageNumber }) => [recipient, type, pageNumber])).toEqual([
			['ada@example.com', 'SIGNATURE', 1],
			[2, 'DATE', 2],
		]);
		await place.page.getByLabel('Position').check();
		expect((await place.entries()).map(({ recipient }) => recipient)).toEqual([1, 2]);
	});

	it('a field is moved and resized, up to the edge of the page, and all of it is undone and redone', async () => {
		await open();
		await place.draw(1, [0.2, 0.2, 0.4, 0.3]);
		const box = (await place.box(1).boundingBox())!;
		await place.drag([box.x + 60, box.y + box.height - 15], [box.x + 2000, box.y + box.height - 15]);
		expect(await places()).toEqual([[1, 0.8, 0.2, 0.2, 0.1]]);
		const handle = (await place.page.locator('.handle-sw').boundingBox())!;
		const sheet = (await place.sheet(1).boundingBox())!;
		const at: [number, number] = [handle.x + 6, handle.y + 6];
		await place.drag(at, [at[0] - sheet.width * 0.1, at[1] + sheet.height * 0.05]);
		expect(await places()).toEqual([[1, 0.7, 0.2, 0.3, 0.15]]);
		await button('Undo').click();
		await button('Undo').click();
		expect(await places()).toEqual([[1, 0.2, 0.2, 0.2, 0.1]]);
		await button('Undo').click();
		expect(await places()).toEqual([]);
		for (let step = 0; step < 3; step++) await button('Redo').click();
		expect(await places()).toEqual([[1, 0.7, 0.2, 0.3, 0.15]]);
	});

	it('a click draws nothing, and Escape takes back what is being drawn', async () => {
		await open();
		const [x, y] = await place.at(1, 0.5, 0.5);
		await place.page.mouse.click(x, y);
		await place.page.mouse.move(x, y);
		await place.page.mouse.down();
		await place.page.mouse.move(x + 100, y + 100);
		await press('Escape');
		await place.page.mouse.up();
		expect(await places()).toEqual([]);
	});

	it('a box as small as a checkbox is caught in its middle and moved', async () => {
		await open();
		await place.page.locator('#type').selectOption('Checkbox');
		await button('Add Field').click();
		const [before] = await place.entries();
		const box = (await place.box(1).boundingBox())!;
		const middle: [number, number] = [box.x + box.width / 2, box.y + box.height / 2];
		const sheet = (await place.sheet(1).boundingBox())!;
		await place.drag(middle, [middle[0] - sheet.width * 0.2, middle[1]]);
		const [after] = await place.entries();
		expect(after!.xNorm).toBeCloseTo(before!.xNorm - 0.2, 2);
		expect([after!.widthNorm, after!.heightNorm]).toEqual([before!.widthNorm, before!.heightNorm]);
	});

	it('undo during a drag takes back the drag alone', async () => {
		await open();
		await place.draw(1, [0.2, 0.2, 0.4, 0.3]);
		const before = await place.entries();
		const [x, y] = await place.at(1, 0.3, 0.27);
		await place.page.mouse.move(x, y);
		await place.page.mouse.down();
		await place.page.mouse.move(x + 100, y + 50);
		await press('Control+z');
		await place.page.mouse.move(x + 150, y + 50);
		await place.page.mouse.up();
		expect(await place.entries()).toEqual(before);
		await button('Undo').click();
		expect(await place.entries()).toEqual([]);
	});

	it('Draw Field draws over a field that is there, and the overlap is marked', async () => {
		await open();
		await place.draw(1, [0.2, 0.2, 0.6, 0.4]);
		await button('Draw Field').click();
		await place.draw(1, [0.3, 0.3, 0.5, 0.35]);
		expect(await places()).toHaveLength(2);
		expect(await place.page.locator('.box.covered').count()).toBe(2);
		expect(await place.page.locator('#advice').textContent()).toContain('1 pair of fields overlaps.');
		expect(await place.box(1).getAttribute('class')).toContain('covered');
		expect(await place.page.getByRole('button', { name: /overlaps another field/ }).count()).toBe(2);
	});
});

describe('By keyboard alone', () => {
	it('a field is added, moved, resized, and removed', async () => {
		await open();
		await button('Add Field').focus();
		await press('Enter');
		const [before] = await place.entries();
		await press('ArrowRight', 'ArrowRight', 'ArrowDown', 'Shift+ArrowRight', 'Shift+ArrowUp');
		const [after] = await place.entries();
		expect(after!.xNorm).toBeCloseTo(before!.xNorm + 0.01, 4);
		expect(after!.yNorm).toBeCloseTo(before!.yNorm + 0.005, 4);
		expect(after!.widthNorm).toBeCloseTo(before!.widthNorm + 0.005, 4);
		expect(after!.heightNorm).toBeCloseTo(before!.heightNorm - 0.005, 4);
		expect(await place.status()).toMatch(/^left [\d.]+ %, top [\d.]+ %, width/);
		await press('Delete');
		expect(await place.entries()).toEqual([]);
		await press('Control+z');
		expect(await place.entries()).toEqual([after]);
		await press('Control+z');
		expect(await place.entries()).toEqual([before]);
		await press('Control+Shift+z');
		expect(await place.entries()).toEqual([after]);
	});

	it('Tab reaches every control, then the boxes in their order, each with a name', async () => {
		await open();
		await place.draw(1, [0.1, 0.1, 0.3, 0.15]);
		await place.draw(2, [0.1, 0.1, 0.3, 0.15]);
		await place.page.locator('#open').focus();
		const reached: string[] = [];
		for (let step = 0; step < 60; step++) {
			reached.push(
				await place.page.evaluate<string>(`(() => { const e = document.activeElement;
					return e.id || (e.className.includes('box') ? 'box ' + e.textContent : e.ariaLabel || e.textContent); })()`),
			);
			await press('Tab');
		}
		for (const id of [
			'add',
			'field-recipient',
			'field-type',
			'json',
			'copy',
			'recipient',
			'draw',
			'add-field',
			'undo',
		]) {
			expect(reached).toContain(id);
		}
		const boxes = reached.filter((one) => one.startsWith('box'));
		expect(boxes.slice(0, 2)).toEqual([
			expect.stringContaining('Signature for Recipient 1, page 1, left 10 %'),
			expect.stringContaining('Signature for Recipient 1, page 2, left 10 %'),
		]);
	});

	it('exact places are typed, and what is not possible is put right', async () => {
		await open();
		await button('Add Field').click();
		await place.page.getByLabel('Left', { exact: true }).fill('0.25');
		await place.page.getByLabel('Width', { exact: true }).fill('0.9');
		await place.page.getByLabel('Top', { exact: true }).fill('0.5');
		await press('Tab');
		expect(await places()).toEqual([[1, 0.25, 0.5, 0.75, 0.06]]);
		await place.page.getByLabel('Page', { exact: true }).fill('3');
		await press('Tab');
		expect((await place.entries())[0]!.pageNumber).toBe(3);
		expect(await place.sheet(3).locator('.box').count()).toBe(1);
	});
});

describe('With a finger', () => {
	it('a swipe over a page scrolls and draws nothing', async () => {
		await open(PHONE);
		const [x, y] = await place.at(1, 0.5, 0.5);
		const top = () =>
			place.page.locator('#paper').evaluate((paper) => (paper as unknown as { scrollTop: number }).scrollTop);
		const before = await top();
		await place.swipe([x, y], [x, y - 150]);
		while ((await top()) < before + 50) await place.page.evaluate('new Promise(requestAnimationFrame)');
		expect(await place.entries()).toEqual([]);
	});

	it('Draw Field and a drag draw one field, which a drag then moves and a corner resizes', async () => {
		await open(PHONE);
		await button('Draw Field').tap();
		const [x, y] = await place.at(1, 0.3, 0.4);
		const sheet = (await place.sheet(1).boundingBox())!;
		await place.swipe([x, y], [x + sheet.width * 0.3, y + sheet.height * 0.1]);
		const [[, left, top, width, height] = []] = await places();
		expect([width, height]).toEqual([0.3, 0.1]);
		const box = (await place.box(1).boundingBox())!;
		const middle: [number, number] = [box.x + box.width / 2, box.y + box.height / 2];
		await place.swipe(middle, [middle[0] + sheet.width * 0.2, middle[1]]);
		expect(await places()).toEqual([[1, Math.round((left! + 0.2) * 100) / 100, top, 0.3, 0.1]]);
		const corner = (await place.page.locator('.handle-se').boundingBox())!;
		const at: [number, number] = [corner.x + corner.width / 2, corner.y + corner.height / 2];
		await place.swipe(at, [at[0], at[1] + sheet.height * 0.1]);
		expect((await places())[0]![4]).toBe(0.2);
		// Draw Field draws once: the next swipe scrolls again.
		expect(await button('Draw Field').getAttribute('aria-pressed')).toBe('false');
	});

	it('a tap while Draw Field is on puts a field of the usual size there, and a tap selects it', async () => {
		await open(PHONE);
		await button('Draw Field').tap();
		const [x, y] = await place.at(1, 0.5, 0.3);
		await place.page.touchscreen.tap(x, y);
		const [entry] = await place.entries();
		expect(entry!.xNorm + entry!.widthNorm / 2).toBeCloseTo(0.5, 1);
		const [aside, below] = await place.at(1, 0.5, 0.6);
		await press('Escape');
		expect(await place.page.locator('.box[aria-pressed=true]').count()).toBe(0);
		await place.page.touchscreen.tap(aside, below);
		await place.box(1).tap();
		expect(await place.page.locator('.box[aria-pressed=true]').count()).toBe(1);
	});

	it('nothing scrolls sideways, and controls are large enough', async () => {
		await open(PHONE);
		const overflow = () => place.page.evaluate<number>('document.documentElement.scrollWidth - window.innerWidth');
		expect(await overflow()).toBe(0);
		for (const control of await place.page.locator('.desk button:visible, .desk select:visible, nav button').all()) {
			expect((await control.boundingBox())!.height).toBeGreaterThanOrEqual(40);
		}
		await button('Recipients and JSON').tap();
		await place.page.getByLabel('Name of recipient 1').fill('W'.repeat(160));
		expect(await overflow()).toBe(0);
	});
});

describe('Pages', () => {
	it('are zoomed without moving a field on them', async () => {
		await open();
		await place.draw(2, [0.1, 0.2, 0.4, 0.3]);
		const before = await place.entries();
		for (const name of ['Zoom in', 'Zoom in', 'Zoom in']) await button(name).click();
		expect(await place.page.getByLabel('Zoom', { exact: true }).textContent()).toBe('200 %');
		await place.at(2, 0.25, 0.25);
		const [sheet, box] = [(await place.sheet(2).boundingBox())!, (await place.box(1).boundingBox())!];
		expect((box.x - sheet.x) / sheet.width).toBeCloseTo(0.1, 2);
		expect(box.height / sheet.height).toBeCloseTo(0.1, 2);
		expect(await place.entries()).toEqual(before);
		await button('Fit Width').click();
		expect(await place.page.getByLabel('Zoom', { exact: true }).textContent()).toBe('100 %');
	});

	it('count through several files', async () => {
		await open();
		await place.openPdf(await pagesOf(2), 'annex.pdf', '#add');
		expect(await place.page.locator('.sheet').count()).toBe(5);
		expect(await place.page.locator('#files li').allTextContents()).toEqual([
			'contract.pdf: pages 1 to 3',
			'annex.pdf: pages 4 to 5',
		]);
		await place.draw(5, [0.1, 0.2, 0.4, 0.3]);
		expect(await places()).toEqual([[5, 0.1, 0.2, 0.3, 0.1]]);
	});

	it('of another file take the place of those that were open; the fields stay', async () => {
		await open();
		await place.draw(3, [0.1, 0.2, 0.4, 0.3]);
		await place.openPdf(await pagesOf(2), 'shorter.pdf');
		expect(await place.page.locator('.sheet').count()).toBe(2);
		expect(await place.page.locator('#advice').textContent()).toContain(
			'1 field is on a page that the open file does not',
		);
		expect(await place.page.locator('#fields').textContent()).toContain('page 3, no such page');
	});
});

describe('What was drawn is not lost by mistake', () => {
	it('a file that is dropped anywhere is opened here, and does not replace the page', async () => {
		await open();
		await place.draw(1, [0.1, 0.2, 0.4, 0.3]);
		const bytes = [...(await pagesOf(2))];
		await place.page.locator('header').evaluate((header, bytes) => {
			const window = globalThis as unknown as {
				DataTransfer: new () => { items: { add(file: File): void } };
				DragEvent: new (type: string, options: object) => Event;
			};
			const dataTransfer = new window.DataTransfer();
			dataTransfer.items.add(new File([new Uint8Array(bytes)], 'dropped.pdf', { type: 'application/pdf' }));
			const options = { dataTransfer, bubbles: true, cancelable: true };
			(header as unknown as EventTarget).dispatchEvent(new window.DragEvent('drop', options));
		}, bytes);
		await place.page.getByText('dropped.pdf is open.').waitFor();
		expect(await place.page.locator('.sheet').count()).toBe(2);
		expect(await place.entries()).toHaveLength(1);
	});

	it('the browser asks before it closes the page, until the JSON was copied', async () => {
		await open();
		const asked: string[] = [];
		place.page.on('dialog', (dialog) => {
			asked.push(dialog.type());
			void dialog.dismiss();
		});
		await place.draw(1, [0.1, 0.2, 0.4, 0.3]);
		const dialog = place.page.waitForEvent('dialog');
		await place.page.close({ runBeforeUnload: true });
		await dialog;
		expect(asked).toEqual(['beforeunload']);
		await button('Copy JSON').click();
		await place.page.getByText('Copied. Paste it').waitFor();
		const closed = place.page.waitForEvent('close');
		await place.page.close({ runBeforeUnload: true });
		await closed;
		expect(asked).toHaveLength(1);
	});
});

describe('The selected field', () => {
	it('takes the options of the node, and says what it cannot take', async () => {
		await open();
		await place.draw(1, [0.1, 0.2, 0.4, 0.3]);
		const panel = place.page.locator('#selected');
		await panel.getByLabel('Type').selectOption('Dropdown');
		await panel.getByLabel('Options to Choose From, one a line').fill('Monthly\n Yearly, in advance \n\n');
		await panel.getByLabel('Field Key').fill('billing');
		await panel.getByLabel('Required').uncheck();
		await panel.getByText('More Options').click();
		await panel.getByLabel('Font Size').fill('14');
		await panel.getByLabel('Fill Mode').selectOption('Prefilled');
		await panel.getByLabel('Font Bold').check();
		await panel.getByLabel('Value').fill('Monthly');
		await press('Tab');
		expect((await place.entries())[0]).toMatchObject({
			type: 'DROPDOWN',
			required: false,
			dropdownOptions: ['Monthly', 'Yearly, in advance'],
			value: 'Monthly',
			fontBold: true,
			fontSize: 14,
			fieldKey: 'billing',
			fillMode: 'PREFILLED',
		});
		await panel.getByLabel('Field Key').fill('Not a key');
		await press('Tab');
		expect(await panel.locator('.problem:visible').textContent()).toBe(
			'Field Key is "Not a key". Use a key: a lowercase letter, then lowercase letters, digits and underscores.',
		);
		expect((await place.entries())[0]!.fieldKey).toBe('billing');
		await panel.getByLabel('Required').check();
		expect((await place.entries())[0]).not.toHaveProperty('required');
	});

	it('is duplicated to a place of its own, without its key', async () => {
		await open();
		await place.draw(1, [0.1, 0.2, 0.4, 0.3]);
		await place.page.getByLabel('Field Key').fill('once');
		await button('Duplicate').click();
		expect((await place.entries()).map(({ fieldKey }) => fieldKey)).toEqual(['once', undefined]);
		expect(await place.page.locator('.covered').count()).toBe(0);
	});
});

describe('JSON', () => {
	const ENTRY = { type: 'SIGNATURE', pageNumber: 2, xNorm: 0.25, yNorm: 0.5, widthNorm: 0.2, heightNorm: 0.1 };

	it('that is read shows where its fields land', async () => {
		await open();
		await place.read(JSON.stringify({ fields: [{ ...ENTRY, recipient: 'ada@example.com', fieldKey: 'here' }] }));
		const [sheet, box] = [(await place.sheet(2).boundingBox())!, (await place.box(1).boundingBox())!];
		expect((box.x - sheet.x) / sheet.width).toBeCloseTo(0.25, 2);
		expect((box.y - sheet.y) / sheet.height).toBeCloseTo(0.5, 2);
		expect(box.width / sheet.width).toBeCloseTo(0.2, 2);
		expect(await place.page.getByLabel('Email of recipient 1').inputValue()).toBe('ada@example.com');
		expect(await place.entries()).toEqual([{ ...ENTRY, recipient: 'ada@example.com', fieldKey: 'here' }]);
	});

	it('that is not valid says why and changes nothing', async () => {
		await open();
		await place.draw(1, [0.1, 0.2, 0.4, 0.3]);
		const before = await place.json();
		await place.read(
			JSON.stringify([
				{ ...ENTRY, xNorm: 0.9 },
				{ ...ENTRY, type: 'SEAL' },
			]),
		);
		expect(await place.page.locator('#read-problems li').allTextContents()).toEqual([
			'Field 1: the box leaves the page at its right edge: xNorm plus widthNorm is 1.1. Use 1 at most.',
			expect.stringContaining('Field 2: type is "SEAL". Use CHECKBOX, COMPANY'),
		]);
		expect(await place.json()).toBe(before);
		await place.read(JSON.stringify([ENTRY]));
		expect(await place.page.locator('#read-problems').isVisible()).toBe(false);
		await button('Undo').click();
		expect(await place.json()).toBe(before);
	});

	it('may be read before the file is opened', async () => {
		place = await PlaceFieldsPage.open(browser);
		await place.read(JSON.stringify([ENTRY]));
		expect(await place.status()).toBe('1 field read. Open the PDF to see where they land.');
		await place.openPdf(threePages);
		expect(await place.sheet(2).locator('.box').count()).toBe(1);
	});

	it.each([[['clipboard-read', 'clipboard-write']], [[]]])(
		'is copied, with the permissions %j',
		async (permissions) => {
			place = await PlaceFieldsPage.open(browser, { ...DESKTOP, permissions });
			await place.openPdf(threePages);
			await place.draw(1, [0.1, 0.2, 0.4, 0.3]);
			await button('Copy JSON').click();
			await place.page.getByText('Copied. Paste it').waitFor();
			await place.page.locator('#read summary').click();
			await place.page.getByLabel('JSON to show on the pages').focus();
			await press('Control+v');
			expect(await place.page.getByLabel('JSON to show on the pages').inputValue()).toBe(await place.json());
		},
	);
});
