import type { Browser, Locator, Page } from 'playwright-core';
import { ADA, BO, Desk, type FieldPlace } from '../../sandbox/pages/desk';
import { launchChromium, openWindow, pagesDrawn, WIDTHS } from './window';

interface Template {
	id: string;
	name: string;
	roles: Array<{ role: string; type: string }>;
	fields: Array<{ field_key: string | null; type: string; role: string | null }>;
}
interface Sent {
	id: string;
	status: string;
	recipients: Array<{ id: string; name: string; role: string | null; status: string }>;
}

/** What a person enters into a field of each type. */
const ENTRIES: Record<string, string> = {
	SIGNATURE: 'Ada Arden',
	INITIALS: 'AA',
	DATE: '2026-11-30',
	TEXT: 'Arden Ltd',
	DROPDOWN: 'Delaware',
	EMAIL: 'ada@arden.example',
	RADIO_GROUP: 'Blue',
	NAME: 'Ada Arden',
	TITLE: 'Director',
	COMPANY: 'Arden Ltd',
	STAMP: 'Arden Ltd',
	TEXTAREA: 'Two\nlines',
	NUMBER: '12.5',
	PHONE: '+44 20 7946 0000',
};

let desk: Desk;
let browser: Browser;
let page: Page;
beforeAll(async () => {
	desk = await Desk.open();
	browser = await launchChromium();
});
afterAll(async () => {
	await browser?.close();
	await desk?.close();
});
beforeEach(() => desk.reset());
afterEach(() => page?.context().close());

/** The field of a type, by what the page calls it; all of them if a page has several. */
function fieldsOf(type: string): Locator {
	return page.locator(`.field.type-${type.toLowerCase().replace('_', '-')}`);
}

/** Enters something into every field of a type, as a person would who sees it. */
async function fill(type: string): Promise<void> {
	for (const field of await fieldsOf(type).all()) {
		const entry = ENTRIES[type] ?? '';
		if (type === 'CHECKBOX') await field.getByRole('checkbox').check();
		else if (type === 'RADIO_GROUP') await field.getByLabel(entry).check();
		else if (type === 'DROPDOWN') await field.locator('select').selectOption(entry);
		else await field.locator('input, textarea').fill(entry);
	}
}

async function sign(): Promise<void> {
	await page.getByRole('button', { name: 'Sign', exact: true }).click();
	await page.waitForSelector('h1:has-text("You have signed"), h1:has-text("Completed")');
}

async function visitAs(name: string, width: number): Promise<void> {
	page = await openWindow(browser, { viewport: { width, height: 900 } });
	await page.goto(desk.origin + (await desk.signPath(name)));
	await pagesDrawn(page, 1);
}

async function templates(): Promise<Template[]> {
	const { data } = await desk.api<{ data: Template[] }>('GET', '/templates');
	return Promise.all(data.map(({ id }) => desk.api<Template>('GET', `/templates/${id}`)));
}

describe.each(WIDTHS)('at %d pixels', (width) => {
	it.each(['Mutual NDA', 'Offer Letter'])(
		'everyone fills in and signs every field of the template %s',
		async (name) => {
			const template = (await templates()).find((one) => one.name === name)!;
			const recipients = template.roles.map(({ role }) => ({ role, name: `The ${role}`, email: `${role}@x.example` }));
			const { id } = await desk.api<Sent>('POST', `/templates/${template.id}/send`, { recipients });
			for (const { role, type } of template.roles.filter((one) => one.type === 'SIGNER')) {
				expect(type).toBe('SIGNER');
				await visitAs(`The ${role}`, width);
				const own = template.fields.filter((field) => field.role === role);
				expect(await page.locator('.field').count()).toBe(own.length);
				for (const fieldType of new Set(own.map((field) => field.type))) {
					const count = own.filter((field) => field.type === fieldType).length;
					expect([fieldType, await fieldsOf(fieldType).count()]).toEqual([fieldType, count]);
					await fill(fieldType);
				}
				await sign();
				await page.context().close();
			}
			expect((await desk.document(id)).status).toBe('completed');
		},
	);

	it('a person fills in and signs one field of each of the fifteen types', async () => {
		const types = [...Object.keys(ENTRIES), 'CHECKBOX'];
		expect(types).toHaveLength(15);
		const options = { DROPDOWN: ['Delaware', 'Germany'], RADIO_GROUP: ['Red', 'Blue'] };
		const fields = types.map((type, index): FieldPlace => {
			const dropdownOptions = type in options ? options[type as keyof typeof options] : undefined;
			const place = { xNorm: index % 2 ? 0.55 : 0.1, yNorm: 0.06 + Math.floor(index / 2) * 0.11, heightNorm: 0.05 };
			return { of: 0, type, ...place, ...(dropdownOptions && { dropdownOptions }) };
		});
		const { id } = await desk.send([ADA, BO], { fields });
		await visitAs('Ada', width);
		for (const type of types) {
			expect([type, await fieldsOf(type).first().isVisible()]).toEqual([type, true]);
			await fill(type);
		}
		await sign();
		expect((await desk.document(id)).recipients[0]?.status).toBe('signed');
	});
});
