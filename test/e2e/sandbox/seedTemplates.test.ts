import type { Locator } from 'playwright-core';
import { ADA } from '../../sandbox/pages/desk';
import { desk, page, pagesDrawn, setStage, sign, visit, WIDTHS } from './window';

/** What a person enters into a field of each type. */
const ENTRIES: Record<string, string> = {
	SIGNATURE: 'Ada Arden',
	INITIALS: 'AA',
	DATE: '2026-11-30',
	TEXT: 'Arden Ltd',
	CHECKBOX: 'true',
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

setStage();
beforeEach(() => desk.control.reset());

/** The fields of a type, by what the page calls it. */
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

/** Finds every field of these types, fills all of them in, and signs. */
async function signAs(name: string, types: string[], width: number): Promise<void> {
	await visit(await desk.signPath(name), { viewport: { width, height: 900 } });
	await pagesDrawn(1);
	expect(await page.locator('.field').count()).toBe(types.length);
	for (const type of new Set(types)) {
		expect([type, await fieldsOf(type).count()]).toEqual([type, types.filter((one) => one === type).length]);
		await fill(type);
	}
	await sign();
	await page.context().close();
}

describe.each(WIDTHS)('at %d pixels', (width) => {
	it.each(['Mutual NDA', 'Offer Letter'])(
		'everyone fills in and signs every field of the template %s',
		async (name) => {
			const template = await desk.template(desk.test, name);
			const recipients = template.roles.map(({ role }) => ({ role, name: `The ${role}`, email: `${role}@x.example` }));
			const { id } = await desk.api('POST', `/templates/${template.id}/send`, { recipients });
			for (const { role } of template.roles.filter(({ type }) => type === 'SIGNER')) {
				const own = template.fields.filter((field) => field.role === role);
				await signAs(
					`The ${role}`,
					own.map(({ type }) => String(type)),
					width,
				);
			}
			expect((await desk.document(id)).status).toBe('completed');
		},
	);

	it('a person fills in and signs one field of each of the fifteen types', async () => {
		// Every signer has a signature on the last page.
		const types = Object.keys(ENTRIES).filter((type) => type !== 'SIGNATURE');
		expect(types).toHaveLength(14);
		const fields = types.map((type, index) => ({
			...{ type, xNorm: index % 2 ? 0.55 : 0.1, yNorm: 0.06 + Math.floor(index / 2) * 0.11, heightNorm: 0.05 },
			dropdownOptions: [ENTRIES[type] ?? '', 'Other'],
		}));
		const { id } = await desk.send([ADA], { fields });
		await signAs('Ada', [...types, 'SIGNATURE'], width);
		expect((await desk.document(id)).status).toBe('completed');
	});
});
