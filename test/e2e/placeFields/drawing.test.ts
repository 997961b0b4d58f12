import { PHONE } from './support/placeFieldsPage';
import { open, place, setStage } from './support/stage';
import { pagesOf } from './support/testPdf';

setStage();

describe('With a mouse', () => {
	it('a field is drawn for the recipient and of the type that are chosen', async () => {
		await open();
		await place.page.getByLabel('Email of recipient 1').fill('ada@example.com');
		await place.button('Add Recipient').click();
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
		expect(await place.places()).toEqual([[1, 0.8, 0.2, 0.2, 0.1]]);
		const handle = (await place.page.locator('.handle-sw').boundingBox())!;
		const sheet = (await place.sheet(1).boundingBox())!;
		const at: [number, number] = [handle.x + 6, handle.y + 6];
		await place.drag(at, [at[0] - sheet.width * 0.1, at[1] + sheet.height * 0.05]);
		expect(await place.places()).toEqual([[1, 0.7, 0.2, 0.3, 0.15]]);
		await place.button('Undo').click();
		await place.button('Undo').click();
		expect(await place.places()).toEqual([[1, 0.2, 0.2, 0.2, 0.1]]);
		await place.button('Undo').click();
		expect(await place.places()).toEqual([]);
		for (let step = 0; step < 3; step++) await place.button('Redo').click();
		expect(await place.places()).toEqual([[1, 0.7, 0.2, 0.3, 0.15]]);
	});

	it('a click draws nothing, and Escape takes back what is being drawn', async () => {
		await open();
		const [x, y] = await place.at(1, 0.5, 0.5);
		await place.page.mouse.click(x, y);
		await place.page.mouse.move(x, y);
		await place.page.mouse.down();
		await place.page.mouse.move(x + 100, y + 100);
		await place.press('Escape');
		await place.page.mouse.up();
		expect(await place.places()).toEqual([]);
	});

	it('a box as small as a checkbox is caught in its middle and moved', async () => {
		await open();
		await place.page.locator('#type').selectOption('Checkbox');
		await place.button('Add Field').click();
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
		await place.press('Control+z');
		await place.page.mouse.move(x + 150, y + 50);
		await place.page.mouse.up();
		expect(await place.entries()).toEqual(before);
		await place.button('Undo').click();
		expect(await place.entries()).toEqual([]);
	});

	it('Draw Field draws over a field that is there, and the overlap is marked', async () => {
		await open();
		await place.draw(1, [0.2, 0.2, 0.6, 0.4]);
		await place.button('Draw Field').click();
		await place.draw(1, [0.3, 0.3, 0.5, 0.35]);
		expect(await place.places()).toHaveLength(2);
		expect(await place.page.locator('.box.covered').count()).toBe(2);
		expect(await place.page.locator('#advice').textContent()).toContain('1 pair of fields overlaps.');
		expect(await place.box(1).getAttribute('class')).toContain('covered');
		expect(await place.page.getByRole('button', { name: /overlaps another field/ }).count()).toBe(2);
	});
});

describe('By keyboard alone', () => {
	it('a field is added, moved, resized, and removed', async () => {
		await open();
		await place.button('Add Field').focus();
		await place.press('Enter');
		const [before] = await place.entries();
		await place.press('ArrowRight', 'ArrowRight', 'ArrowDown', 'Shift+ArrowRight', 'Shift+ArrowUp');
		const [after] = await place.entries();
		expect(after!.xNorm).toBeCloseTo(before!.xNorm + 0.01, 4);
		expect(after!.yNorm).toBeCloseTo(before!.yNorm + 0.005, 4);
		expect(after!.widthNorm).toBeCloseTo(before!.widthNorm + 0.005, 4);
		expect(after!.heightNorm).toBeCloseTo(before!.heightNorm - 0.005, 4);
		expect(await place.status()).toMatch(/^left [\d.]+ %, top [\d.]+ %, width/);
		await place.press('Delete');
		expect(await place.entries()).toEqual([]);
		await place.press('Control+z');
		expect(await place.entries()).toEqual([after]);
		await place.press('Control+z');
		expect(await place.entries()).toEqual([before]);
		await place.press('Control+Shift+z');
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
			await place.press('Tab');
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
		await place.button('Add Field').click();
		await place.page.getByLabel('Left', { exact: true }).fill('0.25');
		await place.page.getByLabel('Width', { exact: true }).fill('0.9');
		await place.page.getByLabel('Top', { exact: true }).fill('0.5');
		await place.press('Tab');
		expect(await place.places()).toEqual([[1, 0.25, 0.5, 0.75, 0.06]]);
		await place.page.getByLabel('Page', { exact: true }).fill('3');
		await place.press('Tab');
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
		await place.button('Draw Field').tap();
		const [x, y] = await place.at(1, 0.3, 0.4);
		const sheet = (await place.sheet(1).boundingBox())!;
		await place.swipe([x, y], [x + sheet.width * 0.3, y + sheet.height * 0.1]);
		const [[, left, top, width, height] = []] = await place.places();
		expect([width, height]).toEqual([0.3, 0.1]);
		const box = (await place.box(1).boundingBox())!;
		const middle: [number, number] = [box.x + box.width / 2, box.y + box.height / 2];
		await place.swipe(middle, [middle[0] + sheet.width * 0.2, middle[1]]);
		expect(await place.places()).toEqual([[1, Math.round((left! + 0.2) * 100) / 100, top, 0.3, 0.1]]);
		const corner = (await place.page.locator('.handle-se').boundingBox())!;
		const at: [number, number] = [corner.x + corner.width / 2, corner.y + corner.height / 2];
		await place.swipe(at, [at[0], at[1] + sheet.height * 0.1]);
		expect((await place.places())[0]![4]).toBe(0.2);
		// Draw Field draws once: the next swipe scrolls again.
		expect(await place.button('Draw Field').getAttribute('aria-pressed')).toBe('false');
	});

	it('a tap while Draw Field is on puts a field of the usual size there, and a tap selects it', async () => {
		await open(PHONE);
		await place.button('Draw Field').tap();
		const [x, y] = await place.at(1, 0.5, 0.3);
		await place.page.touchscreen.tap(x, y);
		const [entry] = await place.entries();
		expect(entry!.xNorm + entry!.widthNorm / 2).toBeCloseTo(0.5, 1);
		const [aside, below] = await place.at(1, 0.5, 0.6);
		await place.press('Escape');
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
		await place.button('Recipients and JSON').tap();
		await place.page.getByLabel('Name of recipient 1').fill('W'.repeat(160));
		expect(await overflow()).toBe(0);
	});
});

describe('Pages', () => {
	it('are zoomed without moving a field on them', async () => {
		await open();
		await place.draw(2, [0.1, 0.2, 0.4, 0.3]);
		const before = await place.entries();
		for (const name of ['Zoom in', 'Zoom in', 'Zoom in']) await place.button(name).click();
		expect(await place.page.getByLabel('Zoom', { exact: true }).textContent()).toBe('200 %');
		await place.at(2, 0.25, 0.25);
		const [sheet, box] = [(await place.sheet(2).boundingBox())!, (await place.box(1).boundingBox())!];
		expect((box.x - sheet.x) / sheet.width).toBeCloseTo(0.1, 2);
		expect(box.height / sheet.height).toBeCloseTo(0.1, 2);
		expect(await place.entries()).toEqual(before);
		await place.button('Fit Width').click();
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
		expect(await place.places()).toEqual([[5, 0.1, 0.2, 0.3, 0.1]]);
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
