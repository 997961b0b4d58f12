import { DESKTOP, DISK, serveFolder } from './support/placeFieldsPage';
import { openEmpty, openWithField, place, setStage, threePages } from './support/stage';
import { pagesOf } from './support/testPdf';

setStage();

describe('The page works', () => {
	it('opened from disk', async () => {
		await openWithField();
		expect(await place.places()).toEqual([[1, 0.1, 0.2, 0.3, 0.1]]);
		expect(place.complaints).toEqual([]);
		expect(place.foreignRequests()).toEqual([]);
		expect(place.requests).toContain(DISK);
	});

	it('from a static host, of which it asks for its own files and for nothing later', async () => {
		const host = await serveFolder();
		try {
			await openEmpty(DESKTOP, host.url);
			const asked = [...host.asked];
			await place.openPdf(threePages);
			await place.draw(1, [0.1, 0.2, 0.4, 0.3]);
			expect(await place.places()).toEqual([[1, 0.1, 0.2, 0.3, 0.1]]);
			expect(host.asked).toEqual(asked);
			expect(
				asked.every((one) =>
					/^GET \/(index\.html|(scripts\/fields|scripts\/page|styles|vendor)\/[\w.]+)?$/.test(one),
				),
			).toBe(true);
			expect(place.complaints).toEqual([]);
			expect(place.foreignRequests(host.url)).toEqual([]);
		} finally {
			host.close();
		}
	});
});

describe('What was drawn is not lost by mistake', () => {
	beforeEach(() => openWithField());

	it('a file that is dropped anywhere is opened here, and does not replace the page', async () => {
		const bytes = [...(await pagesOf(2))];
		await place.page.locator('header').evaluate((header, bytes) => {
			const window = globalThis as unknown as {
				DataTransfer: new () => { items: { add(file: File): void } };
				DragEvent: new (type: string, options: object) => Event;
			};
			const dataTransfer = new window.DataTransfer();
			dataTransfer.items.add(
				new File([new Uint8Array(bytes)], 'dropped.pdf', { type: 'application/pdf' }),
			);
			const options = { dataTransfer, bubbles: true, cancelable: true };
			(header as unknown as EventTarget).dispatchEvent(new window.DragEvent('drop', options));
		}, bytes);
		await place.page.getByText('dropped.pdf is open.').waitFor();
		expect(await place.page.locator('.sheet').count()).toBe(2);
		expect(await place.entries()).toHaveLength(1);
	});

	it('the browser asks before it closes the page, until the JSON was copied', async () => {
		const asked: string[] = [];
		place.page.on('dialog', (dialog) => {
			asked.push(dialog.type());
			void dialog.dismiss();
		});
		const dialog = place.page.waitForEvent('dialog');
		await place.page.close({ runBeforeUnload: true });
		await dialog;
		expect(asked).toEqual(['beforeunload']);
		await place.button('Copy JSON').click();
		await place.page.getByText('Copied. Paste it').waitFor();
		const closed = place.page.waitForEvent('close');
		await place.page.close({ runBeforeUnload: true });
		await closed;
		expect(asked).toHaveLength(1);
	});
});

describe('The selected field', () => {
	beforeEach(() => openWithField());

	it('takes the options of the node, and says what it cannot take', async () => {
		const panel = place.page.locator('#selected');
		await panel.getByLabel('Type').selectOption('Dropdown');
		await panel
			.getByLabel('Options to Choose From, one a line')
			.fill('Monthly\n Yearly, in advance \n\n');
		await panel.getByLabel('Field Key').fill('billing');
		await panel.getByLabel('Required').uncheck();
		await panel.getByText('More Options').click();
		await panel.getByLabel('Font Size').fill('14');
		await panel.getByLabel('Fill Mode').selectOption('Prefilled');
		await panel.getByLabel('Font Bold').check();
		await panel.getByLabel('Value').fill('Monthly');
		await place.press('Tab');
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
		await place.press('Tab');
		expect(await panel.locator('.problem:visible').textContent()).toBe(
			'Field Key is "Not a key". Use a key: a lowercase letter, then lowercase letters, digits and underscores.',
		);
		expect((await place.entries())[0]!.fieldKey).toBe('billing');
		await panel.getByLabel('Required').check();
		expect((await place.entries())[0]).not.toHaveProperty('required');
		expect(await panel.getByLabel('Field Key').inputValue()).toBe('Not a key');
		expect(await panel.locator('.problem:visible').count()).toBe(1);
	});

	it('is duplicated to a place of its own, without its key', async () => {
		await place.page.getByLabel('Field Key').fill('once');
		await place.button('Duplicate').click();
		expect((await place.entries()).map(({ fieldKey }) => fieldKey)).toEqual(['once', undefined]);
		expect(await place.page.locator('.covered').count()).toBe(0);
	});
});

describe('JSON', () => {
	const ENTRY = {
		type: 'SIGNATURE',
		pageNumber: 2,
		xNorm: 0.25,
		yNorm: 0.5,
		widthNorm: 0.2,
		heightNorm: 0.1,
	};

	it('that is read shows where its fields land, also before the file is opened', async () => {
		await openEmpty();
		await place.read(
			JSON.stringify({ fields: [{ ...ENTRY, recipient: 'ada@example.com', fieldKey: 'here' }] }),
		);
		expect(await place.status()).toBe('1 field read. Open the PDF to see where they land.');
		await place.openPdf(threePages);
		await place.sheet(2).scrollIntoViewIfNeeded();
		const seen = await place.within(2, place.box(1));
		[0.25, 0.5, 0.2, 0.1].forEach((part, edge) => expect(seen[edge]).toBeCloseTo(part, 2));
		expect(await place.page.getByLabel('Email of recipient 1').inputValue()).toBe(
			'ada@example.com',
		);
		expect(await place.entries()).toEqual([
			{ ...ENTRY, recipient: 'ada@example.com', fieldKey: 'here' },
		]);
	});

	// fieldsJson.test.ts: the messages.
	it('that is not valid says why and changes nothing', async () => {
		await openWithField();
		const before = await place.json();
		await place.read(
			JSON.stringify([
				{ ...ENTRY, xNorm: 0.9 },
				{ ...ENTRY, type: 'SEAL' },
			]),
		);
		expect(await place.page.locator('#read-problems li').count()).toBe(2);
		expect(await place.json()).toBe(before);
		await place.read(JSON.stringify([ENTRY]));
		expect(await place.page.locator('#read-problems').isVisible()).toBe(false);
		await place.button('Undo').click();
		expect(await place.json()).toBe(before);
	});

	it.each([[['clipboard-read', 'clipboard-write']], [[]]])(
		'is copied, with the permissions %j',
		async (permissions) => {
			await openEmpty({ ...DESKTOP, permissions });
			await place.openPdf(threePages);
			await place.draw(1, [0.1, 0.2, 0.4, 0.3]);
			await place.button('Copy JSON').click();
			await place.page.getByText('Copied. Paste it').waitFor();
			await place.page.locator('#read summary').click();
			await place.page.getByLabel('JSON to show on the pages').focus();
			await place.press('Control+v');
			expect(await place.page.getByLabel('JSON to show on the pages').inputValue()).toBe(
				await place.json(),
			);
		},
	);
});
