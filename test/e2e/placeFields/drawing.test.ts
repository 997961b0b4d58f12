import { PHONE } from './support/placeFieldsPage';
import { open, openWithField, place, setStage } from './support/stage';
import { pagesOf } from './support/testPdf';

setStage();

describe('With a mouse', () => {
	beforeEach(() => open());

	it('a field is drawn for the recipient and of the type that are chosen', async () => {
		await place.page.getByLabel('Email of recipient 1').fill('ada@example.com');
		await place.button('Add Recipient').click();
		await place.draw(1, [0.1, 0.1, 0.3, 0.2]);
		await place.page.getByLabel('Draw for').selectOption({ label: '2: Recipient 2' });
		await place.page.locator('#type').selectOption('Date');
		await place.draw(2, [0.5, 0.8, 0.7, 0.85]);
		expect(
			(await place.entries()).map(({ recipient, type, pageNumber }) => [
				recipient,
				type,
				pageNumber,
			]),
		).toEqual([
			['ada@example.com', 'SIGNATURE', 1],
			[2, 'DATE', 2],
		]);
		await place.page.getByLabel('Position').check();
		expect((await place.entries()).map(({ recipient }) => recipient)).toEqual([1, 2]);
	});

	it('a field is moved and resized, up to the edge of the page, and all of it is undone and redone', async () => {
		await place.draw(1, [0.2, 0.2, 0.4, 0.3]);
		const box = (await place.box(1).boundingBox())!;
		await place.dragBy([box.x + 60, box.y + box.height - 15], 2, 0);
		expect(await place.places()).toEqual([[1, 0.8, 0.2, 0.2, 0.1]]);
		await place.dragBy(await place.middle(place.page.locator('.handle-sw')), -0.1, 0.05);
		expect(await place.places()).toEqual([[1, 0.7, 0.2, 0.3, 0.15]]);
		await place.button('Undo').click();
		await place.button('Undo').click();
		expect(await place.places()).toEqual([[1, 0.2, 0.2, 0.2, 0.1]]);
		await place.button('Undo').click();
		expect(await place.places()).toEqual([]);
		for (let step = 0; step < 3; step++) await place.button('Redo').click();
		expect(await place.places()).toEqual([[1, 0.7, 0.2, 0.3, 0.15]]);
	});

	it('Draw Field draws over a field that is there, and the overlap is marked', async () => {
		await place.draw(1, [0.2, 0.2, 0.6, 0.4]);
		await place.button('Draw Field').click();
		await place.draw(1, [0.3, 0.3, 0.5, 0.35]);
		expect(await place.places()).toHaveLength(2);
		expect(await place.page.locator('.box.covered').count()).toBe(2);
		expect(await place.page.locator('#advice').textContent()).toContain(
			'1 pair of fields overlaps.',
		);
		expect(await place.page.getByRole('button', { name: /overlaps another field/ }).count()).toBe(
			2,
		);
	});
});

describe('By keyboard alone', () => {
	beforeEach(() => open());

	it('a field is added, moved, resized, and removed', async () => {
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
		for (const [key, entries] of [
			['Delete', []],
			['Control+z', [after]],
			['Control+z', [before]],
			['Control+Shift+z', [after]],
		] as const) {
			await place.press(key);
			expect([key, await place.entries()]).toEqual([key, entries]);
		}
	});

	it('Tab reaches every control, then the boxes in their order, each with a name', async () => {
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
		const panel = ['add', 'field-recipient', 'field-type', 'json', 'copy'];
		const desk = ['recipient', 'draw', 'add-field', 'undo'];
		expect(reached).toEqual(expect.arrayContaining([...panel, ...desk]));
		const boxes = reached.filter((one) => one.startsWith('box'));
		expect(boxes.slice(0, 2)).toEqual([
			expect.stringContaining('Signature for Recipient 1, page 1, left 10 %'),
			expect.stringContaining('Signature for Recipient 1, page 2, left 10 %'),
		]);
	});

	it('exact places are typed, and what is not possible is put right', async () => {
		await place.button('Add Field').click();
		const type = (label: string, text: string) =>
			place.page.getByLabel(label, { exact: true }).fill(text);
		await type('Left', '0.25');
		await type('Width', '0.9');
		await type('Top', '0.5');
		await place.press('Tab');
		expect(await place.places()).toEqual([[1, 0.25, 0.5, 0.75, 0.06]]);
		await type('Page', '3');
		await place.press('Tab');
		expect((await place.entries())[0]!.pageNumber).toBe(3);
		expect(await place.sheet(3).locator('.box').count()).toBe(1);
	});
});

describe('With a finger', () => {
	beforeEach(() => open(PHONE));

	it('a swipe over a page scrolls and draws nothing', async () => {
		const [x, y] = await place.at(1, 0.5, 0.5);
		const top = () =>
			place.page
				.locator('#paper')
				.evaluate((paper) => (paper as unknown as { scrollTop: number }).scrollTop);
		const before = await top();
		await place.swipe([x, y], [x, y - 150]);
		while ((await top()) < before + 50)
			await place.page.evaluate('new Promise(requestAnimationFrame)');
		expect(await place.entries()).toEqual([]);
	});

	it('Draw Field and a drag draw one field, which a drag then moves and a corner resizes', async () => {
		await place.button('Draw Field').tap();
		await place.dragBy(await place.at(1, 0.3, 0.4), 0.3, 0.1, 'swipe');
		const [[, left, top, width, height] = []] = await place.places();
		expect([width, height]).toEqual([0.3, 0.1]);
		await place.dragBy(await place.middle(place.box(1)), 0.2, 0, 'swipe');
		expect(await place.places()).toEqual([
			[1, Math.round((left! + 0.2) * 100) / 100, top, 0.3, 0.1],
		]);
		await place.dragBy(await place.middle(place.page.locator('.handle-se')), 0, 0.1, 'swipe');
		expect((await place.places())[0]![4]).toBe(0.2);
		// Draw Field draws once: the next swipe scrolls again.
		expect(await place.button('Draw Field').getAttribute('aria-pressed')).toBe('false');
	});

	it('nothing scrolls sideways, and controls are large enough', async () => {
		const overflow = () =>
			place.page.evaluate<number>('document.documentElement.scrollWidth - window.innerWidth');
		expect(await overflow()).toBe(0);
		for (const control of await place.page
			.locator('.desk button:visible, .desk select:visible, nav button')
			.all()) {
			expect((await control.boundingBox())!.height).toBeGreaterThanOrEqual(40);
		}
		await place.button('Recipients and JSON').tap();
		await place.page.getByLabel('Name of recipient 1').fill('W'.repeat(160));
		expect(await overflow()).toBe(0);
	});
});

describe('Pages', () => {
	beforeEach(() => openWithField());

	it('count through several files; those of another file take the place of all, and the fields stay', async () => {
		const sheets = () => place.page.locator('.sheet').count();
		await place.openPdf(await pagesOf(2), 'annex.pdf', '#add');
		expect(await sheets()).toBe(5);
		expect(await place.page.locator('#files li').allTextContents()).toEqual([
			'contract.pdf: pages 1 to 3',
			'annex.pdf: pages 4 to 5',
		]);
		await place.draw(5, [0.1, 0.2, 0.4, 0.3]);
		expect((await place.places())[1]).toEqual([5, 0.1, 0.2, 0.3, 0.1]);
		await place.openPdf(await pagesOf(2), 'shorter.pdf');
		expect(await sheets()).toBe(2);
		expect(await place.page.locator('#fields').textContent()).toContain('page 5, no such page');
		expect(await place.entries()).toHaveLength(2);
	});
});
